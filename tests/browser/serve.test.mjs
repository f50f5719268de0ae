import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';

import { proxy } from './cluster.mjs';
import { environment } from './environment.mjs';
import { serve, startServe } from './masthead.mjs';
import { end, run } from './process.mjs';

/** Runs `serve` with flags that it must refuse, and returns its one sentence. */
async function refused(flags, env) {
  const started = startServe(flags, env);
  const [code] = await started.ended;
  assert.notEqual(code, 0, started.stdout);
  const lines = started.stderr.trim().split('\n');
  assert.equal(lines.length, 1, started.stderr);
  return lines[0];
}

/** The status of a GET with exactly these headers, or of an upgrade. */
function status(url, headers = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true) || socket.destroy());
    socket.on('error', () => resolve(false));
  });

test('a taken port is refused in one sentence', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => holder.once('listening', resolve));
  t.after(() => holder.close());
  const { port } = holder.address();
  assert.match(await refused(['--port', String(port)]), new RegExp(`port ${port} .*--port`));
});

test('a proxy that is not there, and an unknown context, are refused in one sentence', async () => {
  assert.match(await refused(['--proxy', 'http://127.0.0.1:9']), /no Kubernetes API at .*kubectl proxy/);
  assert.match(await refused(['--context', 'absent'], { KUBECONFIG: environment.kubeconfig('admin') }), /absent/);
});

test('a folder that is no build is refused in one sentence', async () => {
  const { code, stderr } = await run(environment.xtask, ['serve', '--dist', '/nonexistent']);
  assert.equal(code, 1);
  assert.match(stderr, /no index\.html/);
});

test('a signal ends serve and the kubectl proxy it started', async () => {
  const masthead = await serve([], { KUBECONFIG: environment.kubeconfig('admin') });
  const children = await run('pgrep', ['-P', String(masthead.started.child.pid)]);
  const pids = children.stdout.trim().split('\n').map(Number);
  assert.equal(pids.length, 1, 'kubectl proxy and nothing else');
  await masthead.stop();
  assert.throws(() => process.kill(pids[0], 0), { code: 'ESRCH' });
  assert.equal(await answers(Number(new URL(masthead.url).port)), false);
});

test('page and API share an origin, the API only below its prefix and only for loopback names', async (t) => {
  const upstream = await proxy('admin');
  t.after(() => end(upstream.started));
  const masthead = await serve(['--proxy', upstream.url]);
  t.after(masthead.stop);
  const { origin, hash } = new URL(masthead.url);
  const api = origin + hash.slice('#/?api='.length);
  const host = new URL(origin).host;
  assert.equal(await status(`${origin}/`), 200);
  assert.equal(await status(`${api}/api/v1/namespaces`), 200);
  assert.equal(await status(`${origin}/api/v1/namespaces`), 404);
  assert.equal(await status(`${origin}/..%2f..%2fetc/passwd`), 404);
  assert.equal(await status(`${api}/version`, { Host: 'elsewhere.example' }), 403);
  const upgrade = {
    Host: host,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'bWFzdGhlYWQgdGVzdHMgIQ==',
    Origin: origin,
  };
  assert.equal(await status(`${api}/api/v1/namespaces?watch=1&timeoutSeconds=5`, upgrade), 101);
});
