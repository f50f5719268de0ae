// The real cluster, by its own kubectl.

import assert from 'node:assert/strict';

import { environment } from './environment.mjs';
import { printed, run, start } from './process.mjs';

/** Runs kubectl as the admin and returns what it printed. */
export async function kubectl(...args) {
  const result = await run(environment.kubectl, ['--kubeconfig', environment.kubeconfig('admin'), ...args]);
  assert.equal(result.code, 0, `kubectl ${args.join(' ')}: ${result.stderr}`);
  return result.stdout;
}

/** Starts `kubectl proxy` for a user. `port` 0 is a free one; the one taken is in the answer. */
export async function proxy(user, port = 0, flags = []) {
  const args = ['--kubeconfig', environment.kubeconfig(user), 'proxy', `--port=${port}`, ...flags];
  const started = start(environment.kubectl, args);
  const [, taken] = await printed(started, /Starting to serve on 127\.0\.0\.1:(\d+)/);
  return { started, port: Number(taken), url: `http://127.0.0.1:${taken}` };
}

/** A namespace name that no other test uses. */
export function uniqueName(what) {
  return `${what}-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
}
