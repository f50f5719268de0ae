// `node --expose-gc client-node.mjs URL`: client-node's informer of all pods, until it has the list. Prints one JSON line.

import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';

import { Heartbeat } from './heartbeat.mjs';
import { live, peak } from './memory.mjs';

const [url] = process.argv.slice(2);
const config = new KubeConfig();
config.loadFromOptions({
  clusters: [{ name: 'peer', server: url, skipTLSVerify: true }],
  users: [{ name: 'peer' }],
  contexts: [{ name: 'peer', cluster: 'peer', user: 'peer' }],
  currentContext: 'peer',
});
const api = config.makeApiClient(CoreV1Api);

let complete;
const synced = new Promise((resolve, reject) => (complete = { resolve, reject }));
const informer = makeInformer(config, '/api/v1/pods', async () => {
  const list = await api.listPodForAllNamespaces();
  // It has no event for this. The store is filled before anything else gets a turn.
  setImmediate(complete.resolve);
  return list;
});
informer.on('error', complete.reject);

const heartbeat = new Heartbeat();
const began = performance.now();
// It settles when the watch is open, which is later.
informer.start().catch(complete.reject);
await synced;
const seconds = (performance.now() - began) / 1000;
const longest = heartbeat.end();
const most = peak('self');
console.log(JSON.stringify({ seconds, objects: informer.list().length, longest, peak: most, live: await live() }));
process.exit(0);
