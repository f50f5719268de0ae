// `trunk serve` beside a plain `kubectl proxy`: the page and the API on trunk's address, as Trunk.toml has them.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { browsing } from './browsing.mjs';
import { create, kubectl, proxy, uniqueName } from './cluster.mjs';
import { environment } from './environment.mjs';
import { end, start } from './process.mjs';
import { until } from './until.mjs';

describe('the page of `trunk serve`', () => {
  const browser = browsing();
  const root = fileURLToPath(new URL('../..', import.meta.url));
  let upstream, trunk, url, dist;

  before(async () => {
    // The port that Trunk.toml names, and kubectl's default.
    upstream = await proxy('admin', 8001);
    dist = await mkdtemp(join(tmpdir(), 'masthead-trunk-'));
    url = `http://127.0.0.1:${await freePort()}`;
    const flags = ['serve', '--release', '--port', new URL(url).port, '--dist', dist];
    trunk = start('trunk', flags, { cwd: root, env: { ...process.env, PATH: environment.buildPath } });
    const answers = () => fetch(url).then((answer) => answer.ok, () => false);
    await until(async () => trunk.child.exitCode !== null || (await answers()), Boolean, 900);
    assert.equal(trunk.child.exitCode, null, trunk.stderr);
  });
  after(async () => {
    if (trunk) await end(trunk, 'SIGINT');
    if (upstream) await end(upstream.started);
    if (dist) await rm(dist, { recursive: true, force: true });
  });

  test('is live for every kind of the events page, by sockets', async () => {
    const page = await browser.open('about:blank');
    const live = new Set();
    page.on('websocket', (socket) => {
      const { pathname } = new URL(socket.url());
      socket.on('framereceived', () => live.add(pathname));
      socket.on('close', () => live.delete(pathname));
    });
    await page.goto(`${url}/#/events`);
    await page.getByTestId('timeline').waitFor();
    const namespace = uniqueName('trunk');
    await kubectl('create', 'namespace', namespace);
    for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet', 'Job']) await create(workload(kind, namespace));
    // A socket counts once it has carried an event: some servers open what they do not serve.
    await until(() => [...live].sort(), (paths) => WATCHED.every((path) => paths.includes(`/ws${path}`)), 60);
    await page.getByTestId('filter').fill(`ns=${namespace} class=event`);
    await page.getByTestId('timeline-row').first().waitFor();
    assert.deepEqual(page.complaints.filter((text) => !text.includes('WebSocket')), []);
  });
});

/** What the events page and the namespace picker watch. */
const WATCHED = [
  '/api/v1/events',
  '/api/v1/namespaces',
  '/api/v1/pods',
  '/apis/apps/v1/daemonsets',
  '/apis/apps/v1/deployments',
  '/apis/apps/v1/replicasets',
  '/apis/apps/v1/statefulsets',
  '/apis/batch/v1/jobs',
];

function workload(kind, namespace) {
  const labels = { app: kind.toLowerCase() };
  const container = { name: 'main', image: 'main:1' };
  const spec = { template: { metadata: { labels }, spec: { containers: [container] } } };
  const batch = kind === 'Job';
  if (batch) spec.template.spec.restartPolicy = 'Never';
  else spec.selector = { matchLabels: labels };
  return { apiVersion: batch ? 'batch/v1' : 'apps/v1', kind, metadata: { name: labels.app, namespace }, spec };
}

function freePort() {
  return new Promise((resolve) => {
    const holder = createServer().listen(0, '127.0.0.1', () => {
      const { port } = holder.address();
      holder.close(() => resolve(port));
    });
  });
}
