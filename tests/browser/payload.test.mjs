// Objects whose every text is a payload are shown as text, wherever the page shows them.

import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';

import { browsing, realCluster } from './browsing.mjs';
import { kubectl, uniqueName } from './cluster.mjs';
import { environment } from './environment.mjs';
import { cell, row } from './masthead.mjs';

describe('a payload is shown as text', () => {
  const browser = browsing();
  const cluster = realCluster();

  const PAYLOAD = `<img src=x onerror="window.broken=1"><script>window.broken=1</script>"'>{{7*7}}<svg/onload=window.broken=1>`;
  const IMAGE = '<img/src=x/onerror=window.broken=1>:1';

  const namespace = uniqueName('payload');
  const group = `${namespace}.example.com`;
  const meta = (name) => ({ name, namespace, annotations: { 'example.com/note': PAYLOAD } });

  const condition = { type: 'example.com/Odd', status: 'True', reason: PAYLOAD, message: PAYLOAD };

  const objects = {
    configmaps: { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta('text'), data: { key: PAYLOAD } },
    secrets: { apiVersion: 'v1', kind: 'Secret', metadata: meta('text'), stringData: { key: PAYLOAD } },
    pods: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: meta('text'),
      spec: {
        schedulerName: PAYLOAD,
        containers: [{ name: 'main', image: IMAGE, args: [PAYLOAD], command: [PAYLOAD], workingDir: PAYLOAD, env: [{ name: 'X', value: PAYLOAD }] }],
      },
    },
    events: {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: meta('text'),
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'text', namespace },
      type: 'Warning',
      reason: '<img/src/onerror=window.broken=1>',
      message: PAYLOAD,
      source: { component: PAYLOAD, host: PAYLOAD },
      firstTimestamp: new Date().toISOString(),
      lastTimestamp: new Date().toISOString(),
      count: 1,
    },
  };

  const podStatus = {
    status: {
      phase: 'Pending',
      reason: PAYLOAD,
      message: PAYLOAD,
      conditions: [condition],
      containerStatuses: [
        { name: 'main', image: IMAGE, imageID: PAYLOAD, ready: false, restartCount: 1, state: { waiting: { reason: PAYLOAD, message: PAYLOAD } }, lastState: { terminated: { exitCode: 1, reason: PAYLOAD, message: PAYLOAD } } },
      ],
    },
  };

  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `traps.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Trap', plural: 'traps', singular: 'trap' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          additionalPrinterColumns: [{ name: PAYLOAD, type: 'string', jsonPath: '.spec.text' }, { name: 'Status', type: 'string', jsonPath: '.spec.text' }],
        },
      ],
    },
  };

  before(async () => {
    const send = (method, path, body) => cluster.send(undefined, method, path, body);
    await kubectl('create', 'namespace', namespace);
    for (const resource of ['configmaps', 'secrets']) await send('POST', `/api/v1/namespaces/${namespace}/${resource}`, objects[resource]);
    const { metadata } = await send('POST', `/api/v1/namespaces/${namespace}/pods`, objects.pods);
    const involvedObject = { ...objects.events.involvedObject, uid: metadata.uid };
    await send('POST', `/api/v1/namespaces/${namespace}/events`, { ...objects.events, involvedObject });
    await send('PATCH', `/api/v1/namespaces/${namespace}/pods/text/status`, podStatus);
    await send('PATCH', `/api/v1/namespaces/${namespace}`, { metadata: { annotations: { note: PAYLOAD } } });
    await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    await kubectl('wait', '--for=condition=Established', `crd/traps.${group}`);
    await send('POST', `/apis/${group}/v1/namespaces/${namespace}/traps`, { apiVersion: `${group}/v1`, kind: 'Trap', metadata: meta('text'), spec: { text: PAYLOAD } });
  });
  after(async () => {
    await kubectl('delete', 'crd', `traps.${group}`, '--wait=false');
    await kubectl('delete', 'namespace', namespace, '--wait=false');
  });

  /** Nothing of what was shown became part of the page, and nothing of it ran. */
  async function harmless(page) {
    assert.equal(await page.evaluate(() => window.broken), undefined);
    assert.equal(await page.locator('img, body script, [onerror], [onload], iframe').count(), 0);
    assert.deepEqual(page.complaints, []);
  }

  /** Waits until an element shows the payload letter by letter. */
  const shows = (page, testid) => page.getByTestId(testid).filter({ hasText: PAYLOAD }).first().waitFor();

  test('in the table and in every tab of a pod', async () => {
    const page = await cluster.visit(browser, `pods?ns=${namespace}`);
    await row(page, 'text').waitFor();
    assert.equal(await cell(page, 'text', 'status').innerText(), PAYLOAD);
    await page.getByTestId('state').filter({ hasText: PAYLOAD.slice(0, 80) }).click();
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes('onerror'));
    await row(page, 'text').waitFor();
    await harmless(page);
    await page.reload();
    await row(page, 'text').getByRole('link').click();
    await shows(page, 'conditions');
    await shows(page, 'container');
    await shows(page, 'annotations');
    await page.getByTestId('container').filter({ hasText: IMAGE }).waitFor();
    await harmless(page);
    await page.locator('#tab-yaml').click();
    await page.getByTestId('object-text').filter({ hasText: 'onerror="window.broken=1"' }).waitFor();
    await page.locator('#tab-json').click();
    await page.getByTestId('object-text').filter({ hasText: 'onerror=\\"window.broken=1\\"' }).waitFor();
    await page.locator('#tab-events').click();
    await shows(page, 'event');
    await page.locator('#tab-timeline').click();
    await shows(page, 'timeline-row');
    await harmless(page);
  });

  test('in the timeline, its menus and beside the pointer', async () => {
    const page = await cluster.visit(browser, `events?ns=${namespace}`);
    await shows(page, 'timeline-row');
    await page.getByTestId('facet-reason').click();
    await page.getByRole('menuitemcheckbox', { name: '<img/src/onerror=window.broken=1>' }).click();
    await page.waitForFunction(() => location.hash.includes('q=reason'));
    // The menu stays open for more, and lies over the lanes.
    await page.keyboard.press('Escape');
    await shows(page, 'timeline-row');
    const box = await page.getByTestId('timeline-chart').boundingBox();
    await page.mouse.move(box.x + 40, box.y + 40);
    await page.locator('.tl-tip').waitFor();
    await page.keyboard.press('t');
    await shows(page, 'timeline-row');
    await harmless(page);
  });

  test('in the values of a ConfigMap, of a Secret, and in the columns of a kind somebody defined', async () => {
    const page = await cluster.visit(browser, `configmaps?ns=${namespace}&open=${namespace}/text`);
    await shows(page, 'entries');
    await page.goto(cluster.at(`secrets?ns=${namespace}&open=${namespace}/text`));
    await page.getByTestId('ask-secret').click();
    await page.locator('[data-testid=secret-key][data-name=key]').getByRole('button').first().click();
    await shows(page, 'secret-value');
    await harmless(page);
    await page.goto(cluster.at(`traps.${group}?ns=${namespace}`));
    await row(page, 'text').waitFor();
    await page.getByRole('columnheader').filter({ hasText: PAYLOAD.toUpperCase() }).waitFor();
    assert.ok((await row(page, 'text').innerText()).includes(PAYLOAD));
    await page.getByTestId('columns').click();
    await page.getByRole('dialog').getByText(PAYLOAD.toUpperCase()).waitFor();
    await harmless(page);
  });

  test('in the filter, in the palette, in a column that a person adds, and in an address', async () => {
    const payload = encodeURIComponent(PAYLOAD);
    const page = await cluster.visit(browser, `${payload}?ns=${payload}&q=${payload}&sort=${payload}&open=${payload}&tab=${payload}`);
    await page.getByTestId('no-kind').waitFor();
    await harmless(page);
    await page.goto(cluster.at(`configmaps?ns=${namespace}&q=${payload}`));
    await page.getByTestId('filtered').or(page.getByTestId('filter-mistake').filter({ hasText: /./ })).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByTestId('palette-input').fill(PAYLOAD);
    await page.locator('.layer-note').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('filter').fill('');
    await page.getByTestId('columns').click();
    await page.getByTestId('column-source').fill('team');
    await page.getByTestId('column-title').fill(PAYLOAD);
    await page.getByTestId('column-add').click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader').filter({ hasText: PAYLOAD.toUpperCase() }).waitFor();
    await harmless(page);
  });

  test('in a log', async () => {
    await kubectl('run', 'talks', '-n', namespace, '--image=registry.example/web:1');
    await kubectl('wait', '-n', namespace, 'pod/talks', '--for=condition=Ready');
    const page = await cluster.visit(browser, `pods?ns=${namespace}&open=${namespace}/talks&tab=logs`);
    await page.locator('.log-line').first().waitFor();
    await appendFile(environment.podLog, `${new Date().toISOString()} stdout F ${PAYLOAD}\n`);
    await page.locator('.log-line').filter({ hasText: PAYLOAD }).first().waitFor();
    await harmless(page);
  });
});
