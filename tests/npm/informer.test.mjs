// Informers on the real cluster, while its proxy dies and its history is forgotten: no change may be lost.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import * as masthead from 'masthead';

import { kubectl, uniqueName } from '../browser/cluster.mjs';
import * as clientNode from './client-node.mjs';
import { follow } from './informing.js';
import { launch, open } from './page.mjs';
import { brittleProxy, order, shown } from './remote.mjs';
import { site } from './site.mjs';

const PATIENCE = 60_000;
const here = fileURLToPath(new URL('.', import.meta.url));

let browser;
before(async () => (browser = await launch()));
after(() => browser?.close());

/** Puts a follower through everything; `beside` are others on the same proxy, whose state is printed. */
async function ordeal(t, start, beside = []) {
  const namespace = uniqueName('ordeal');
  const map = (name, colour) => kubectl('--namespace', namespace, 'create', 'configmap', name, `--from-literal=colour=${colour}`);
  const paint = (name, colour) => kubectl('--namespace', namespace, 'patch', 'configmap', name, '-p', `{"data":{"colour":"${colour}"}}`);
  const remove = (name) => kubectl('--namespace', namespace, 'delete', 'configmap', name);
  await kubectl('create', 'namespace', namespace);
  for (const name of ['kept', 'painted', 'removed']) await map(name, 'red');
  const proxy = await brittleProxy('admin');
  const follower = await start(proxy.url, namespace);
  t.after(() => follower.stop());
  const others = await Promise.all(beside.map(async (begin) => begin(proxy.url, namespace)));
  t.after(() => others.forEach((other) => other.stop()));
  const agreed = async (when) => {
    await settled(follower, namespace, when);
    for (const other of others) t.diagnostic(`client-node, ${when}: ${await compared(other, namespace)}`);
  };
  await agreed('at the beginning');

  await paint('painted', 'green');
  await map('born', 'green');
  await agreed('after changes');

  await proxy.kill();
  await remove('removed');
  await paint('painted', 'blue');
  await map('away', 'blue');
  await proxy.restart();
  await agreed('after the proxy died and came back');
  assert.deepEqual(await follower.byColour('blue'), ['away', 'painted']);

  await proxy.kill();
  await remove('born');
  await paint('kept', 'grey');
  await order('/etcd/compact');
  await order('/apiserver/restart');
  await proxy.restart();
  await agreed('after the history was forgotten');
  await map('last', 'grey');
  await agreed('after one more change');

  assert.deepEqual(await follower.mistakes(), []);
  const tombstones = await follower.tombstones();
  assert.deepEqual(tombstones.map(({ key }) => key.split('/')[1]), ['removed', 'born']);
  // The second deletion cannot have been seen: nobody could tell of it any more.
  assert.deepEqual(tombstones.at(-1), { key: `${namespace}/born`, unknown: true, colour: 'green' });
  await kubectl('delete', 'namespace', namespace, '--wait=false');
}

/** Waits until all accounts of a follower are what kubectl shows. */
async function settled(follower, namespace, when) {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const [accounts, expected] = [await follower.accounts(), await shown('configmaps', namespace)];
    try {
      for (const account of Object.values(accounts)) assert.deepEqual(account, expected, when);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function compared(other, namespace) {
  const [copy, expected] = [other.copy(), await shown('configmaps', namespace)];
  const missing = Object.keys(expected).filter((name) => !(name in copy));
  const ghosts = Object.keys(copy).filter((name) => !(name in expected));
  const stale = Object.keys(copy).filter((name) => name in expected && copy[name] !== expected[name]);
  const errors = other.errors();
  const words = [['missing', missing], ['ghosts', ghosts], ['stale', stale]].flatMap(([what, names]) => (names.length ? [`${what} ${names}`] : []));
  return `${words.join(', ') || 'the same'}${errors.length ? `; told of ${errors.length} errors, the last: ${errors.at(-1)}` : ''}`;
}

test('in Node no change is lost', async (t) => {
  await ordeal(t, (url, namespace) => follow(masthead, url, namespace), [clientNode.follow]);
  const k8s = await masthead.connect({ baseUrl: (await brittleProxy('admin')).url });
  const watch = k8s.resource({ version: 'v1', resource: 'configmaps' }).watch({ resourceVersion: '1' });
  await assert.rejects(watch.next(), (error) => error.isGone);
});

test('in Chromium no change is lost', async (t) => {
  const { url, close } = await site(here);
  t.after(close);
  const start = async (api, namespace) => {
    const { page } = await open(browser, `${url}/fixtures/empty.html`);
    await page.evaluate(
      async ([api, namespace]) => {
        const [masthead, { follow }] = await Promise.all([import('/node_modules/masthead/dist/web.js'), import('/informing.js')]);
        globalThis.follower = await follow(masthead, api, namespace);
      },
      [api, namespace],
    );
    const ask = (what) => (...args) => page.evaluate(([what, args]) => globalThis.follower[what](...args), [what, args]);
    return Object.fromEntries(['accounts', 'mistakes', 'tombstones', 'byColour', 'stop'].map((what) => [what, ask(what)]));
  };
  await ordeal(t, start);
});
