import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { kubectl, proxy, uniqueName } from './cluster.mjs';
import { environment } from './environment.mjs';
import { connection, launch, open, row, serve } from './masthead.mjs';
import { end } from './process.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

test('namespaces of the current context appear, change and go while the page is open', async (t) => {
  const masthead = await serve([], { KUBECONFIG: environment.kubeconfig('admin') });
  t.after(masthead.stop);
  const page = await open(browser, masthead.url);
  await connection(page, 'live');
  assert.match(await page.getByTestId('server-version').innerText(), /v1\.36\.3/);
  await row(page, 'kube-system').waitFor();

  const name = uniqueName('appears');
  await kubectl('create', 'namespace', name);
  await row(page, name).waitFor({ timeout: 5000 });
  assert.match(await row(page, name).locator('[data-col=status]').innerText(), /Active/);

  const age = row(page, name).locator('[data-col=age]');
  const first = await age.innerText();
  await page.waitForFunction(
    ([element, text]) => element.innerText !== text,
    [await age.elementHandle(), first],
    { timeout: 5000 },
  );
  assert.match(await age.innerText(), /^\d+s$/);

  await kubectl('delete', 'namespace', name, '--wait=false');
  await row(page, name).waitFor({ state: 'detached', timeout: 30_000 });
  assert.deepEqual(page.complaints, []);
});

test('a namespace that is on its way out says so', async (t) => {
  const masthead = await serve([], { KUBECONFIG: environment.kubeconfig('admin') });
  t.after(masthead.stop);
  const page = await open(browser, masthead.url);
  const name = uniqueName('leaves');
  await kubectl('create', 'namespace', name);
  await kubectl('create', 'configmap', 'held', '--namespace', name);
  await kubectl('patch', 'configmap', 'held', '-n', name, '-p', '{"metadata":{"finalizers":["masthead.test/held"]}}');
  await kubectl('delete', 'namespace', name, '--wait=false');
  await row(page, name).locator('[data-col=status]', { hasText: 'Terminating' }).waitFor({ timeout: 10_000 });
  await kubectl('patch', 'configmap', 'held', '-n', name, '-p', '{"metadata":{"finalizers":null}}');
  await row(page, name).waitFor({ state: 'detached', timeout: 30_000 });
});

test('the way to the API leaves the address bar and is found again by a reload and a second tab', async (t) => {
  const masthead = await serve([], { KUBECONFIG: environment.kubeconfig('admin') });
  t.after(masthead.stop);
  assert.match(masthead.url, /#\/\?api=\/k-[0-9a-f]{32}$/);
  const page = await open(browser, masthead.url);
  await connection(page, 'live');
  assert.doesNotMatch(page.url(), /k-[0-9a-f]{32}/);
  await page.reload();
  await connection(page, 'live');
  const second = await page.context().newPage();
  await second.goto(new URL('/', masthead.url).href);
  await connection(second, 'live');
  await row(second, 'default').waitFor();
});

test('a proxy that dies and comes back: the page says so, recovers by itself and keeps no ghost', async (t) => {
  let upstream = await proxy('admin');
  t.after(() => end(upstream.started));
  const masthead = await serve(['--proxy', upstream.url]);
  t.after(masthead.stop);
  const [kept, ghost] = [uniqueName('kept'), uniqueName('ghost')];
  await kubectl('create', 'namespace', kept);
  await kubectl('create', 'namespace', ghost);
  const page = await open(browser, masthead.url);
  await row(page, ghost).waitFor();

  await end(upstream.started);
  await page.locator('[data-testid=connection]:not([data-state=live])').waitFor({ timeout: 15_000 });
  assert.equal(await row(page, kept).count(), 1, 'rows stay while the connection is away');
  await kubectl('delete', 'namespace', ghost);
  const born = uniqueName('born');
  await kubectl('create', 'namespace', born);

  upstream = await proxy('admin', upstream.port);
  await connection(page, 'live', 60);
  await row(page, ghost).waitFor({ state: 'detached', timeout: 15_000 });
  await row(page, born).waitFor({ timeout: 15_000 });
  await kubectl('delete', 'namespace', kept, born, '--wait=false');
});
