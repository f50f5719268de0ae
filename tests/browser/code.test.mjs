import assert from 'node:assert/strict';
import { test } from 'node:test';

import { browsing } from './browsing.mjs';
import { kubectl, uniqueName } from './cluster.mjs';
import { environment } from './environment.mjs';
import { connection, row, serveOnce } from './masthead.mjs';
import { run } from './process.mjs';
import { until } from './until.mjs';

const SECRET = /k-[0-9a-f]{32}/;

const browser = browsing();

const serveAdminOnce = () => serveOnce([], { KUBECONFIG: environment.kubeconfig('admin') });

test('the printed address opens the cluster once, and neither history nor timings hold what opens it', async (t) => {
  const masthead = await serveAdminOnce();
  t.after(masthead.stop);
  assert.match(masthead.url, /#\/\?code=[0-9a-f]{32}$/);
  const page = await browser.open(masthead.url);
  await connection(page, 'live');
  assert.doesNotMatch(page.url(), /code=|api=/);
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(performance.getEntries())), SECRET);
  const session = await page.context().newCDPSession(page);
  const history = await session.send('Page.getNavigationHistory');
  assert.doesNotMatch(JSON.stringify(history), SECRET);
  await page.reload();
  await connection(page, 'live');
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(performance.getEntries())), SECRET);
});

test('a second use of an address is refused and said, unless the browser knows the way already', async (t) => {
  const masthead = await serveAdminOnce();
  t.after(masthead.stop);
  const first = await browser.open(masthead.url);
  await connection(first, 'live');
  const stranger = await browser.open(masthead.url);
  const said = stranger.getByTestId('no-server');
  await said.waitFor();
  assert.match(await said.innerText(), /used before[^]*Press Enter/);
  assert.equal(await stranger.evaluate(() => localStorage.getItem('masthead.api')), null);
  const second = await first.context().newPage();
  await second.goto(masthead.url);
  await connection(second, 'live');
});

test('a path that never answered is not remembered', async (t) => {
  const masthead = await serveAdminOnce();
  t.after(masthead.stop);
  const page = await browser.open(masthead.url.replace(/code=.*/, 'api=/k-wrong'));
  await page.getByTestId('no-server').waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem('masthead.api')), null);
});

test('the page is live again by itself after its proxy was killed', async (t) => {
  const masthead = await serveAdminOnce();
  t.after(masthead.stop);
  const page = await browser.open(masthead.url.replace('#/?', '#/configmaps?'));
  await row(page, 'kube-root-ca.crt').first().waitFor();
  const proxies = async () => (await run('pgrep', ['-P', String(masthead.started.child.pid)])).stdout.trim();
  const killed = await proxies();
  process.kill(Number(killed), 'SIGKILL');
  await until(proxies, (pid) => pid !== '' && pid !== killed);
  const name = uniqueName('after');
  await kubectl('create', 'configmap', name, '-n', 'default');
  t.after(() => kubectl('delete', 'configmap', name, '-n', 'default'));
  await row(page, name).waitFor();
  await connection(page, 'live');
});
