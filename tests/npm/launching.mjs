// The launcher of the tarball as a person starts it, and what can be seen of it from outside.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { environment } from '../browser/environment.mjs';
import { printed, run, start } from '../browser/process.mjs';

export const launcher = fileURLToPath(new URL('node_modules/masthead/dist/launcher/main.js', import.meta.url));

/** The environment of a person with the cluster's kubectl; `path` stands before it. */
export function person(user = 'admin', path = dirname(environment.kubectl)) {
  return { ...process.env, PATH: `${path}:${process.env.PATH}`, KUBECONFIG: environment.kubeconfig(user) };
}

const folders = new Set();
process.once('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/**
 * Starts the launcher, or a program that starts it when `typed` is typed. Its temporary files are in a folder of their own,
 * which the arguments of kubectl name.
 */
export async function launched(flags, { env = person(), program = [process.execPath, launcher], typed, ...options } = {}) {
  const temporary = await mkdtemp(join(tmpdir(), 'mh-'));
  folders.add(temporary);
  const [command, ...args] = [...program, ...flags];
  const started = start(command, args, { env: { ...env, TMPDIR: temporary }, ...options });
  if (typed) started.child.stdin.write(typed);
  const [, url] = await printed(started, /Masthead is at {2}(\S+)/);
  const { origin, port, hash } = new URL(url);
  return { started, url, origin, port: Number(port), temporary, code: hash.match(/^#\/\?code=([0-9a-f]{32})$/)?.[1] };
}

/** Sends a code as the page does, whose client adds a query to every request. */
export function exchange(origin, code, headers = { Origin: origin }) {
  return fetch(`${origin}/masthead/session?timeout=5s&pretty=false`, { method: 'POST', body: code, headers });
}

/** The address of the API of a launcher whose code is unused. */
export async function apiOf({ origin, code }) {
  const answer = await exchange(origin, code);
  assert.equal(answer.status, 200);
  return origin + (await answer.json()).api;
}

/** Sends bytes and reads until the other side closes. */
export async function raw(port, text) {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (data) => (answer += data)).on('error', (error) => (answer += `[${error.code}]`));
  socket.write(text, 'latin1');
  await once(socket, 'close');
  return answer;
}

/** The statuses of the answers on a connection. */
export function statuses(answer) {
  return [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
}

/** The processes that were started with this in their arguments, as `pid arguments`. */
export async function processesWith(text) {
  const { stdout } = await run('pgrep', ['--full', '--list-full', text]);
  return stdout.split('\n').filter((line) => line && !line.includes('pgrep'));
}

/** The process of `kubectl proxy` and of its guard. */
export async function processesOf({ temporary }) {
  const lines = await processesWith(temporary);
  const pid = (line) => Number(line?.split(' ')[0]);
  return { kubectl: pid(lines.find((line) => !line.includes('guard.js'))), guard: pid(lines.find((line) => line.includes('guard.js'))) };
}

/** Asks again until it is so. */
export async function until(what, isSo) {
  const deadline = Date.now() + 60_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until no process and no file of a launcher is left. */
export async function gone({ temporary }) {
  await until(`processes of ${temporary} end`, async () => (await processesWith(temporary)).length === 0);
  await until(`${temporary} is empty`, async () => (await readdir(temporary)).length === 0);
}

/** The connections that somebody holds to the sockets in a folder. */
export async function connectionsIn(folder) {
  const table = await readFile('/proc/net/unix', 'latin1');
  // 03 is connected; a listening socket is 01.
  return table.split('\n').filter((line) => line.includes(folder) && line.split(/\s+/)[5] === '03').length;
}
