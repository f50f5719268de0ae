// What can be tried without a cluster: the demo, which lives in the page.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { findings } from './accessibility.mjs';
import { launch, names, open, serve } from './masthead.mjs';

let browser, masthead;
before(async () => {
  browser = await launch();
  masthead = await serve([]);
});
after(async () => {
  await browser?.close();
  await masthead?.stop();
});
// A page that is left open goes on working.
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

const demo = (route) => new URL(`/#/${route}${route.includes('?') ? '&' : '?'}demo=1`, masthead.url).href;
const first = (page) => page.locator('[data-testid=row]:not([hidden])').first().waitFor();

test('a table fills the screen, cuts nothing off, and the page complains about nothing', async () => {
  const page = await open(browser, demo('pods'));
  await first(page);
  const { seen, wide } = await page.getByTestId('grid').evaluate((grid) => ({
    seen: [...grid.querySelectorAll('.grid-body > .row:not([hidden])')].filter(
      (row) => row.getBoundingClientRect().bottom <= grid.getBoundingClientRect().bottom,
    ).length,
    wide: grid.scrollWidth - grid.clientWidth,
  }));
  assert.ok(seen >= 26, `${seen} rows`);
  assert.equal(wide, 0);
  assert.deepEqual(await findings(page), []);
  assert.deepEqual(page.complaints, []);
});

test('filter, sort and state chips are in the address, and a link shows the same view', async () => {
  const page = await open(browser, demo('pods'));
  await first(page);
  await page.getByTestId('state').filter({ hasText: 'Completed' }).click();
  await page.waitForFunction(() => location.hash.includes('q=status=Completed'));
  await page.getByRole('columnheader', { name: 'AGE' }).getByRole('button').click();
  await page.waitForFunction(() => location.hash.includes('sort=age'));
  await page.waitForFunction(() => !document.querySelector('[data-testid=row][data-name^="kafka"]'));
  const count = await page.getByTestId('count').innerText();
  assert.match(count, /^\d+ of \d+$/);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await first(second);
  assert.equal(await second.getByTestId('filter').inputValue(), 'status=Completed');
  assert.equal(await second.locator('[aria-sort=ascending]').innerText(), 'AGE');

  await page.getByTestId('filter').fill('/(/');
  await page.getByTestId('filter-mistake').filter({ hasText: /./ }).waitFor();
  await page.getByTestId('filter').fill('nothing-has-this-name');
  await page.getByTestId('filtered').getByRole('button').click();
  await page.getByTestId('count').filter({ hasText: /^\d+$/ }).waitFor();
  await first(page);
});

test('the keyboard moves, chooses, opens, goes and closes', async () => {
  const page = await open(browser, demo('pods'));
  await first(page);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+ArrowDown');
  assert.equal(await page.locator('[data-testid=row][aria-selected=true]').count(), 2);
  await page.keyboard.press('Enter');
  await page.getByTestId('drawer').waitFor();
  const name = await page.getByTestId('drawer-name').innerText();
  await page.getByTestId('container').first().waitFor();
  await page.locator('#tab-yaml').click();
  await page.getByTestId('object-text').filter({ hasText: name }).waitFor();
  assert.match(await page.getByTestId('object-text').innerText(), /^apiVersion: v1\nkind: Pod\n/);
  assert.match(page.url(), new RegExp(`open=[a-z-]+/${name}`));
  await page.keyboard.press('f');
  await page.locator('[data-testid=drawer][data-full]').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('drawer').waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.locator('[data-testid=row][data-name=cp-1]').waitFor();
  await page.keyboard.press('[');
  await page.waitForFunction(() => location.hash.startsWith('#/pods'));
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: /shortcuts/i }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});

test('the palette finds kinds and objects', async () => {
  const page = await open(browser, demo('pods'));
  await first(page);
  const [name] = await names(page);
  await page.keyboard.press('Control+k');
  await page.getByTestId('palette-input').fill('deploy');
  await page.getByRole('option', { name: /^Deployments/ }).waitFor();
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => location.hash.startsWith('#/deployments.apps'));
  await first(page);
  await page.keyboard.press('Control+k');
  await page.getByTestId('palette-input').fill(name);
  await page.keyboard.press('Enter');
  await page.getByTestId('drawer-name').filter({ hasText: name }).waitFor();
});

test('columns are chosen and added, and a reload keeps them', async () => {
  const page = await open(browser, demo('pods'));
  await first(page);
  await page.getByTestId('columns').click();
  await page.getByRole('dialog').getByRole('checkbox', { name: /^NODE\b/ }).check();
  await page.getByTestId('column-source').fill('app.kubernetes.io/name');
  await page.getByTestId('column-title').fill('app');
  await page.getByTestId('column-add').click();
  await page.getByRole('button', { name: 'JSONPath' }).click();
  await page.getByTestId('column-source').fill('.spec.containers[*].image');
  await page.getByTestId('column-add').click();
  await page.keyboard.press('Escape');
  const heads = page.getByRole('columnheader');
  await heads.filter({ hasText: 'IMAGE' }).waitFor();
  await page.reload();
  await first(page);
  const titles = await heads.allInnerTexts();
  assert.deepEqual(titles.filter((title) => ['NODE', 'APP', 'IMAGE'].includes(title)), ['NODE', 'APP', 'IMAGE']);
  await page.locator('[data-col=image]', { hasText: /\w+:\w/ }).first().waitFor();
});

test('scrolling to the end shows the last rows, with a few rows in the DOM', async () => {
  const page = await open(browser, demo('pods'));
  // The demo has some two hundred pods: what comes while the list is read moves the end.
  await page.waitForFunction(() => Number(document.querySelector('[data-testid=count]')?.innerText) > 150);
  await page.keyboard.press('End');
  await page.waitForFunction(() => {
    const last = document.querySelector('[role=grid]').getAttribute('aria-rowcount');
    return document.querySelector(`[data-testid=row][aria-rowindex="${last}"]`);
  });
  assert.ok((await page.locator('[data-testid=row]').count()) < 80);
});

test('the page speaks Chinese to who reads it', async () => {
  const page = await open(browser, demo('pods'), { locale: 'zh-CN' });
  await first(page);
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
  await page.getByTestId('connection').filter({ hasText: '实时' }).waitFor();
  await page.getByTestId('settings').click();
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByTestId('connection').filter({ hasText: 'live' }).waitFor();
});
