import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { kubectl, uniqueName } from './cluster.mjs';
import { at, connection, launch, open, row, serveAdmin } from './masthead.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/** Lets `damage` change the events of a watch on their way to the page. */
async function tamper(page, damage) {
  await page.routeWebSocket(/\/configmaps\?.*watch=/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => socket.send(damage(String(message))));
  });
}

test('a state that cannot be decoded leaves its row, marked, and a deletion that cannot be decoded removes it', async (t) => {
  const masthead = await serveAdmin();
  t.after(masthead.stop);
  const namespace = uniqueName('stale');
  await kubectl('create', 'namespace', namespace);
  t.after(() => kubectl('delete', 'namespace', namespace, '--wait=false'));
  for (const name of ['kept', 'gone']) await kubectl('create', 'configmap', name, '--from-literal=n=1', '-n', namespace);

  const page = await open(browser, 'about:blank');
  // The time at which an object was made is shown in its row: a number there cannot be.
  await tamper(page, (event) => event.replace(/"creationTimestamp":"/, '"creationTimestamp":7,"created":"'));
  await page.goto(at(masthead.url, `configmaps?ns=${namespace}`));
  await connection(page, 'live');
  await row(page, 'kept').waitFor();
  await row(page, 'gone').waitFor();
  // Until the watch is open a change comes with a list.
  await page.waitForTimeout(1000);

  await kubectl('patch', 'configmap', 'kept', '-n', namespace, '--type=merge', '-p', '{"data":{"n":"2","more":"two"}}');
  await row(page, 'kept').and(page.locator('[data-stale]')).waitFor();
  assert.match(await row(page, 'kept').getAttribute('title'), /^Stale: /);
  assert.equal(await row(page, 'gone').getAttribute('data-stale'), null);
  const notice = page.getByTestId('notice').filter({ hasText: `${namespace}/kept` });
  await notice.waitFor();
  assert.match(await notice.innerText(), /1 object is stale.*creationTimestamp/s);

  await row(page, 'kept').dblclick();
  await page.getByTestId('stale').waitFor();
  await page.getByTestId('drawer').getByText('more').first().waitFor();

  await kubectl('delete', 'configmap', 'gone', '-n', namespace);
  await row(page, 'gone').waitFor({ state: 'detached' });
  await kubectl('delete', 'configmap', 'kept', '-n', namespace);
  await row(page, 'kept').waitFor({ state: 'detached' });
  await notice.waitFor({ state: 'detached' });
});
