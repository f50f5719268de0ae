import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { create, kubectl, proxy, uniqueName } from './cluster.mjs';
import { at, cell, connection, launch, names, open, row, serve, serveAdmin } from './masthead.mjs';
import { end } from './process.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

test('objects appear, change and go while the page is open', async (t) => {
  const masthead = await serveAdmin();
  t.after(masthead.stop);
  const page = await open(browser, at(masthead.url, 'namespaces'));
  await connection(page, 'live');
  assert.match(await page.getByTestId('server-version').innerText(), /v1\.36\.3/);
  await row(page, 'kube-system').waitFor();

  const name = uniqueName('appears');
  await kubectl('create', 'namespace', name);
  await row(page, name).waitFor({ timeout: 5000 });
  assert.match(await cell(page, name, 'status').innerText(), /Active/);

  const age = cell(page, name, 'age');
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

test('a cell follows its object, in the namespaces that are chosen and no others', async (t) => {
  const masthead = await serveAdmin();
  t.after(masthead.stop);
  const [here, there] = [uniqueName('here'), uniqueName('there')];
  for (const namespace of [here, there]) {
    await kubectl('create', 'namespace', namespace);
    await kubectl('create', 'configmap', `of-${namespace}`, '-n', namespace, '--from-literal=a=1');
  }
  const page = await open(browser, at(masthead.url, `configmaps?ns=${here}`));
  const name = `of-${here}`;
  await row(page, name).waitFor();
  assert.equal(await cell(page, name, 'data').innerText(), '1');
  assert.equal(await page.locator('[data-col=namespace]').count(), 0, 'one namespace needs no column');
  assert.equal(await row(page, `of-${there}`).count(), 0);

  await kubectl('patch', 'configmap', name, '-n', here, '-p', '{"data":{"b":"2"}}');
  await cell(page, name, 'data').filter({ hasText: '2' }).waitFor({ timeout: 5000 });
  assert.match((await cell(page, name, 'data').getAttribute('data-flash')) ?? '', /odd|even/, 'a changed cell flashes');

  await page.getByTestId('namespaces').click();
  await page.getByTestId('namespace-input').fill(there);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await row(page, `of-${there}`).waitFor();
  assert.ok((await names(page)).includes(name));
  assert.match(page.url(), new RegExp(`ns=${here},${there}`));

  const second = await page.context().newPage();
  await second.goto(page.url());
  await row(second, `of-${there}`).waitFor();
  assert.deepEqual(await names(second), await names(page), 'a link shows the same view');
  await kubectl('delete', 'namespace', here, there, '--wait=false');
});

test('a kind that is defined while the page is open appears, and its table says when it is gone', async (t) => {
  const masthead = await serveAdmin();
  t.after(masthead.stop);
  const page = await open(browser, at(masthead.url, 'pods'));
  await connection(page, 'live');
  const group = `${uniqueName('group')}.example.com`;
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `rockets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Rocket', plural: 'rockets', singular: 'rocket' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          additionalPrinterColumns: [
            { name: 'Fuel', type: 'integer', jsonPath: '.spec.fuel' },
            { name: 'Crew', type: 'string', jsonPath: '.spec.crew', priority: 1 },
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
        },
      ],
    },
  };
  await create(definition);
  const link = page.getByRole('link', { name: 'Rockets' });
  await link.waitFor({ timeout: 30_000 });
  await link.click();
  await page.getByTestId('empty').waitFor();
  const rocket = (name, fuel) => ({
    apiVersion: `${group}/v1`,
    kind: 'Rocket',
    metadata: { name, namespace: 'default' },
    spec: { fuel, crew: 'two' },
  });
  for (const [name, fuel] of [['nine', 9], ['ten', 10], ['two', 2]]) await create(rocket(name, fuel));
  await row(page, 'two').waitFor();
  assert.equal(await cell(page, 'ten', 'fuel').innerText(), '10');
  assert.equal(await page.getByRole('columnheader', { name: 'CREW' }).count(), 0, 'a wide column is off at first');
  await page.getByRole('columnheader', { name: 'FUEL' }).getByRole('button').click();
  await page.waitForFunction(() => location.hash.includes('sort=fuel'));
  await page.waitForFunction(() => {
    const rows = [...document.querySelectorAll('[data-testid=row]:not([hidden])')];
    rows.sort((one, other) => one.getAttribute('aria-rowindex') - other.getAttribute('aria-rowindex'));
    return rows.map((element) => element.dataset.name).join() === 'two,nine,ten';
  });

  await kubectl('delete', 'crd', `rockets.${group}`);
  await page.getByTestId('no-kind').waitFor({ timeout: 60_000 });
});

test('the values of a Secret leave the server only when somebody asks for them', async (t) => {
  const masthead = await serveAdmin();
  t.after(masthead.stop);
  const namespace = uniqueName('secrets');
  await kubectl('create', 'namespace', namespace);
  await kubectl('create', 'secret', 'generic', 'safe', '-n', namespace, '--from-literal=key=hunter2');
  const value = Buffer.from('hunter2').toString('base64');
  const page = await open(browser, 'about:blank');
  const bodies = [];
  page.on('response', async (response) => bodies.push(await response.text().catch(() => '')));
  await page.goto(at(masthead.url, `secrets?ns=${namespace}`));
  await row(page, 'safe').waitFor();
  assert.ok(!bodies.some((body) => body.includes(value)), 'a list has no values');
  await row(page, 'safe').getByRole('link').click();
  const key = page.locator('[data-testid=secret-key][data-name=key]');
  await key.waitFor();
  assert.doesNotMatch(await page.content(), /hunter2/, 'values are masked key by key');
  await key.getByRole('button').first().click();
  await key.getByTestId('secret-value').filter({ hasText: 'hunter2' }).waitFor();
  await key.getByRole('button').first().click();
  assert.doesNotMatch(await page.content(), /hunter2/);
  await page.locator('#tab-yaml').click();
  await page.getByTestId('reveal').waitFor();
  assert.ok(!(await page.content()).includes(value));
  await page.getByTestId('reveal').click();
  await page.getByTestId('object-text').filter({ hasText: value }).waitFor();
  assert.ok(!page.url().includes(value));
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  assert.ok(!kept.includes(value));
  await kubectl('delete', 'namespace', namespace, '--wait=false');
});

test('an object whose every text is a payload is shown as text', async (t) => {
  const masthead = await serveAdmin();
  t.after(masthead.stop);
  const namespace = uniqueName('payload');
  const payload = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>';
  await kubectl('create', 'namespace', namespace);
  await kubectl('create', 'configmap', 'xss', '-n', namespace, `--from-literal=k=${payload}`);
  await kubectl('annotate', 'configmap', 'xss', '-n', namespace, `note=${payload}`);
  const page = await open(browser, at(masthead.url, `configmaps?ns=${namespace}&q=${encodeURIComponent(payload)}`));
  await page.getByTestId('filtered').or(page.getByTestId('filter-mistake').filter({ hasText: /./ })).first().waitFor();
  await page.getByTestId('filter').fill('');
  await row(page, 'xss').getByRole('link').click();
  await page.getByTestId('entries').filter({ hasText: payload }).waitFor();
  await page.getByTestId('annotations').filter({ hasText: payload }).waitFor();
  assert.equal(await page.locator('main img').count(), 0, 'nothing that is told becomes markup');
  await page.locator('#tab-yaml').click();
  await page.getByTestId('object-text').filter({ hasText: 'onerror' }).waitFor();
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal(await page.locator('main img').count(), 0);
  await kubectl('delete', 'namespace', namespace, '--wait=false');
});

test('the way to the API leaves the address bar and is found again by a reload and a second tab', async (t) => {
  const masthead = await serveAdmin();
  t.after(masthead.stop);
  assert.match(masthead.url, /#\/\?api=\/k-[0-9a-f]{32}$/);
  const page = await open(browser, at(masthead.url, 'namespaces'));
  await connection(page, 'live');
  assert.doesNotMatch(page.url(), /k-[0-9a-f]{32}/);
  await page.reload();
  await connection(page, 'live');
  const second = await page.context().newPage();
  await second.goto(new URL('/#/namespaces', masthead.url).href);
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
  const page = await open(browser, at(masthead.url, 'namespaces'));
  await row(page, ghost).waitFor();

  await end(upstream.started);
  await connection(page, 'reconnecting', 15);
  await connection(page, 'stale', 15);
  await page.getByTestId('notice').first().waitFor();
  assert.equal(await row(page, kept).count(), 1, 'rows stay while the connection is away');
  await kubectl('delete', 'namespace', ghost);
  const born = uniqueName('born');
  await kubectl('create', 'namespace', born);

  upstream = await proxy('admin', upstream.port);
  await connection(page, 'live', 60);
  await row(page, ghost).waitFor({ state: 'detached', timeout: 30_000 });
  await row(page, born).waitFor({ timeout: 30_000 });
  await page.getByTestId('notice').first().waitFor({ state: 'detached', timeout: 10_000 });
  await kubectl('delete', 'namespace', kept, born, '--wait=false');
});
