// `npx masthead` from the tarball, on the real cluster.

import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { environment } from '../browser/environment.mjs';
import { opener } from './node_modules/masthead/dist/launcher/browser.js';
import { kubectl, uniqueName } from '../browser/cluster.mjs';
import { at, connection, launch, open, row } from '../browser/masthead.mjs';
import { end, printed, run, start } from '../browser/process.mjs';

const launcher = fileURLToPath(new URL('node_modules/masthead/dist/launcher/main.js', import.meta.url));

let browser, folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'masthead-launcher-'));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The environment of a person with the cluster's kubectl; `path` stands before it. */
function person(user = 'admin', path = dirname(environment.kubectl)) {
  return { ...process.env, PATH: `${path}:${process.env.PATH}`, KUBECONFIG: environment.kubeconfig(user) };
}

async function launched(flags, options = {}) {
  const started = start(process.execPath, [launcher, ...flags], { env: person(), ...options });
  const [, url] = await printed(started, /Masthead is at {2}(\S+)/);
  return { started, url, api: new URL(url).origin + new URL(url).hash.slice('#/?api='.length) };
}

/** The processes that were started with this in their arguments, ourselves left out. */
async function processesWith(text) {
  const { stdout } = await run('pgrep', ['--full', '--list-full', text]);
  return stdout.split('\n').filter((line) => line && !line.includes('pgrep'));
}

async function gone(text) {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const left = await processesWith(text);
    if (left.length === 0) return;
    assert.ok(Date.now() < deadline, left.join('\n'));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('npx runs it from the tarball; the page is live; Ctrl-C leaves no process', async (t) => {
  const opened = join(folder, 'opened');
  await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" > ${opened}\n`);
  await chmod(join(folder, 'xdg-open'), 0o755);
  const args = ['--yes', '--offline', '--package', process.env.MASTHEAD_TARBALL, 'masthead'];
  const env = { ...person('admin', `${folder}:${dirname(environment.kubectl)}`), npm_config_cache: join(folder, 'cache') };
  // A terminal sends its Ctrl-C to the whole group.
  const started = start('npx', args, { env, cwd: folder, detached: true });
  t.after(() => end(started));
  const [, url] = await printed(started, /Masthead is at {2}(\S+)/);
  const prefix = url.match(/#\/\?api=\/(k-[0-9a-f]{32})$/)[1];
  assert.notDeepEqual(await processesWith(prefix), []);
  const page = await open(browser, at(url, 'pods'));
  await connection(page, 'live');
  const pod = uniqueName('launched');
  await kubectl('run', pod, '--image=registry.k8s.io/pause');
  t.after(() => kubectl('delete', 'pod', pod, '--wait=false'));
  await row(page, pod).filter({ hasText: 'Running' }).waitFor();
  assert.deepEqual(page.complaints, []);
  const { stdout } = await run('cat', [opened]);
  assert.equal(stdout.trim(), url, 'it opened the browser');
  process.kill(-started.child.pid, 'SIGINT');
  await started.ended;
  await gone(prefix);
});

test('it opens the browser of each platform, by a program that no shell comes between', () => {
  const url = 'http://127.0.0.1:1/#/?api=/k-0&x=1';
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

test('a named context is shown, and the end of kubectl is told', async () => {
  const { stdout } = await run(environment.kubectl, ['config', 'current-context'], { env: person() });
  const context = stdout.trim();
  const { started, url, api } = await launched(['--no-open', '--context', context]);
  assert.match(started.stdout, new RegExp(`context ${context}\\b`));
  assert.equal((await fetch(`${api}/version`)).status, 200);
  const prefix = url.match(/k-[0-9a-f]{32}/)[0];
  const [proxy] = (await processesWith(prefix)).filter((line) => !line.includes('guard.js'));
  process.kill(Number(proxy.split(' ')[0]), 'SIGKILL');
  await started.ended;
  assert.equal(started.child.exitCode, 1);
  assert.match(started.stderr, /^error: kubectl proxy ended: .+\n$/);
  await gone(prefix);
});

test('it ends with kill -9 too, and with whoever started it', async () => {
  const killed = await launched(['--no-open']);
  const prefix = (url) => url.match(/k-[0-9a-f]{32}/)[0];
  await end(killed.started, 'SIGKILL');
  await gone(prefix(killed.url));
  const shell = start('sh', ['-c', `${process.execPath} ${launcher} --no-open & wait`], { env: person() });
  const [, url] = await printed(shell, /Masthead is at {2}(\S+)/);
  await end(shell, 'SIGKILL');
  await gone(prefix(url));
});

test('the API is under its prefix only, and read-only refuses whatever changes', async (t) => {
  const free = await launched(['--no-open']);
  t.after(() => end(free.started));
  const read = await launched(['--no-open', '--read-only']);
  t.after(() => end(read.started));
  const maps = '/api/v1/namespaces/default/configmaps';
  const status = async (url, method = 'GET') => (await fetch(url, { method, headers: { 'Content-Type': 'application/json' }, body: method === 'GET' ? undefined : '{}' })).status;
  assert.equal(await status(new URL(free.url).origin + maps), 404);
  assert.equal(await status(free.api + maps), 200);
  assert.equal(await status(free.api + maps, 'POST'), 422, 'the server itself refuses an empty object');
  assert.equal(await status(read.api + maps), 200);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) assert.equal(await status(read.api + maps, method), 403, method);
  assert.equal(await status(`${read.api}/api/v1/namespaces/default/pods/x/proxy/`), 403);
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
  assert.match(await refused(['--prot', '1']), /--prot.*--help/);
  assert.match(await refused(['--port', 'eighty']), /--port takes a number/);
  assert.match(await refused(['--demo', '--read-only']), /neither/);
  const taken = await launched(['--demo', '--no-open']);
  const { port } = new URL(taken.url);
  assert.match(await refused(['--no-open', '--port', port]), /did not start.*address already in use/);
  assert.match(await refused(['--demo', '--no-open', '--port', port]), /EADDRINUSE/);
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
});

test('it is a plugin of kubectl', async () => {
  await symlink(launcher, join(folder, 'kubectl-masthead'));
  const env = person('admin', `${folder}:${dirname(environment.kubectl)}`);
  const { stdout, stderr } = await run(environment.kubectl, ['masthead', '--help'], { env });
  assert.match(stdout, /^kubectl masthead \[--context NAME\]/, stderr);
});
