// No input freezes the page: filters from links, large objects, long log lines. Each is bounded in what it puts into the
// page, and the page answers keys meanwhile. Times are printed and are no test.

import assert from 'node:assert/strict';
import { open as openFile, stat, truncate } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';

import { browsing, demoCluster, realCluster } from './browsing.mjs';
import { kubectl, uniqueName } from './cluster.mjs';
import { environment } from './environment.mjs';
import { connection, row } from './masthead.mjs';
import { answersKeys, measured } from './measure.mjs';
import { until } from './until.mjs';

describe('a filter from a link', () => {
  const browser = browsing();
  const demo = demoCluster();

  const refused = [
    ['one regular expression that repeats', '/(?:\\w?){8000}!/', /too large to be tried/],
    ['many that are large together', '!/(?:\\w?){200}!/ '.repeat(60), /too large together/],
    ['a hundred thousand words', 'word '.repeat(100_000), /at most 4096 bytes/],
    ['a hundred terms', 'w '.repeat(100), /at most 64 terms/],
  ];
  for (const [what, filter, sentence] of refused) {
    test(`${what}: refused in words`, async (t) => {
      const page = await demo.visit(browser, 'pods');
      await connection(page, 'live');
      await measured(t, page, what, async () => {
        await page.evaluate((q) => (location.hash = `#/pods?demo=1&q=${encodeURIComponent(q)}`), filter);
        await page.getByTestId('filter-mistake').filter({ hasText: sentence }).waitFor();
      });
      await answersKeys(page);
      assert.deepEqual(page.complaints, []);
    });
  }

  test('the largest that is allowed is tried on every row', async (t) => {
    const page = await demo.visit(browser, 'pods');
    await connection(page, 'live');
    const filters = ['!/(?:\\w?){150}!/', '!/\\w{4}!/ '.repeat(60), '!status=*x*y*z* '.repeat(60)];
    for (const filter of filters) {
      await measured(t, page, filter.slice(0, 20), async () => {
        await page.evaluate((q) => (location.hash = `#/pods?demo=1&q=${encodeURIComponent(q)}`), filter);
        await answersKeys(page);
        await page.locator('[data-testid=panel][aria-busy=false]').waitFor();
      });
      assert.equal(await page.getByTestId('filter-mistake').innerText(), '');
      await page.locator('[data-testid=row]:not([hidden])').first().waitFor();
    }
  });
});

describe('a large object', () => {
  const browser = browsing();
  const real = realCluster();
  const namespace = uniqueName('limits');
  const post = (resource, object) => real.send(undefined, 'POST', `/api/v1/namespaces/${namespace}/${resource}`, object);
  const configMap = (name, more) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...more });

  before(() => kubectl('create', 'namespace', namespace));
  after(() => kubectl('delete', 'namespace', namespace, '--wait=false'));

  /** A page with the row of an object, which a click then opens. */
  async function visitRow(kind, name) {
    const page = await real.visit(browser, `${kind}?ns=${namespace}`);
    await row(page, name).waitFor();
    return page;
  }

  const elements = (page) => page.locator('.drawer').evaluate((drawer) => drawer.querySelectorAll('*').length);

  test('with 60,000 labels opens folded, and more come by a click', async (t) => {
    // Names that are as short as they can be: the server keeps no object beyond a megabyte and a half.
    const labels = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`l${at.toString(36)}`, '']));
    await post('configmaps', configMap('labels', { metadata: { name: 'labels', labels } }));
    const page = await visitRow('configmaps', 'labels');
    const shown = page.getByTestId('labels').locator('li');
    await measured(t, page, '60,000 labels', async () => {
      await row(page, 'labels').getByRole('link').click();
      await page.getByTestId('labels').getByText('50 of 60,000 are shown').waitFor();
    });
    assert.equal(await shown.count(), 50);
    assert.ok((await elements(page)) < 1000, `${await elements(page)} elements`);
    await page.getByTestId('labels').getByTestId('show-more').click();
    await until(() => shown.count(), (count) => count === 250);
    await measured(t, page, 'their YAML', async () => {
      await page.locator('#tab-yaml').click();
      await page.getByText(/1,000 of 60,\d{3} are shown/).waitFor();
    });
    assert.equal(await page.getByTestId('object-text').locator('.line').count(), 1000);
    await answersKeys(page);
    assert.deepEqual(page.complaints, []);
  });

  test('with 5,000 containers opens folded, and each of their logs can be chosen', async (t) => {
    const containers = Array.from({ length: 5000 }, (_, at) => ({ name: `c${at}`, image: 'i' }));
    const spec = { schedulerName: 'nobody', automountServiceAccountToken: false, containers };
    await post('pods', { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'containers' }, spec });
    const page = await visitRow('pods', 'containers');
    await measured(t, page, '5,000 containers', async () => {
      await row(page, 'containers').getByRole('link').click();
      await page.getByTestId('containers').getByText('50 of 5,000 are shown').waitFor();
    });
    assert.equal(await page.getByTestId('container').count(), 50);
    assert.ok((await elements(page)) < 2500, `${await elements(page)} elements`);
    await measured(t, page, 'their logs', async () => {
      await page.locator('#tab-logs').click();
      await page.getByTestId('log-container').waitFor();
    });
    const options = page.getByTestId('log-container').locator('option');
    assert.equal(await options.count(), 200);
    await page.locator('.log-bar').getByText('200 of 5,000 are shown').waitFor();
    await page.locator('.log-bar').getByTestId('show-more').click();
    await page.getByTestId('log-container').selectOption('c399');
    await until(() => page.getByTestId('log-container').inputValue(), (value) => value === 'c399');
    await measured(t, page, 'their YAML', async () => {
      await page.locator('#tab-yaml').click();
      await page.getByText(/1,000 of [\d,]+ are shown/).waitFor();
    });
    await answersKeys(page);
  });

  test('with a value of a megabyte opens with its beginning', async (t) => {
    await post('configmaps', configMap('value', { data: { large: 'x'.repeat(1_000_000) } }));
    const page = await visitRow('configmaps', 'value');
    const entries = page.getByTestId('entries');
    await measured(t, page, 'a value of a megabyte', async () => {
      await row(page, 'value').getByRole('link').click();
      await entries.locator('summary').click();
      await entries.getByText('8,192 of 1,000,000 bytes are shown').waitFor();
    });
    assert.equal((await entries.locator('pre').innerText()).length, 8192);
    await measured(t, page, 'its YAML', async () => {
      await page.locator('#tab-yaml').click();
      await page.getByTestId('object-text').filter({ hasText: 'kind: ConfigMap' }).waitFor();
    });
    assert.ok((await page.getByTestId('object-text').textContent()).length < 10_000);
    await answersKeys(page);
  });
});

describe('a log', () => {
  const browser = browsing();
  const real = realCluster();
  const namespace = uniqueName('lines');
  let size;

  before(async () => {
    size = (await stat(environment.podLog)).size;
    await kubectl('create', 'namespace', namespace);
    await kubectl('run', 'talks', '-n', namespace, '--image=registry.example/web:1');
    await kubectl('wait', '-n', namespace, 'pod/talks', '--for=condition=Ready');
  });
  // All containers of the cluster share one log: it goes back to what it was.
  after(async () => {
    await truncate(environment.podLog, size);
    await kubectl('delete', 'namespace', namespace, '--wait=false');
  });

  const visit = () => real.visit(browser, `pods?ns=${namespace}&open=${namespace}/talks&tab=logs`);
  const stamp = () => `${new Date().toISOString()} stdout F `;

  async function write(...parts) {
    const file = await openFile(environment.podLog, 'a');
    for (const part of parts) await file.write(part);
    await file.close();
  }

  test('with a line of 50 MB shows its last slices, and the lines after it', async (t) => {
    const page = await visit();
    await page.locator('.log-line').first().waitFor();
    const megabyte = 'x'.repeat(1 << 20);
    const next = uniqueName('after');
    await measured(t, page, 'a line of 50 MB', async () => {
      await write(stamp(), ...Array.from({ length: 50 }, () => megabyte), '\n', stamp(), next, '\n');
      await answersKeys(page);
      await page.locator('.log-line').filter({ hasText: next }).waitFor();
    });
    await page.getByTestId('log-lines').getByText(/older lines were let go/).waitFor();
    const lengths = await page.locator('.log-line').evaluateAll((lines) => lines.map((line) => line.innerText.length));
    assert.ok(lengths.length < 100 && Math.max(...lengths) < 4200, `${lengths.length} lines of up to ${Math.max(...lengths)}`);
    assert.deepEqual(page.complaints, []);
  });

  test('of nothing but colours has a bounded number of parts', async (t) => {
    const page = await visit();
    await page.locator('.log-line').first().waitFor();
    const line = () => `${stamp()}${Array.from({ length: 600 }, (_, at) => `\u001b[3${at % 8}my`).join('')}\n`;
    const next = uniqueName('after');
    await measured(t, page, '400 lines of 600 colours', async () => {
      await write(...Array.from({ length: 400 }, line), stamp(), next, '\n');
      await page.locator('.log-line').filter({ hasText: next }).waitFor();
    });
    const lines = page.locator('.log-line').filter({ hasText: 'yyyy' });
    const seen = await lines.evaluateAll((all) => all.map((one) => [one.childElementCount, one.innerText.length]));
    assert.ok(seen.length > 30 && seen.every(([parts]) => parts > 30 && parts <= 45), `${seen}`);
    assert.ok(seen.every(([, letters]) => letters === 600), 'no letter is lost');
    const elements = await page.getByTestId('log-lines').evaluate((element) => element.querySelectorAll('*').length);
    assert.ok(elements < 5000, `${elements} elements`);
    await answersKeys(page);
  });
});
