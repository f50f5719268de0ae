import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, readdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { dirname } from 'node:path';
import { test } from 'node:test';

import { proxy } from './cluster.mjs';
import { environment } from './environment.mjs';
import { serve, startServe } from './masthead.mjs';
import { end, printed, run, start } from './process.mjs';
import { until } from './until.mjs';

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

test('a context that kubectl could take for a flag is refused', async () => {
  assert.match(await refused(['--context', '-s=http://127.0.0.1:9']), /begins with a dash/);
  assert.match(await refused(['--context', '--token=x']), /begins with a dash/);
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

test('what another page, name or client sends is refused, on the real cluster', async (t) => {
  const masthead = await serve([], admin());
  t.after(masthead.stop);
  const { origin, port, hash } = new URL(masthead.url);
  const prefix = hash.slice('#/?api='.length);
  const version = `${origin}${prefix}/version`;
  const websocket = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'bWFzdGhlYWQgdGVzdHMgIQ==' };
  const watch = `${origin}${prefix}/api/v1/namespaces?watch=1&timeoutSeconds=5`;
  assert.equal(await status(version, { Origin: origin }), 200);
  assert.equal(await status(watch, { ...websocket, Origin: origin }), 101);
  for (const foreign of ['http://evil.example', 'null', '', 'http://127.0.0.1:1', `https://127.0.0.1:${port}`, `${origin}.evil`]) {
    assert.equal(await status(version, { Origin: foreign }), 403, foreign);
    assert.equal(await status(watch, { ...websocket, Origin: foreign }), 403, foreign);
  }
  for (const Host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1.evil:${port}`]) {
    assert.equal(await status(version, { Host }), 403, Host);
    assert.equal(await status(`${origin}/`, { Host }), 403, Host);
  }
  const head = (headers) => `GET ${prefix}/version HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n`;
  const last = head('Origin: http://evil.example\r\nConnection: close\r\n');
  assert.deepEqual(await statuses(port, head('') + head(`Origin: ${origin}\r\n`) + last), [200, 200, 403]);
  assert.deepEqual(await statuses(port, head('Connection: Upgrade\r\nUpgrade: foo\r\n') + last), [200, 403]);
  const hidden = `GET ${prefix}/hidden HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  const two = await statuses(port, `${head('Content-Length: 4\r\nTransfer-Encoding: chunked\r\n')}0\r\n\r\n${hidden}`);
  assert.ok(two.length <= 1, `${two}`);
  const session = (headers) => fetch(`${origin}/masthead/session`, { method: 'POST', body: '0'.repeat(32), headers });
  for (const headers of [{}, { Origin: 'http://evil.example' }, { Origin: origin }]) assert.equal((await session(headers)).status, 403);
  const moved = await fetch(`${origin}${prefix}/api//v1`, { redirect: 'manual' });
  assert.ok(moved.status < 300 || moved.status >= 400 || moved.headers.get('location').startsWith(`${prefix}/`));
});

/** The statuses of all answers to these bytes, until the connection ends. */
async function statuses(port, text) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (data) => (answer += data)).on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
}

const admin = () => ({ KUBECONFIG: environment.kubeconfig('admin') });

/** The pid of the only child of `serve`. */
async function proxyOf(masthead) {
  const { stdout } = await run('pgrep', ['-P', String(masthead.started.child.pid)]);
  const pids = stdout.trim().split('\n').filter(Boolean).map(Number);
  assert.ok(pids.length <= 1, 'kubectl proxy and nothing else');
  return pids[0];
}

/** What every user of the machine reads of a process: how it was started. */
const readable = async (pid) => `${await readFile(`/proc/${pid}/cmdline`, 'utf8')}`.split('\0');

test('nothing that other users read opens the API', async (t) => {
  const masthead = await serve([], admin());
  t.after(masthead.stop);
  const prefix = new URL(masthead.url).hash.slice('#/?api=/'.length);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    // A process may end while all are read.
    const said = await Promise.all(['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')));
    assert.ok(!said.join().includes(prefix), `process ${pid} tells the prefix`);
  }
  const words = await readable(await proxyOf(masthead));
  const socket = words[words.indexOf('--unix-socket') + 1];
  assert.equal((await stat(dirname(socket))).mode & 0o777, 0o700);
  assert.ok(!words.some((word) => word.startsWith('--port')), words.join(' '));
});

test('a killed serve leaves no kubectl proxy behind', async () => {
  const masthead = await serve([], admin());
  const pid = await proxyOf(masthead);
  await end(masthead.started, 'SIGKILL');
  await until(() => run('kill', ['-0', String(pid)]), ({ code }) => code !== 0);
});

test('a kubectl proxy that ends is started again under the same address', async (t) => {
  const masthead = await serve([], admin());
  t.after(masthead.stop);
  const { origin, hash } = new URL(masthead.url);
  const version = `${origin}${hash.slice('#/?api='.length)}/version`;
  const first = await proxyOf(masthead);
  process.kill(first, 'SIGKILL');
  await until(() => proxyOf(masthead), (pid) => pid !== undefined && pid !== first);
  await until(() => status(version), (code) => code === 200);
});

test('Enter prints another address', async (t) => {
  const path = `${dirname(environment.kubectl)}:${process.env.PATH}`;
  const started = start(environment.xtask, ['serve', '--dist', environment.dist], {
    env: { ...process.env, PATH: path, ...admin() },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  t.after(() => end(started));
  const [, first] = await printed(started, /Masthead is at {2}(\S+)/);
  started.child.stdin.write('\n');
  const [, second] = await printed(started, /Masthead is at {2}\S+[^]*Masthead is at {2}(\S+)/);
  assert.match(second, /#\/\?code=[0-9a-f]{32}$/);
  assert.notEqual(first, second);
});
