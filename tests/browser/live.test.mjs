import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';

import { create, kubectl, proxy, uniqueName } from './cluster.mjs';
import { at, cell, connection, launch, names, open, row, serve, serveAdmin } from './masthead.mjs';
import { end } from './process.mjs';

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());
// A page that is left open goes on working.
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

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
  await page.getByTestId('ask-secret').click();
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

test('a link opened in a new page shows the same view: kind, namespaces, filter, order, object and tab', async (t) => {
  const masthead = await serveAdmin();
  t.after(masthead.stop);
  const spaces = [uniqueName('left'), uniqueName('right')];
  for (const namespace of spaces) {
    await kubectl('create', 'namespace', namespace);
    await kubectl('create', 'configmap', 'shown', '-n', namespace, '--from-literal=a=1');
    await kubectl('create', 'configmap', 'hidden', '-n', namespace);
  }
  const page = await open(browser, at(masthead.url, 'configmaps'));
  await page.getByTestId('namespaces').click();
  for (const namespace of spaces) {
    await page.getByTestId('namespace-input').fill(namespace);
    await page.getByRole('dialog').getByRole('checkbox', { name: namespace }).check();
  }
  await page.keyboard.press('Escape');
  await page.getByTestId('filter').fill('shown data=1');
  const sort = page.getByRole('columnheader', { name: 'NAMESPACE' }).getByRole('button');
  await sort.click();
  await sort.click();
  await row(page, 'shown').nth(1).waitFor();
  await row(page, 'shown').first().getByRole('link').click();
  await page.locator('#tab-yaml').click();
  await page.getByTestId('object-text').filter({ hasText: 'name: shown' }).waitFor();
  await page.keyboard.press('f');
  await page.locator('[data-testid=drawer][data-full]').waitFor();
  await page.waitForFunction(() => location.hash.includes('full=1'));
  const seen = (view) =>
    view.evaluate(() => ({
      text: document.querySelector('[data-testid=object-text]')?.innerText,
      filter: document.querySelector('[data-testid=filter]')?.value,
      scope: document.querySelector('[data-testid=namespaces]')?.innerText,
      sort: document.querySelector('[aria-sort=descending]')?.textContent,
      rows: [...document.querySelectorAll('[data-testid=row]:not([hidden])')].map((element) => element.dataset.namespace).sort(),
      tab: document.querySelector('[role=tab][aria-selected=true]')?.id,
      title: document.querySelector('[data-testid=drawer-name]')?.innerText,
    }));
  const expected = await seen(page);
  assert.deepEqual(expected.rows, [...spaces].sort());
  assert.equal(expected.sort, 'NAMESPACE');
  assert.equal(expected.tab, 'tab-yaml');
  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.locator('[data-testid=drawer][data-full]').waitFor();
  await second.getByTestId('object-text').filter({ hasText: 'name: shown' }).waitFor();
  await second.waitForFunction(() => document.querySelectorAll('[data-testid=row]:not([hidden])').length === 2);
  assert.deepEqual(await seen(second), expected);
  await kubectl('delete', 'namespace', ...spaces, '--wait=false');
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

test('pods that went while the proxy was away are gone when it is back, and the page counts what there is', async (t) => {
  let upstream = await proxy('admin');
  t.after(() => end(upstream.started));
  const masthead = await serve(['--proxy', upstream.url]);
  t.after(masthead.stop);
  const namespace = uniqueName('gap');
  await kubectl('create', 'namespace', namespace);
  await kubectl('create', 'deployment', 'web', '-n', namespace, '--image=registry.example/web:1', '--replicas=4');
  const page = await open(browser, at(masthead.url, `pods?ns=${namespace}`));
  const count = (number) => page.getByTestId('count').filter({ hasText: new RegExp(`^${number}$`) }).waitFor({ timeout: 60_000 });
  await count(4);
  await connection(page, 'live');
  const before = await names(page);

  await end(upstream.started);
  await connection(page, 'reconnecting', 15);
  await kubectl('scale', 'deployment', 'web', '-n', namespace, '--replicas=0');
  await kubectl('wait', 'pods', '--all', '-n', namespace, '--for=delete', '--timeout=60s');
  await kubectl('scale', 'deployment', 'web', '-n', namespace, '--replicas=1');
  assert.deepEqual(await names(page), before, 'what is known stays on screen');
  assert.match(await page.locator('[data-testid=connection] .since').innerText(), /^\d+s/, 'with its age');

  upstream = await proxy('admin', upstream.port);
  await connection(page, 'live', 60);
  await count(1);
  const now = await names(page);
  assert.ok(now.every((name) => !before.includes(name)), `${now} and before ${before}`);
  await kubectl('delete', 'namespace', namespace, '--wait=false');
});
