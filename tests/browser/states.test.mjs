import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { findings } from './accessibility.mjs';
import { kubectl, proxy, uniqueName } from './cluster.mjs';
import { at, connection, launch, open, row, serve, serveAdmin } from './masthead.mjs';
import { end } from './process.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());
// A page that is left open goes on working.
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

test('a user who may not list reads which verb on which resource was refused, and types in a namespace', async (t) => {
  const upstream = await proxy('nobody');
  t.after(() => end(upstream.started));
  const masthead = await serve(['--proxy', upstream.url]);
  t.after(masthead.stop);
  const page = await open(browser, at(masthead.url, 'pods'));
  await page.getByTestId('refused').waitFor({ timeout: 20_000 });
  const text = await page.getByTestId('refused').innerText();
  assert.match(text, /list pods/);
  assert.match(text, /cannot list resource "pods"/);
  await connection(page, 'live');
  await page.locator('.rail-item[data-refused]', { hasText: 'Pods' }).first().waitFor();
  assert.deepEqual(await findings(page), []);

  const namespace = uniqueName('mine');
  await kubectl('create', 'namespace', namespace);
  await kubectl('create', 'configmap', 'visible', '-n', namespace);
  await kubectl('create', 'role', 'look', '-n', namespace, '--verb=get,list,watch', '--resource=configmaps');
  await kubectl('create', 'rolebinding', 'look', '-n', namespace, '--role=look', '--user=nobody');
  await page.goto(at(masthead.url, 'configmaps'));
  await page.getByTestId('refused').waitFor();
  await page.getByTestId('namespaces').click();
  await page.getByTestId('namespace-input').fill(namespace);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await row(page, 'visible').waitFor({ timeout: 20_000 });
  await kubectl('delete', 'namespace', namespace, '--wait=false');
});

test('a user who may read one namespace sees all of it, and what is refused elsewhere', async (t) => {
  const upstream = await proxy('reader');
  t.after(() => end(upstream.started));
  const masthead = await serve(['--proxy', upstream.url]);
  t.after(masthead.stop);
  const name = uniqueName('readable');
  await kubectl('create', 'configmap', name, '-n', 'reader-ns');
  const page = await open(browser, at(masthead.url, 'configmaps'));
  await page.getByTestId('refused').filter({ hasText: 'list configmaps' }).waitFor();
  await page.getByTestId('namespaces').click();
  await page.locator('.layer-note').waitFor();
  await page.getByTestId('namespace-input').fill('reader-ns');
  await page.getByTestId('namespace-add').click();
  await page.keyboard.press('Escape');
  await row(page, name).waitFor();
  await row(page, name).getByRole('link').click();
  await page.getByTestId('object-overview').getByTestId('facts').waitFor();
  await kubectl('delete', 'configmap', name, '-n', 'reader-ns');
  await row(page, name).waitFor({ state: 'detached' });

  await page.goto(at(masthead.url, 'nodes'));
  await page.getByTestId('refused').filter({ hasText: 'list nodes' }).waitFor();
  await page.goto(at(masthead.url, 'overview'));
  await page.getByTestId('overview').getByRole('status').filter({ hasText: 'nodes' }).waitFor();
  await page.goto(at(masthead.url, 'events?ns=reader-ns'));
  await page.getByTestId('timeline').waitFor();
  await connection(page, 'live');
});

test('without a cluster the address opens the demo; the page alone says how to start the proxy, and has one to explore', async (t) => {
  const masthead = await serve([]);
  t.after(masthead.stop);
  assert.match(masthead.started.stderr, /no cluster: /);
  const printed = await open(browser, masthead.url);
  await printed.getByTestId('demo').waitFor();
  await connection(printed, 'live');
  const page = await open(browser, new URL('/', masthead.url).href);
  await connection(page, 'offline');
  assert.match(await page.getByTestId('no-server').innerText(), /cargo xtask serve|kubectl proxy/);
  assert.deepEqual(await findings(page), []);
  await page.getByTestId('explore').click();
  await page.getByTestId('demo').waitFor();
  await page.locator('[data-testid=row]:not([hidden])').first().waitFor();
  await connection(page, 'live');
});

for (const colorScheme of ['light', 'dark']) {
  test(`the ${colorScheme} theme follows the system, the toggle overrides it and a reload keeps it`, async (t) => {
    const masthead = await serveAdmin();
    t.after(masthead.stop);
    const page = await open(browser, at(masthead.url, 'namespaces'), { colorScheme });
    await row(page, 'default').waitFor();
    assert.deepEqual(await findings(page), []);
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const lightness = (color) => color.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
    const isDark = async () => lightness(await background()) < 3 * 128;
    assert.equal(await isDark(), colorScheme === 'dark');
    await page.getByRole('button', { name: /theme/i }).click();
    assert.equal(await isDark(), colorScheme !== 'dark');
    await page.reload();
    await row(page, 'default').waitFor();
    assert.equal(await isDark(), colorScheme !== 'dark');
  });
}

test('what a screen reader needs is there', async (t) => {
  const masthead = await serveAdmin();
  t.after(masthead.stop);
  const page = await open(browser, at(masthead.url, 'namespaces'));
  await row(page, 'default').waitFor();
  const grid = page.getByRole('grid');
  assert.deepEqual(await grid.getByRole('columnheader').allInnerTexts(), ['NAME', 'STATUS', 'AGE']);
  const rows = await grid.getByRole('row').count();
  assert.equal(Number(await grid.getAttribute('aria-rowcount')), rows);
  await grid.focus();
  await page.keyboard.press('j');
  const active = await grid.getAttribute('aria-activedescendant');
  assert.equal(await page.locator(`#${active}`).getAttribute('aria-rowindex'), '2');
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
});
