// The drawer: what an object is told to be, where its links lead, and its text.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { browsing, demoCluster, realCluster } from './browsing.mjs';
import { kubectl, uniqueName } from './cluster.mjs';
import { row } from './masthead.mjs';

describe('the drawer', () => {
  const browser = browsing();
  const real = realCluster();
  const demo = demoCluster();

  const namespace = uniqueName('drawer');
  let pod;
  before(async () => {
    await kubectl('create', 'namespace', namespace);
    await kubectl('create', 'deployment', 'web', '-n', namespace, '--image=registry.example/web:1', '--replicas=2');
    await kubectl('expose', 'deployment', 'web', '-n', namespace, '--port=80');
    await kubectl('wait', 'deployment/web', '-n', namespace, '--for=condition=Available');
    pod = (await kubectl('get', 'pods', '-n', namespace, '-o', 'name')).split('\n')[0].replace('pod/', '');
  });
  after(() => kubectl('delete', 'namespace', namespace, '--wait=false'));

  test('a chain of owners leads from a pod to its Deployment, whose pods lead back', async () => {
    const page = await real.visit(browser, `pods?ns=${namespace}&open=${namespace}/${pod}`);
    const owners = page.getByTestId('owners').getByRole('link');
    await owners.nth(1).waitFor();
    assert.deepEqual((await owners.allInnerTexts()).map((text) => text.split(' ')[0]), ['Deployment', 'ReplicaSet']);
    await page.getByTestId('container').filter({ hasText: 'registry.example/web:1' }).waitFor();
    await page.getByTestId('conditions').filter({ hasText: 'ContainersReady' }).waitFor();
    await owners.first().click();
    await page.waitForFunction(() => location.hash.startsWith('#/deployments.apps'));
    await page.getByTestId('drawer-name').filter({ hasText: /^web$/ }).waitFor();
    await page.getByTestId('conditions').filter({ hasText: 'MinimumReplicasAvailable' }).waitFor();
    const relative = page.locator(`[data-testid=relative][data-name="${pod}"]`);
    await relative.getByRole('link').click();
    await page.getByTestId('drawer-name').filter({ hasText: pod }).waitFor();
    assert.deepEqual(page.complaints, []);
  });

  test('the selector of a Service resolves to its pods, as they come and go', async () => {
    const page = await real.visit(browser, `services?ns=${namespace}&open=${namespace}/web`);
    const pods = page.getByTestId('relation').filter({ hasText: 'READY' }).getByTestId('relative');
    await pods.nth(1).waitFor();
    await kubectl('scale', 'deployment', 'web', '-n', namespace, '--replicas=3');
    await pods.nth(2).waitFor();
    await kubectl('scale', 'deployment', 'web', '-n', namespace, '--replicas=2');
    await pods.nth(2).waitFor({ state: 'detached' });
  });

  test('the text of an object is highlighted, folds who manages which field, and is copied as it is', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await real.visit(browser, `pods?ns=${namespace}&open=${namespace}/${pod}&tab=yaml`, { permissions });
    const text = page.getByTestId('object-text');
    await text.filter({ hasText: pod }).waitFor();
    const yaml = await text.innerText();
    assert.match(yaml, /^apiVersion: v1\nkind: Pod\nmetadata:\n/);
    assert.doesNotMatch(yaml, /f:metadata|fieldsType/);
    assert.ok((await text.locator('.yaml-key').count()) > 20);
    await page.getByTestId('copy-object').click();
    await page.getByTestId('copy-object').filter({ hasText: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, new RegExp(`^apiVersion: v1\\nkind: Pod\\n[^]*\\n  name: ${pod}\\n`));
    await page.locator('#tab-json').click();
    await page.getByTestId('object-text').filter({ hasText: '"kind": "Pod"' }).waitFor();
    // Lines that nobody has scrolled to have no inner text.
    const lines = await page.getByTestId('object-text').locator('.line').allTextContents();
    const object = JSON.parse(lines.join('\n'));
    assert.equal(object.metadata.name, pod);
  });

  test('what happened to an object is in its own tabs', async () => {
    const page = await real.visit(browser, `pods?ns=${namespace}&open=${namespace}/${pod}&tab=events`);
    await page.locator('[data-testid=event][data-reason=Scheduled]').waitFor();
    await page.locator('#tab-timeline').click();
    await page.getByTestId('timeline-slice').getByTestId('timeline-row').filter({ hasText: 'Scheduled' }).waitFor();
  });

  test('an object that is deleted while it is open says so', async () => {
    await kubectl('create', 'configmap', 'short', '-n', namespace, '--from-literal=a=1');
    const page = await real.visit(browser, `configmaps?ns=${namespace}&open=${namespace}/short`);
    await page.getByTestId('entries').waitFor();
    await kubectl('delete', 'configmap', 'short', '-n', namespace);
    await page.getByTestId('object-gone').waitFor();
    await row(page, 'short').waitFor({ state: 'detached' });
  });

  test('on the demo every kind opens, with each of its tabs', async () => {
    const page = await demo.visit(browser, 'pods');
    await page.locator('[data-testid=row]:not([hidden])').first().waitFor();
    const kinds = await page.locator('.rail a[href*="#/"]').evaluateAll((links) =>
      links.map((link) => link.getAttribute('href').match(/#\/([^?]*)/)[1]).filter((id) => !['overview', 'events'].includes(id)),
    );
    assert.ok(kinds.length > 30, `${kinds.length} kinds`);
    for (const kind of kinds) {
      await page.evaluate((id) => (location.hash = `#/${id}?demo=1`), kind);
      const shown = page.locator('[data-testid=row]:not([hidden])').first();
      await shown.or(page.getByTestId('empty')).first().waitFor();
      if (!(await shown.isVisible())) continue;
      await shown.getByRole('link').click();
      await page.getByTestId('object-overview').waitFor({ state: 'attached' });
      await page.locator('#tab-yaml').click();
      await page.getByTestId('object-text').filter({ hasText: 'kind: ' }).waitFor();
    }
    assert.deepEqual(page.complaints, []);
  });
});
