// Secrets: no link brings a value into the page, and neither do copies of it in annotations.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { browsing, realCluster } from './browsing.mjs';
import { kubectl, uniqueName } from './cluster.mjs';
import { row } from './masthead.mjs';
import { until } from './until.mjs';

describe('a Secret', () => {
  const browser = browsing();
  const real = realCluster();
  const namespace = uniqueName('secrets');
  const VALUE = 'hunter2-and-more';
  const encoded = Buffer.from(VALUE).toString('base64');
  const copy = JSON.stringify({ kind: 'Secret', data: { key: encoded } });
  const copies = ['kapp.k14s.io/original', 'kubectl.kubernetes.io/last-applied-configuration', 'example.com/note'];

  before(async () => {
    await kubectl('create', 'namespace', namespace);
    const more = Array.from({ length: 57 }, (_, at) => `more-${String(at).padStart(2, '0')}`);
    const annotations = Object.fromEntries([...copies, ...more].map((key) => [key, copy]));
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'safe', annotations }, stringData: { key: VALUE } };
    await real.send(undefined, 'POST', `/api/v1/namespaces/${namespace}/secrets`, secret);
  });
  after(() => kubectl('delete', 'namespace', namespace, '--wait=false'));

  /** Opens a view, and keeps every address that the page asks for and every byte that it is answered. */
  async function visit(route) {
    const page = await browser.open('about:blank');
    const heard = { paths: [], bodies: [] };
    page.on('request', (request) => heard.paths.push(new URL(request.url()).pathname));
    page.on('response', async (response) => heard.bodies.push(await response.text().catch(() => '')));
    page.on('websocket', (socket) => {
      heard.paths.push(new URL(socket.url()).pathname);
      socket.on('framereceived', ({ payload }) => heard.bodies.push(String(payload)));
    });
    await page.goto(real.at(route));
    return { page, heard };
  }

  const asks = (heard) => heard.paths.filter((path) => path.endsWith(`/secrets/safe`)).length;
  const tells = (text) => text.includes(VALUE) || text.includes(encoded);

  for (const tab of ['overview', 'yaml', 'json', 'events', 'related', 'timeline']) {
    test(`opened by a link to ${tab}, is not asked for`, async () => {
      const { page, heard } = await visit(`secrets?ns=${namespace}&open=${namespace}/safe&tab=${tab}`);
      await row(page, 'safe').waitFor();
      await page.locator(`[role=tabpanel][data-tab=${tab}]`).waitFor();
      if (tab === 'overview') await page.getByTestId('ask-secret').waitFor();
      if (tab === 'yaml' || tab === 'json') await page.getByTestId('object-text').filter({ hasText: '••••' }).waitFor();
      await page.locator('#tab-overview').click();
      await page.getByTestId('masked').first().waitFor();
      assert.equal(asks(heard), 0, heard.paths.join('\n'));
      // Lists carry annotations, and so the copies in them; the page keeps none of it.
      assert.ok(!tells(await page.content()));
      assert.ok(!tells(await page.evaluate(() => JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }))));
    });
  }

  test('has its annotations masked and counted, until a person shows one', async () => {
    const { page, heard } = await visit(`secrets?ns=${namespace}&open=${namespace}/safe`);
    const masked = page.getByTestId('masked');
    const annotations = page.getByTestId('annotations');
    await annotations.getByText('50 of 59 are shown').waitFor();
    assert.equal(await masked.count(), 50);
    await annotations.getByTestId('show-more').click();
    await until(() => masked.count(), (count) => count === 59);
    await page.getByTestId('ask-secret').click();
    const original = annotations.locator('[data-testid=secret-key][data-name="kapp.k14s.io/original"]');
    await original.waitFor();
    assert.equal(asks(heard), 1);
    assert.ok(!tells(await page.content()), 'each is masked until it is shown');
    await original.getByRole('button').first().click();
    await annotations.getByTestId('secret-value').filter({ hasText: encoded }).waitFor();
    assert.equal(await masked.count(), 0);
    await original.getByRole('button').first().click();
    assert.ok(!tells(await page.content()));
  });
});
