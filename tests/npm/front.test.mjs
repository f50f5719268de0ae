// Attacks on what the launcher serves, on the real cluster: raw sockets, other origins and hosts, other users, killed processes.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { kubectl, uniqueName } from '../browser/cluster.mjs';
import { environment } from '../browser/environment.mjs';
import { end, run } from '../browser/process.mjs';
import { apiOf, connectionsIn, exchange, gone, launched, launcher, person, processesOf, raw, statuses, until } from './launching.mjs';
import { Front } from './node_modules/masthead/dist/launcher/front.js';
import { Page } from './node_modules/masthead/dist/launcher/page.js';
import { KubectlProxy } from './node_modules/masthead/dist/launcher/proxy.js';
import { Codes, ownersIn } from './node_modules/masthead/dist/launcher/session.js';

let running, api, prefix;
before(async () => {
  running = await launched(['--no-open']);
  api = await apiOf(running);
  prefix = new URL(api).pathname;
});
after(async () => {
  await end(running.started);
  await gone(running);
});

/** The answer to a head without a body, on a connection of its own. */
function ask(start, headers = [], host = `127.0.0.1:${running.port}`) {
  return raw(running.port, [start, `Host: ${host}`, 'Connection: close', ...headers, '', ''].join('\r\n'));
}

async function status(...args) {
  return statuses(await ask(...args))[0];
}

test('a foreign Host is refused, for the page and for the API', async () => {
  const { port } = running;
  for (const path of ['/', `${prefix}/version`]) {
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', '127.0.0.1:1', `127.0.0.1.evil:${port}`, '']) {
      assert.equal(await status(`GET ${path} HTTP/1.1`, [], host), 403, `${host} ${path}`);
    }
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LocalHost:${port}`]) {
      assert.equal(await status(`GET ${path} HTTP/1.1`, [], host), 200, `${host} ${path}`);
    }
    assert.equal(await status(`GET ${path} HTTP/1.1`, ['Host: evil.example']), 403, 'a second Host');
    assert.deepEqual(statuses(await raw(port, `GET ${path} HTTP/1.0\r\n\r\n`)), [403], 'no Host');
  }
});

test('below the prefix an Origin is our own or absent, on every request of a connection', async () => {
  const { port, origin } = running;
  const version = `GET ${prefix}/version HTTP/1.1`;
  for (const own of [origin, `http://localhost:${port}`]) assert.equal(await status(version, [`Origin: ${own}`]), 200, own);
  for (const foreign of ['http://evil.example', 'null', '', `https://127.0.0.1:${port}`, 'http://127.0.0.1:1', `${origin}.evil`]) {
    assert.equal(await status(version, [`Origin: ${foreign}`]), 403, foreign);
  }
  assert.equal(await status(version, [`Origin: ${origin}`, 'Origin: http://evil.example']), 403, 'two');
  const head = (headers) => `${version}\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n`;
  assert.deepEqual(statuses(await raw(port, head('') + head(`Origin: ${origin}\r\n`) + head('Origin: http://evil.example\r\n'))), [200, 200, 403]);
  assert.deepEqual(statuses(await raw(port, head('') + head('').replace('127.0.0.1', 'evil.example'))), [200, 403]);
});

test('no target ends it or leaves the page', async () => {
  const odd = ['//', '///', '//evil/', '/.', '/..', '/%', '/%00', '/%ff', `/${'a'.repeat(5000)}`, '/index.html/..'];
  const outside = ['/../package.json', '/%2e%2e/package.json', '/..%2fpackage.json', '/\\..\\package.json', '/x/../../package.json'];
  for (const target of [...odd, ...outside]) assert.equal(await status(`GET ${target} HTTP/1.1`), 404, target);
  for (const target of ['http://evil/', `http://evil${prefix}/version`, '*', `127.0.0.1:${running.port}`]) {
    assert.equal(await status(`GET ${target} HTTP/1.1`), 400, target);
  }
  assert.equal(await status('GET / HTTP/1.1'), 200);
  assert.equal(await status('HEAD /?x=1 HTTP/1.1'), 200);
  assert.equal(await status('POST / HTTP/1.1'), 405);
  assert.equal(await status('CONNECT evil:80 HTTP/1.1'), undefined);
  assert.equal(await status(`GET ${prefix}x/version HTTP/1.1`), 404);
  assert.equal(await status(`GET ${prefix} HTTP/1.1`), 404);
  assert.equal(await status('GET /version HTTP/1.1'), 404);
  assert.deepEqual(statuses(await raw(running.port, 'no http at all\r\n\r\n')), [400]);
  for (const odd of ['\xff', '%', '%00', '//', '?\xff', '/..%2f']) {
    for (const upgrade of [[], ['Upgrade: foo', 'Connection: Upgrade'], ['Upgrade: websocket', 'Connection: Upgrade']]) {
      await ask(`GET ${prefix}/${odd} HTTP/1.1`, upgrade);
    }
  }
  assert.equal(await status('GET / HTTP/1.1'), 200);
  assert.equal(running.started.child.exitCode, null);
});

test('the page refuses frames, and what the API answers is no document', async () => {
  const page = await ask('GET / HTTP/1.1');
  assert.match(page, /^Content-Security-Policy: frame-ancestors 'none'\r$/m);
  assert.match(page, /^X-Content-Type-Options: nosniff\r$/m);
  assert.match(page, /^Referrer-Policy: no-referrer\r$/m);
  const version = await ask(`GET ${prefix}/version HTTP/1.1`);
  assert.match(version, /^Content-Security-Policy: sandbox; frame-ancestors 'none'\r$/m);
  assert.match(version, /^X-Content-Type-Options: nosniff\r$/m);
});

test('a redirect tells no inner address, and stays below the prefix', async () => {
  const answer = await ask(`GET ${prefix}/api/../version?pretty=1 HTTP/1.1`);
  assert.match(answer, /^HTTP\/1\.1 30\d/);
  assert.match(answer, new RegExp(`^Location: ${prefix}/version\\?pretty=1\\r$`, 'm'));
  const away = await ask(`GET ${prefix}/\\evil.example/.. HTTP/1.1`);
  assert.doesNotMatch(away, /^Location: (?!\/k-)/m);
});

test('an Upgrade to anything but a WebSocket is an ordinary request', async () => {
  const upgrade = ['Upgrade: foo', 'Connection: Upgrade'];
  const { port } = running;
  const head = (start, headers) => `${start} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers.join('\r\n')}\r\n\r\n`;
  const last = head('GET /none', ['Connection: close']);
  assert.deepEqual(statuses(await raw(port, head('GET /', upgrade) + last)), [200, 404]);
  assert.deepEqual(statuses(await raw(port, head(`GET ${prefix}/version`, upgrade) + last)), [200, 404]);
  assert.deepEqual(statuses(await raw(port, head(`GET ${prefix}/version`, [...upgrade, 'Origin: http://evil.example']))), [403]);
  assert.deepEqual(statuses(await raw(port, head('GET //', upgrade) + last)), [404, 404]);
  const map = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'upgraded-' } });
  const post = head(`POST ${prefix}/api/v1/namespaces/default/configmaps?dryRun=All`, [
    ...upgrade,
    'Content-Type: application/json',
    `Content-Length: ${map.length}`,
  ]);
  assert.deepEqual(statuses(await raw(port, post + map + last)), [201, 404], 'its body is its body');
  assert.deepEqual(statuses(await raw(port, head('GET /', ['Upgrade: websocket', 'Connection: Upgrade']) + last)), [200, 404]);
});

/** The head that opens a WebSocket. */
function opening(path, headers = []) {
  const key = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
  return [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${running.port}`, ...key, ...headers, '', ''].join('\r\n');
}

test('a WebSocket passes the same checks, and one that the API refuses carries nothing after', async () => {
  const { port, origin } = running;
  const watch = `${prefix}/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1`;
  const events = await raw(port, opening(watch, [`Origin: ${origin}`]));
  assert.deepEqual(statuses(events), [101]);
  assert.match(events, /"type":"ADDED"/, 'kube-root-ca.crt is everywhere');
  assert.deepEqual(statuses(await raw(port, opening(watch, ['Origin: http://evil.example']))), [403]);
  assert.deepEqual(statuses(await raw(port, opening(watch).replace('127.0.0.1', 'evil.example'))), [403]);
  const second = `GET ${prefix}/version HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n\r\n`;
  const refused = await raw(port, opening(`${prefix}/api/v1/none?watch=1`, [`Origin: ${origin}`]) + second);
  assert.deepEqual(statuses(refused), [404]);
});

test('a code is taken once, from the page only', async (t) => {
  const fresh = await launched(['--no-open'], { stdio: ['pipe', 'pipe', 'pipe'] });
  t.after(() => end(fresh.started));
  const { origin, code, port } = fresh;
  assert.equal((await exchange(origin, code, {})).status, 403, 'no Origin');
  assert.equal((await exchange(origin, code, { Origin: 'http://evil.example' })).status, 403);
  for (const wrong of ['', '0'.repeat(32), `${code} `, 'x'.repeat(100_000)]) assert.equal((await exchange(origin, wrong)).status, 403);
  assert.equal((await fetch(`${origin}/masthead/session`, { headers: { Origin: origin } })).status, 405);
  const accepted = await exchange(origin, code);
  assert.equal(accepted.status, 200);
  assert.equal(accepted.headers.get('cache-control'), 'no-store');
  const { api: first } = await accepted.json();
  assert.match(first, /^\/k-[0-9a-f]{32}$/);
  const again = await exchange(origin, code);
  assert.equal(again.status, 410);
  assert.deepEqual(await again.json(), { error: 'this address was used before: press Enter where Masthead runs for a new one' });
  fresh.started.child.stdin.write('\n');
  await until('Enter prints another address', () => fresh.started.stdout.match(/code=[0-9a-f]{32}\n/g).length === 2);
  const [, next] = fresh.started.stdout.match(/(?<=code=)[0-9a-f]{32}/g);
  assert.notEqual(next, code);
  assert.equal(await apiOf({ origin, code: next }), origin + first);
  fresh.started.child.stdin.end();
  assert.deepEqual(statuses(await raw(port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)), [200]);
});

test('codes are forgotten, oldest first', () => {
  const codes = new Codes();
  const all = Array.from({ length: 65 }, () => codes.create());
  assert.equal(codes.use(all[0]), 'unknown');
  assert.equal(codes.use(all[1]), 'accepted');
  assert.equal(codes.use(all[1]), 'used');
});

test('another user of the machine cannot use a code', async (t) => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0100007F:C001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0 20 4 30 10 -1
   1: 0000000000000000FFFF00000100007F:00AB 0000000000000000FFFF00000100007F:1F90 01 0:0 00:0 0  1001        0 2 1`;
  assert.deepEqual(ownersIn(table, 0xc001, 8080), [1000]);
  assert.deepEqual(ownersIn(table, 0xab, 8080), [1001]);
  assert.deepEqual(ownersIn(table, 1, 8080), []);
  if (process.getuid() !== 0) return;
  const fresh = await launched(['--no-open']);
  t.after(() => end(fresh.started));
  const { origin, code } = fresh;
  for (const host of ['127.0.0.1', '::ffff:127.0.0.1']) {
    const program = `
      const socket = require('node:net').connect(${fresh.port}, '${host}');
      socket.write('POST /masthead/session HTTP/1.1\\r\\nHost: 127.0.0.1:${fresh.port}\\r\\nOrigin: ${origin}\\r\\nContent-Length: 32\\r\\n\\r\\n${code}');
      socket.pipe(process.stdout);`;
    const { stdout } = await run(process.execPath, ['--eval', program], { uid: 65534, gid: 65534, cwd: '/' });
    assert.deepEqual(statuses(stdout), [403], host);
    assert.match(stdout, /the user who started/);
  }
  assert.equal((await exchange(origin, code)).status, 200);
});

test('what opens the API is in no argument, no environment and no file of others', async () => {
  const secret = prefix.slice('/k-'.length);
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    for (const file of ['cmdline', 'environ']) {
      const text = await readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '');
      assert.ok(!text.includes(secret), `/proc/${pid}/${file}`);
    }
  }
  const [folder] = await readdir(running.temporary);
  assert.equal((await stat(join(running.temporary, folder))).mode & 0o777, 0o700);
  assert.ok((await stat(join(running.temporary, folder, 'proxy'))).isSocket());
});

test('a slow head, a silent connection and a slow code are closed; a large head is refused', async () => {
  const { port, origin } = running;
  const post = `POST /masthead/session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${origin}\r\nContent-Length: 32\r\n\r\n`;
  const [slow, silent, code] = await Promise.all([raw(port, 'GET / HTTP/1.1\r\nHost:'), raw(port, ''), raw(port, `${post}0`)]);
  assert.deepEqual(statuses(slow), [408]);
  assert.deepEqual(statuses(silent).filter((status) => status !== 408), []);
  assert.deepEqual(statuses(code).filter((status) => status !== 500), []);
  assert.equal(await status('GET / HTTP/1.1', [`X: ${'x'.repeat(100_000)}`]), 431);
});

/** A front of this process before an upstream that answers by `answer` and `upgrade`; both end with the test. */
async function frontBefore(t, answer, upgrade, unreadFor) {
  const upstream = createServer(answer).on('upgrade', upgrade).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  t.after(() => upstream.close() && upstream.closeAllConnections());
  const api = { connection: { host: '127.0.0.1', port: upstream.address().port }, base: '' };
  const front = await Front.start(await Page.read(join(dirname(launcher), '../../page')), 0, api, unreadFor);
  t.after(() => front.stop());
  const { origin, port, hash } = new URL(front.address());
  return { port, path: new URL(await apiOf({ origin, code: hash.slice('#/?code='.length) })).pathname };
}

test('a client that does not read is closed, and a stream that is silent is not', async (t) => {
  const left = [];
  const endless = (socket) => {
    const more = () => socket.destroyed || (socket.write('x'.repeat(65536)) ? setImmediate(more) : socket.once('drain', more));
    left.push(new Promise((resolve) => socket.once('close', resolve)));
    more();
  };
  const answer = (request, response) => {
    response.flushHeaders();
    if (request.url === '/endless') endless(response);
    else setTimeout(() => response.end('later'), 3000);
  };
  const upgrade = (request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.on('error', () => undefined);
    if (request.url === '/endless') endless(socket);
    else setTimeout(() => socket.end('later'), 3000);
  };
  const { port, path } = await frontBefore(t, answer, upgrade, 1000);
  const head = (target, upgrade) => `GET ${path}${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${upgrade}\r\n`;
  const upgrades = ['Connection: close\r\n', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'];
  const silent = upgrades.map((upgrade) => raw(port, head('/silent', upgrade)));
  for (const upgrade of upgrades) {
    const deaf = connect(port, '127.0.0.1').on('error', () => undefined).pause();
    t.after(() => deaf.destroy());
    deaf.write(head('/endless', upgrade));
  }
  await until('both streams began', () => left.length === 2);
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error('it waits for ever')), 20_000).unref());
  await Promise.race([Promise.all(left), late]);
  for (const text of await Promise.all(silent)) assert.match(text, /later/);
});

test('a request that two servers could read differently is one request or none', async (t) => {
  const asked = [];
  const answer = (request, response) => {
    asked.push(request.url);
    request.resume().on('end', () => response.end('seen'));
  };
  const { port, path } = await frontBefore(t, answer, () => undefined);
  const hidden = `GET ${path}/hidden HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
  const length = `Content-Length: ${hidden.length}`;
  for (const [method, headers, body] of [
    ['POST', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`],
    ['POST', ['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${hidden}`],
    ['POST', ['Content-Length: 0', 'Content-Length: 64'], hidden],
    ['POST', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${hidden}`],
    ['POST', ['Transfer-Encoding : chunked'], `0\r\n\r\n${hidden}`],
    ['POST', ['X: a', ' Transfer-Encoding: chunked'], `0\r\n\r\n${hidden}`],
    ['GET', [length, 'Connection: content-length, close'], hidden],
    ['DELETE', [length, 'Connection: content-length, close'], hidden],
    ['GET', ['X\0: a'], hidden],
  ]) {
    const head = [`${method} ${path}/seen HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...headers, '', ''].join('\r\n');
    assert.ok(statuses(await raw(port, head + body)).length <= 1, `${method} ${headers}`);
  }
  assert.deepEqual(asked.filter((url) => url !== '/seen'), []);
  assert.deepEqual(statuses(await raw(port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')), [400]);
});

test('more connections than it takes, and fewer file handles than it needs, end nothing', async (t) => {
  const few = ['sh', '-c', `ulimit -n 48; exec "${process.execPath}" "${launcher}" "$@"`, 'sh'];
  const starved = await launched(['--no-open'], { program: few });
  t.after(() => end(starved.started));
  const starvedApi = await apiOf(starved);
  for (const { port, address } of [{ ...starved, address: starvedApi }, { ...running, address: api }]) {
    const sockets = Array.from({ length: 600 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    await Promise.allSettled([fetch(`${address}/version`), fetch(new URL('/', address))]);
    sockets.forEach((socket) => socket.destroy());
    await until('it answers again', () => fetch(`${address}/version`).then((answer) => answer.ok, () => false));
  }
});

test('a stream comes as it is written, and ends at the API with the browser', async () => {
  const name = uniqueName('streamed');
  const before = await connectionsIn(running.temporary);
  const watch = request(`${api}/api/v1/namespaces/default/configmaps?watch=1&fieldSelector=metadata.name=${name}`).end();
  const [answer] = await once(watch, 'response');
  assert.equal(answer.statusCode, 200, 'the head comes before the first event');
  await kubectl('create', 'configmap', name);
  const [event] = await once(answer, 'data');
  assert.match(String(event), /"type":"ADDED"/);
  assert.equal(await connectionsIn(running.temporary), before + 1);
  answer.on('error', () => undefined);
  watch.destroy();
  await until('the API side closes', async () => (await connectionsIn(running.temporary)) === before);
  await kubectl('delete', 'configmap', name);
});

test('a body goes up in chunks, for every method', async () => {
  const path = `${api}/api/v1/namespaces/default/configmaps`;
  const send = async (method, url, body) => {
    const sent = request(url, { method, headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' } });
    sent.write(body.slice(0, 10));
    sent.end(body.slice(10));
    const [answer] = await once(sent, 'response');
    answer.resume();
    return answer.statusCode;
  };
  const name = uniqueName('chunked');
  const data = { padding: 'x'.repeat(500_000) };
  assert.equal(await send('POST', path, JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })), 201);
  assert.equal(await send('DELETE', `${path}/${name}`, JSON.stringify({ apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] })), 200);
  assert.equal(await send('DELETE', `${path}/${name}`, '{"apiVersion":"v1","kind":"DeleteOptions"}'), 200);
});

test('a kubectl proxy that dies is started again at the same address, and told of once', async (t) => {
  const fresh = await launched(['--no-open']);
  t.after(() => end(fresh.started));
  const freshApi = await apiOf(fresh);
  const isUp = () => fetch(`${freshApi}/version`).then((answer) => answer.ok);
  for (const victim of ['kubectl', 'guard']) {
    const { [victim]: pid, kubectl: old } = await processesOf(fresh);
    process.kill(pid, 'SIGKILL');
    await until(`the old kubectl ends with its ${victim}`, async () => (await processesOf(fresh)).kubectl !== old);
    await until('it answers again', isUp);
  }
  assert.match(fresh.started.stderr, /^kubectl proxy ended \(.+\): it is started again\n/);
  const [folder] = await readdir(fresh.temporary);
  assert.equal((await stat(join(fresh.temporary, folder))).mode & 0o777, 0o700);
});

test('launcher and guard killed at once leave no kubectl', async () => {
  const fresh = await launched(['--no-open']);
  const { guard, kubectl: proxy } = await processesOf(fresh);
  assert.ok(guard && proxy);
  process.kill(guard, 'SIGSTOP');
  await end(fresh.started, 'SIGKILL');
  process.kill(guard, 'SIGKILL');
  await until('kubectl ends', async () => Number.isNaN((await processesOf(fresh)).kubectl));
});

test('where kubectl has no unix sockets it is below a path of its own, which no answer tells', async (t) => {
  process.env.PATH = person().PATH;
  const kubeconfig = environment.kubeconfig('admin');
  const { stdout } = await run(environment.kubectl, ['--kubeconfig', kubeconfig, 'config', 'current-context']);
  const proxy = await KubectlProxy.start(stdout.trim(), { kubeconfig, readOnly: true }, false);
  t.after(() => proxy.stop());
  const front = await Front.start(await Page.read(join(dirname(launcher), '../../page')), 0, proxy);
  t.after(() => front.stop());
  const { origin, hash } = new URL(front.address());
  const address = await apiOf({ origin, code: hash.slice('#/?code='.length) });
  assert.notEqual(new URL(address).pathname, proxy.base);
  assert.equal((await fetch(`${address}/version`)).status, 200);
  assert.equal((await fetch(`${address}/api/v1/namespaces`, { method: 'POST', body: '{}' })).status, 403);
  const { port } = new URL(origin);
  const path = `${new URL(address).pathname}/api/../version`;
  const answer = await raw(port, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
  assert.match(answer, new RegExp(`^Location: ${new URL(address).pathname}/version\\r$`, 'm'));
  assert.ok(!answer.includes(proxy.base));
  assert.equal((await fetch(`http://127.0.0.1:${proxy.connection.port}/version`)).status, 404);
});
