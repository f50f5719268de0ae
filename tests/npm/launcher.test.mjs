// `npx masthead` from the tarball, on the real cluster.

import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { environment } from '../browser/environment.mjs';
import { opener } from './node_modules/masthead/dist/launcher/browser.js';
import { kubectl, uniqueName } from '../browser/cluster.mjs';
import { at, connection, launch, open, row } from '../browser/masthead.mjs';
import { end, printed, run } from '../browser/process.mjs';
import { apiOf, exchange, gone, launched, launcher, person, processesOf, processesWith, raw, statuses, until } from './launching.mjs';

let browser, folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'masthead-launcher-'));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

test('npx runs it from the tarball; the page is live, also after kubectl died; Ctrl-C leaves no process', async (t) => {
  const opened = join(folder, 'opened');
  await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" > ${opened}\n`);
  await chmod(join(folder, 'xdg-open'), 0o755);
  const args = ['--yes', '--offline', '--package', process.env.MASTHEAD_TARBALL, 'masthead'];
  const env = { ...person('admin', `${folder}:${dirname(environment.kubectl)}`), npm_config_cache: join(folder, 'cache') };
  // A terminal sends its Ctrl-C to the whole group.
  const running = await launched([], { program: ['npx', ...args], env, cwd: folder, detached: true });
  const { started, url, temporary } = running;
  t.after(() => end(started));
  assert.notDeepEqual(await processesWith(temporary), []);
  const page = await open(browser, at(url, 'pods'));
  await connection(page, 'live');
  const pod = uniqueName('launched');
  await kubectl('run', pod, '--image=registry.k8s.io/pause');
  t.after(() => kubectl('delete', 'pod', pod, '--wait=false'));
  await row(page, pod).filter({ hasText: 'Running' }).waitFor();
  assert.deepEqual(page.complaints, []);
  process.kill((await processesOf(running)).kubectl, 'SIGKILL');
  const later = uniqueName('later');
  await kubectl('run', later, '--image=registry.k8s.io/pause');
  t.after(() => kubectl('delete', 'pod', later, '--wait=false'));
  await row(page, later).filter({ hasText: 'Running' }).waitFor();
  await connection(page, 'live');
  const { stdout } = await run('cat', [opened]);
  assert.equal(stdout.trim(), url, 'it opened the browser');
  process.kill(-started.child.pid, 'SIGINT');
  await started.ended;
  await gone(running);
});

test('it opens the browser of each platform, by a program that no shell comes between', () => {
  const url = 'http://127.0.0.1:1/#/?code=0&x=1';
  assert.deepEqual(opener('linux', url), ['xdg-open', url]);
  assert.deepEqual(opener('freebsd', url), ['xdg-open', url]);
  assert.deepEqual(opener('darwin', url), ['open', url]);
  assert.deepEqual(opener('win32', url), ['rundll32', 'url.dll,FileProtocolHandler', url]);
});

test('without a browser to open it serves all the same', async (t) => {
  // Neither kubectl nor a browser is here, and the demo needs none of them.
  const { started, url } = await launched(['--demo'], { env: { ...process.env, PATH: '/nonexistent' } });
  t.after(() => end(started));
  assert.equal((await fetch(new URL(url).origin)).status, 200);
  assert.equal(started.child.exitCode, null);
});

test('a named context and a named kubeconfig are shown', async (t) => {
  const { stdout } = await run(environment.kubectl, ['config', 'current-context'], { env: person() });
  const context = stdout.trim();
  const flags = ['--no-open', '--context', context, '--kubeconfig', environment.kubeconfig('admin')];
  const running = await launched(flags, { env: { ...person(), KUBECONFIG: '/nonexistent' } });
  t.after(() => end(running.started));
  assert.match(running.started.stdout, new RegExp(`context ${context}\\b`));
  assert.equal((await fetch(`${await apiOf(running)}/version`)).status, 200);
});

test('where kubectl has no unix sockets it says so', async (t) => {
  const windows = 'data:text/javascript,Object.defineProperty(process,"platform",{value:"win32"})';
  const running = await launched(['--no-open'], { program: [process.execPath, '--import', windows, launcher] });
  t.after(() => end(running.started));
  assert.match(running.started.stderr, /^warning: kubectl has no unix sockets here: its proxy listens on a loopback port/);
  assert.equal((await fetch(`${await apiOf(running)}/version`)).status, 200);
});

test('sent to the background it goes on, and reads nothing there', async (t) => {
  const shell = await launched([], {
    program: ['script', '--quiet', '--return', '--command', 'bash --norc -i', '/dev/null'],
    stdio: ['pipe', 'pipe', 'pipe'],
    typed: `${process.execPath} ${launcher} --no-open\n`,
  });
  t.after(() => end(shell.started, 'SIGKILL'));
  const type = (text) => shell.started.child.stdin.write(text);
  const [pid] = (await processesWith(`${launcher} --no-open`)).map((line) => Number(line.split(' ')[0])).slice(-1);
  const isStopped = async () => (await readFile(`/proc/${pid}/stat`, 'latin1')).split(') ')[1].startsWith('T');
  type('\x1a');
  await until('Ctrl-Z stops it', isStopped);
  type('bg\n');
  await until('it goes on', async () => !(await isStopped()));
  for (let line = 0; line < 10; line++) {
    type(`echo line-$((${line} + 100))\n`);
    await printed(shell.started, new RegExp(`line-${line + 100}`));
    assert.equal(await isStopped(), false);
  }
  assert.equal((await fetch(shell.origin)).status, 200);
  type('fg\n');
  await until('Enter prints another address', () => {
    type('\n');
    return shell.started.stdout.match(/code=/g).length > 1;
  });
});

test('it ends with SIGTERM and kill -9, and with whoever started it', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    const running = await launched(['--no-open']);
    assert.equal((await readdir(running.temporary)).length, 1);
    await end(running.started, signal);
    await gone(running);
  }
  const child = await launched([], { program: ['sh', '-c', `${process.execPath} ${launcher} --no-open & wait`] });
  await end(child.started, 'SIGKILL');
  await gone(child);
});

test('the API is under its prefix only, and read-only refuses whatever changes', async (t) => {
  const free = await launched(['--no-open']);
  t.after(() => end(free.started));
  const read = await launched(['--no-open', '--read-only']);
  t.after(() => end(read.started));
  const [freeApi, readApi] = [await apiOf(free), await apiOf(read)];
  const maps = '/api/v1/namespaces/default/configmaps';
  const status = async (url, method = 'GET') => (await fetch(url, { method, headers: { 'Content-Type': 'application/json' }, body: method === 'GET' ? undefined : '{}' })).status;
  assert.equal(await status(free.origin + maps), 404);
  assert.equal(await status(freeApi + maps), 200);
  assert.equal(await status(freeApi + maps, 'POST'), 422, 'the server itself refuses an empty object');
  assert.equal(await status(readApi + maps), 200);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) assert.equal(await status(readApi + maps, method), 403, method);
  assert.equal(await status(`${readApi}/api/v1/namespaces/default/pods/x/proxy/`), 403);
  assert.match(read.started.stdout, /changes nothing/);
});

test('what cannot be done is refused in one sentence with a way out', async () => {
  const refused = async (flags, env = person()) => {
    const { code, stderr } = await run(process.execPath, [launcher, ...flags], { env });
    assert.equal(code, 1, stderr);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    return stderr;
  };
  assert.match(await refused([], { ...process.env, PATH: folder }), /kubectl is not on the PATH.*--demo/);
  assert.match(await refused(['--context', 'absent']), /no context absent/);
  assert.match(await refused([], { ...person(), KUBECONFIG: '/nonexistent' }), /no current context.*--demo/);
  for (const option of ['--context', '--kubeconfig']) {
    assert.match(await refused([`${option}=--server=http://evil.example`]), /begins with a dash/);
    assert.match(await refused([option, '-x']), new RegExp(`${option}.*--help`));
    assert.match(await refused([`${option}=`]), /needs a value/);
  }
  assert.match(await refused(['--kubeconfig', '/nonexistent']), /no current context/);
  assert.match(await refused(['--prot', '1']), /--prot.*--help/);
  assert.match(await refused(['--port', 'eighty']), /--port takes a number/);
  assert.match(await refused(['--demo', '--read-only']), /none of/);
  const taken = await launched(['--demo', '--no-open']);
  const { port } = new URL(taken.url);
  assert.match(await refused(['--no-open', '--port', port]), /cannot be had \(EADDRINUSE\).*--port/);
  assert.match(await refused(['--demo', '--no-open', '--port', port]), /cannot be had \(EADDRINUSE\)/);
  await end(taken.started);
});

test('the demo needs no kubectl', async (t) => {
  const { started, url } = await launched(['--demo', '--no-open'], { env: { ...process.env, PATH: folder } });
  t.after(() => end(started));
  const { origin, hash } = new URL(url);
  assert.equal(hash, '#/overview?demo=1');
  const index = await fetch(`${origin}/`);
  assert.match(index.headers.get('content-type'), /^text\/html/);
  const wasm = (await index.text()).match(/[\w.-]+\.wasm/)[0];
  assert.equal((await fetch(`${origin}/${wasm}`)).headers.get('content-type'), 'application/wasm');
  assert.equal((await fetch(`${origin}/../package.json`)).status, 404);
  assert.equal((await fetch(`${origin}/%2e%2e/package.json`)).status, 404);
  const { port } = new URL(url);
  const head = (target, host) => `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  assert.deepEqual(statuses(await raw(port, head('//', `127.0.0.1:${port}`))), [404]);
  assert.deepEqual(statuses(await raw(port, head('/', `evil.example:${port}`))), [403]);
  assert.match(index.headers.get('content-security-policy'), /frame-ancestors 'none'/);
  assert.equal((await exchange(origin, '')).status, 404, 'there is no API');
});

test('it is a plugin of kubectl', async () => {
  await symlink(launcher, join(folder, 'kubectl-masthead'));
  const env = person('admin', `${folder}:${dirname(environment.kubectl)}`);
  const { stdout, stderr } = await run(environment.kubectl, ['masthead', '--help'], { env });
  assert.match(stdout, /^kubectl masthead \[--context NAME\]/, stderr);
});
