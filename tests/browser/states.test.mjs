import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { after, before, test } from 'node:test';

import { proxy } from './cluster.mjs';
import { environment } from './environment.mjs';
import { connection, launch, open, row, serve } from './masthead.mjs';
import { end } from './process.mjs';

let browser;
before(async () => {
  await mkdir(environment.shots, { recursive: true });
  browser = await launch();
});
after(() => browser?.close());

test('a user who may not list namespaces reads which verb on which resource was refused', async (t) => {
  const upstream = await proxy('nobody');
  t.after(() => end(upstream.started));
  const masthead = await serve(['--proxy', upstream.url]);
  t.after(masthead.stop);
  const page = await open(browser, masthead.url);
  await connection(page, 'forbidden');
  const text = await page.locator('main').innerText();
  assert.match(text, /list/);
  assert.match(text, /namespaces/);
  await page.screenshot({ path: `${environment.shots}/forbidden.png` });
});

test('without a cluster the page says how to start the proxy', async (t) => {
  const masthead = await serve([]);
  t.after(masthead.stop);
  assert.match(masthead.started.stderr, /no cluster: /);
  const page = await open(browser, masthead.url);
  await connection(page, 'offline');
  assert.match(await page.locator('main').innerText(), /kubectl proxy/);
  await page.screenshot({ path: `${environment.shots}/offline.png` });
});

for (const colorScheme of ['light', 'dark']) {
  test(`the ${colorScheme} theme follows the system, the toggle overrides it and a reload keeps it`, async (t) => {
    const masthead = await serve([], { KUBECONFIG: environment.kubeconfig('admin') });
    t.after(masthead.stop);
    const page = await open(browser, masthead.url, { colorScheme });
    await row(page, 'default').waitFor();
    await page.screenshot({ path: `${environment.shots}/${colorScheme}.png` });
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
  const masthead = await serve([], { KUBECONFIG: environment.kubeconfig('admin') });
  t.after(masthead.stop);
  const page = await open(browser, masthead.url);
  await row(page, 'default').waitFor();
  const grid = page.getByRole('grid');
  assert.deepEqual(await grid.getByRole('columnheader').allInnerTexts(), ['NAME', 'STATUS', 'AGE']);
  const rows = await grid.getByRole('row').count();
  assert.equal(Number(await grid.getAttribute('aria-rowcount')), rows);
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
});
