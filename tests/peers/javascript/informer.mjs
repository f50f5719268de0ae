// `node --expose-gc informer.mjs CLIENT URL EVENTS FOLDER`: an informer of all pods, until it has the list, and then for that many
// changes. CLIENT is `client-node`, `rows` (the npm package in FOLDER, whose listener looks at fields) or `objects` (whose
// listener looks at whole objects); `fetch` is the floor: it reads the bytes of the list and forgets them. Prints one JSON line.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { live, peak } from './memory.mjs';

const [client, url, events, folder] = process.argv.slice(2);

/** client-node's. */
async function clientNode() {
  // Loaded only where it is measured: it is large.
  const { podsOf } = await import('./client-node-pods.mjs');
  return () => {
    const { informer, start } = podsOf(url);
    const changed = (told) => informer.on('update', (pod) => told(pod.status.phase));
    return { synced: start(), changed, size: () => informer.list().length, memory: () => 0 };
  };
}

/** The npm package's. */
async function masthead() {
  const dist = (file) => pathToFileURL(join(folder, 'dist', file));
  const { connect } = await import(dist('node.js'));
  const k8s = await connect({ baseUrl: url });
  // It is there already, and so this gives what it exports.
  const { memory } = await (await import(dist('glue/masthead.js'))).default({});
  return () => {
    const fields = { phase: 'status.phase', node: 'spec.nodeName', ip: 'status.podIP', restarts: 'status.containerStatuses[*].restartCount' };
    const informer = k8s.informer({ version: 'v1', resource: 'pods', fields });
    const look = client === 'rows' ? (change) => change.row.phase : (change) => change.object.status.phase;
    const changed = (told) => informer.on('update', (change) => told(look(change)));
    return { synced: informer.synced(), changed, size: () => informer.size, memory: () => memory.buffer.byteLength };
  };
}

/** What no client can do without. */
async function floor() {
  const began = performance.now();
  let bytes = 0;
  for await (const chunk of (await fetch(`${url}/api/v1/pods`)).body) bytes += chunk.length;
  return { client, bytes, seconds: (performance.now() - began) / 1000, cpu: cpu() };
}

const cpu = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};
if (client === 'fetch') {
  console.log(JSON.stringify(await floor()));
  process.exit(0);
}
const begin = await (client === 'client-node' ? clientNode() : masthead());
const [began, before] = [performance.now(), process.cpuUsage()];
const informer = begin();
await informer.synced;
const seconds = (performance.now() - began) / 1000;
const listed = cpu(before);
const figures = { client, objects: informer.size(), seconds, cpu: listed, peak: peak('self') };
figures.live = (await live()) + informer.memory();
// As many to warm up: engines compile what is used much while it is used, and those of a long life have done so.
let seen = 0;
let since;
await new Promise((resolve) =>
  informer.changed((phase) => {
    seen += phase ? 1 : 0;
    if (seen === Number(events)) since = process.cpuUsage();
    if (seen === 2 * Number(events)) resolve();
  }),
);
figures.steady = (cpu(since) * 10_000) / Number(events);
console.log(JSON.stringify(figures));
process.exit(0);
