// Tables: rows that live, filter, order, namespaces and columns; on the real cluster and on the demo alike.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { browsing, demoCluster, realCluster } from './browsing.mjs';
import { uniqueName } from './cluster.mjs';
import { cell, connection, names, row } from './masthead.mjs';
import { until } from './until.mjs';

describe('tables', () => {
  const browser = browsing();

  const namespaceOf = (name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const configMap = (name, data, labels) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data });

  /** A pod that nobody schedules, with the status that is given to it. */
  const pod = (name, labels, requests) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: { schedulerName: 'nobody', containers: [{ name: 'main', image: `registry.example/${name}:1`, resources: { requests } }] },
  });

  const status = (restarts, finishedSecondsAgo) => ({
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'main',
          image: 'i',
          imageID: '',
          ready: true,
          restartCount: restarts,
          state: { running: {} },
          lastState: { terminated: { exitCode: 1, finishedAt: new Date(Date.now() - finishedSecondsAgo * 1000).toISOString().replace(/\.\d+Z/, 'Z') } },
        },
      ],
    },
  });

  /** Waits until the rows are these, from top to bottom. */
  const rows = (page, expected) => until(() => names(page), (all) => all.join() === expected.join(), 10);

  for (const cluster of [realCluster(), demoCluster()]) {
    describe(cluster.name, () => {
      /** Opens a table with a namespace of its own behind it. */
      async function visitOwn(resource) {
        const namespace = uniqueName('own');
        // Every namespace of the real cluster has a certificate.
        const page = await cluster.visit(browser, `${resource}?ns=${namespace}&q=!kube-root-ca`);
        await connection(page, 'live');
        await cluster.send(page, 'POST', '/api/v1/namespaces', namespaceOf(namespace));
        const path = `/api/v1/namespaces/${namespace}`;
        return { page, namespace, path, send: (...request) => cluster.send(page, ...request) };
      }

      test('rows appear, change and vanish while the page is open', async () => {
        const { page, path, send, namespace } = await visitOwn('configmaps');
        await send('POST', `${path}/configmaps`, configMap('born', { a: '1' }));
        await row(page, 'born').waitFor();
        assert.equal(await cell(page, 'born', 'data').innerText(), '1');
        assert.match(await cell(page, 'born', 'age').innerText(), /^\d+s$/);
        await send('PATCH', `${path}/configmaps/born`, { data: { b: '2', c: '3' } });
        await cell(page, 'born', 'data').filter({ hasText: /^3$/ }).waitFor();
        assert.match(await cell(page, 'born', 'data').getAttribute('data-flash'), /odd|even/, 'a changed cell flashes');
        await send('DELETE', `${path}/configmaps/born`);
        await row(page, 'born').waitFor({ state: 'detached' });
        assert.deepEqual(page.complaints, []);
        await send('DELETE', `/api/v1/namespaces/${namespace}`);
      });

      test('the filter takes text, labels, columns, their opposites and expressions', async () => {
        const { page, path, send, namespace } = await visitOwn('pods');
        const pods = [
          ['api-1', { app: 'api', tier: 'back' }],
          ['api-2', { app: 'api', tier: 'front' }],
          ['web-1', { app: 'web', tier: 'front' }],
        ];
        for (const [name, labels] of pods) await send('POST', `${path}/pods`, pod(name, labels));
        await send('PATCH', `${path}/pods/web-1/status`, status(0, 10));
        await cell(page, 'web-1', 'status').filter({ hasText: 'Running' }).waitFor();
        const cases = [
          ['api', ['api-1', 'api-2']],
          ['!api', ['web-1']],
          ['app=api', ['api-1', 'api-2']],
          ['app=api,tier!=back', ['api-2']],
          ['tier in (front)', ['api-2', 'web-1']],
          ['status=Running', ['web-1']],
          ['status!=Running', ['api-1', 'api-2']],
          ['/-1$/', ['api-1', 'web-1']],
          ['/^api/ tier=front', ['api-2']],
          ['', ['api-1', 'api-2', 'web-1']],
        ];
        for (const [filter, expected] of cases) {
          await page.getByTestId('filter').fill(filter);
          await rows(page, expected);
        }
        await page.getByTestId('filter').fill('app=');
        await page.getByTestId('filter').fill('/[/');
        await page.getByTestId('filter-mistake').filter({ hasText: /./ }).waitFor();
        await page.getByTestId('filter').fill('status=Running');
        await rows(page, ['web-1']);
        await send('PATCH', `${path}/pods/api-1/status`, status(0, 10));
        await rows(page, ['api-1', 'web-1']);
        await send('DELETE', `/api/v1/namespaces/${namespace}`);
      });

      test('a filter by age goes with the time', async () => {
        const { page, path, send, namespace } = await visitOwn('configmaps');
        await page.getByTestId('filter').fill('age<8s');
        await send('POST', `${path}/configmaps`, configMap('young', { a: '1' }));
        await row(page, 'young').waitFor();
        await row(page, 'young').waitFor({ state: 'detached' });
        await page.getByTestId('filter').fill('young age>15s');
        await row(page, 'young').waitFor();
        await send('DELETE', `/api/v1/namespaces/${namespace}`);
      });

      test('sort goes by true values: restarts by number, ages by time, quantities by amount', async () => {
        const { page, path, send, namespace } = await visitOwn('pods');
        const pods = [['one', 10, 2000, '1500m'], ['two', 9, 100, '900m'], ['three', 2, 40_000, '2'], ['four', 0, 0, '50u']];
        for (const [name, restarts, finished, cpu] of pods) {
          await send('POST', `${path}/pods`, pod(name, {}, { cpu }));
          await send('PATCH', `${path}/pods/${name}/status`, status(restarts, finished));
        }
        await cell(page, 'one', 'restarts').filter({ hasText: '10 (33m ago)' }).waitFor();
        const sort = (column) => page.getByRole('columnheader', { name: column }).getByRole('button').click();
        await sort('RESTARTS');
        await rows(page, ['four', 'three', 'two', 'one']);
        await sort('RESTARTS');
        await rows(page, ['one', 'two', 'three', 'four']);
        await sort('AGE');
        // Those of one second stay in the order of their names.
        const made = async () => {
          const { items } = await send('GET', `${path}/pods`);
          const key = ({ metadata }) => `${metadata.creationTimestamp} ${metadata.name}`;
          const newestFirst = (one, other) => other.metadata.creationTimestamp.localeCompare(one.metadata.creationTimestamp) || one.metadata.name.localeCompare(other.metadata.name);
          assert.equal(new Set(items.map(key)).size, pods.length);
          return items.sort(newestFirst).map(({ metadata }) => metadata.name);
        };
        await rows(page, await made());

        await page.getByTestId('columns').click();
        await page.getByRole('button', { name: 'JSONPath' }).click();
        await page.getByTestId('column-source').fill('.spec.containers[0].resources.requests.cpu');
        await page.getByTestId('column-title').fill('cpu');
        await page.getByTestId('column-add').click();
        await page.keyboard.press('Escape');
        await cell(page, 'one', 'cpu').filter({ hasText: '1500m' }).waitFor();
        await sort('CPU');
        await rows(page, ['four', 'two', 'one', 'three']);
        await send('DELETE', `/api/v1/namespaces/${namespace}`);
      });

      test('several namespaces are chosen, each row says whose it is, and a link shows the same', async () => {
        const [one, other, third] = ['one', 'other', 'third'].map(uniqueName);
        const page = await cluster.visit(browser, `configmaps?ns=${one}&q=kept`);
        await connection(page, 'live');
        for (const namespace of [one, other, third]) {
          await cluster.send(page, 'POST', '/api/v1/namespaces', namespaceOf(namespace));
          await cluster.send(page, 'POST', `/api/v1/namespaces/${namespace}/configmaps`, configMap(`kept-${namespace}`, {}));
        }
        await rows(page, [`kept-${one}`]);
        assert.equal(await page.locator('[data-col=namespace]').count(), 0, 'one namespace needs no column');
        await page.getByTestId('namespaces').click();
        await page.getByTestId('namespace-input').fill(other);
        await page.getByRole('dialog').getByRole('checkbox', { name: other }).check();
        await page.keyboard.press('Escape');
        await until(() => names(page), (all) => all.length === 2);
        assert.equal(await cell(page, `kept-${other}`, 'namespace').innerText(), other);
        await page.getByTestId('namespaces').filter({ hasText: `${one}, ${other}` }).waitFor();
        assert.match(page.url(), new RegExp(`ns=${one},${other}`));
        if (cluster.name !== 'the demo') {
          const second = await page.context().newPage();
          await second.goto(page.url());
          await until(() => names(second), (all) => all.length === 2);
        }
        await page.getByTestId('namespaces').click();
        await page.getByRole('dialog').getByRole('checkbox').first().check();
        await page.keyboard.press('Escape');
        await until(() => names(page), (all) => [one, other, third].every((name) => all.includes(`kept-${name}`)));
        for (const namespace of [one, other, third]) await cluster.send(page, 'DELETE', `/api/v1/namespaces/${namespace}`);
      });

      test('a column of a label and one of a path are added, sorted by, filtered by and taken away', async () => {
        const { page, path, send, namespace } = await visitOwn('configmaps');
        await send('POST', `${path}/configmaps`, configMap('nine', { size: '9' }, { team: 'sea' }));
        await send('POST', `${path}/configmaps`, configMap('ten', { size: '10' }, { team: 'air' }));
        await row(page, 'ten').waitFor();
        await page.getByTestId('columns').click();
        await page.getByTestId('column-source').fill('team');
        await page.getByTestId('column-add').click();
        await page.getByRole('button', { name: 'JSONPath' }).click();
        await page.getByTestId('column-source').fill('{.data.size}');
        await page.getByTestId('column-add').click();
        await page.keyboard.press('Escape');
        await cell(page, 'nine', 'team').filter({ hasText: 'sea' }).waitFor();
        await cell(page, 'ten', 'size').filter({ hasText: '10' }).waitFor();
        await page.getByRole('columnheader', { name: 'SIZE' }).getByRole('button').click();
        await rows(page, ['nine', 'ten']);
        await send('PATCH', `${path}/configmaps/nine`, { data: { size: '11' } });
        await rows(page, ['ten', 'nine']);
        await page.getByTestId('filter').fill('team=sea');
        await rows(page, ['nine']);
        await page.getByTestId('columns').click();
        await page.locator('.option', { hasText: 'TEAM' }).getByRole('button').click();
        await page.keyboard.press('Escape');
        await page.getByRole('columnheader', { name: 'TEAM' }).waitFor({ state: 'detached' });
        await send('DELETE', `/api/v1/namespaces/${namespace}`);
      });
    });
  }
});
