// The remote control of the test cluster, which breaks and mends it.

import assert from 'node:assert/strict';

const remote = process.env.MASTHEAD_REMOTE;
if (!remote) throw new Error('MASTHEAD_REMOTE is not set: run these tests with `cargo xtask test npm`');

/** Gives an order and waits until it is carried out. */
export async function order(path) {
  const answer = await fetch(remote + path);
  const body = await answer.json();
  assert.equal(answer.status, 200, `${path}: ${body.error}`);
  return body;
}

/** A `kubectl proxy` of a user, which can be killed and started again on the same port. */
export async function brittleProxy(user) {
  const { id, url } = await order(`/proxy/${user}`);
  const connections = async () => (await order(`/${id}/connections`)).open;
  return { url, connections, kill: () => order(`/${id}/kill`), restart: () => order(`/${id}/restart`) };
}

/** The names and versions that kubectl shows. */
export function shown(resource, namespace) {
  return order(`/kubectl/${resource}/${namespace}`);
}
