// A computer whose clock is wrong.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { kubectl, uniqueName } from './cluster.mjs';
import { at, cell, connection, launch, row, serveAdmin } from './masthead.mjs';

let browser, masthead;
before(async () => {
  browser = await launch();
  masthead = await serveAdmin();
});
after(async () => {
  await browser?.close();
  await masthead?.stop();
});

/** Opens a page in a browser whose clock is off by so many minutes. */
async function openOff(minutes, route) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  await context.addInitScript((off) => {
    const real = Date.now;
    Date.now = () => real() + off;
  }, minutes * 60_000);
  const page = await context.newPage();
  await page.goto(at(masthead.url, route));
  await connection(page, 'live');
  return page;
}

for (const minutes of [-5, 5]) {
  test(`ages are by the server's clock when this one is ${minutes} minutes off`, async () => {
    const page = await openOff(minutes, 'namespaces');
    const name = uniqueName('clock');
    await kubectl('create', 'namespace', name);
    await row(page, name).waitFor();
    await page.waitForFunction((off) => {
      const chip = document.querySelector('[data-testid=connection]');
      return Math.abs(Number(chip.dataset.skew) + off) <= 2;
    }, minutes * 60);
    await cell(page, name, 'age').filter({ hasText: /^\d{1,2}s$/ }).waitFor();
    assert.match(await page.getByTestId('connection').getAttribute('title'), minutes < 0 ? /(4m59s|5m1?s?) behind/ : /(4m59s|5m1?s?) ahead of/);
    await connection(page, 'live');
  });
}

test('clocks that agree are not spoken of', async () => {
  const page = await openOff(0, 'namespaces');
  await row(page, 'kube-system').waitFor();
  assert.equal(await page.getByTestId('connection').getAttribute('data-skew'), '0');
});
