// What an object has to do with others, and how often the page asks for it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { create, kubectl, uniqueName } from './cluster.mjs';
import { at, launch, open, row, serveAdmin } from './masthead.mjs';

const shop = uniqueName('related');
const labels = { app: 'web' };

/** A Deployment that reads all of a ConfigMap into its environment. */
const deployment = (name, configMap) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: shop },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image: 'web:1', envFrom: [{ configMapRef: { name: configMap } }] }] },
    },
  },
});

let browser, masthead;
before(async () => {
  browser = await launch();
  masthead = await serveAdmin();
  const named = (apiVersion, kind, name, rest) => create({ apiVersion, kind, metadata: { name, namespace: shop }, ...rest });
  await kubectl('create', 'namespace', shop);
  await named('v1', 'ConfigMap', 'settings', { data: { a: '1' } });
  await named('v1', 'ConfigMap', 'web', { data: { a: '1' } });
  await named('v1', 'Service', 'front', { spec: { selector: labels, ports: [{ port: 80 }] } });
  await create(deployment('web', 'settings'));
});
after(async () => {
  await browser?.close();
  await masthead?.stop();
  await kubectl('delete', 'namespace', shop, '--wait=false');
});

const related = (kind, name) => at(masthead.url, `${kind}?ns=${shop}&open=${shop}/${name}&tab=related`);
const section = (page, title) =>
  page.getByTestId('relation').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

test('a config map knows who uses it, as that changes', async () => {
  const page = await open(browser, related('configmaps', 'settings'));
  const users = section(page, 'Used by Deployments');
  await users.getByRole('link', { name: 'web', exact: true }).waitFor();
  await section(page, 'Used by Pods').getByTestId('relative').first().waitFor();
  await create(deployment('late', 'settings'));
  await users.getByRole('link', { name: 'late', exact: true }).waitFor();
  await kubectl('-n', shop, 'delete', 'deployment', 'late');
  await users.getByRole('link', { name: 'late', exact: true }).waitFor({ state: 'detached' });
  assert.deepEqual(page.complaints, []);
});

test('a name in another place is no reference', async () => {
  const page = await open(browser, related('configmaps', 'web'));
  await page.getByTestId('usage-note').filter({ hasText: 'Nothing else refers to it.' }).waitFor();
  assert.equal(await page.getByTestId('relation').count(), 0);
});

test('a workload is selected by its service, owns its pods, and says what it uses', async () => {
  const page = await open(browser, related('deployments.apps', 'web'));
  await section(page, 'Selected by Services').getByRole('link', { name: 'front' }).waitFor();
  await section(page, 'Pods').getByTestId('relative').first().waitFor();
  await page.getByTestId('uses').getByRole('link', { name: 'ConfigMap settings' }).click();
  await page.getByTestId('drawer-name').filter({ hasText: 'settings' }).waitFor();
});

test('timeline and tables ask for a kind once', async () => {
  const page = await open(browser, 'about:blank');
  const lists = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const first = !searchParams.has('watch') && !searchParams.has('continue');
    if (first && /\/(pods|events|deployments)$/.test(pathname)) lists.push(pathname.split('/').at(-1));
  });
  await page.goto(at(masthead.url, `events?ns=${shop}`));
  await page.getByTestId('timeline').waitFor();
  await page.getByRole('link', { name: /^Pods\s*\d/ }).waitFor();
  const go = (route) => page.evaluate((hash) => void (location.hash = hash), `#/${route}`);
  await go(`deployments.apps?ns=${shop}`);
  await row(page, 'web').waitFor();
  await go(`pods?ns=${shop}&open=${shop}/none&tab=timeline`);
  await page.locator('[data-testid=row]').first().waitFor();
  await page.getByTestId('timeline-slice').waitFor();
  assert.deepEqual(lists.sort(), ['deployments', 'events', 'pods']);
});
