// `node --expose-gc client-node.mjs URL`: client-node's informer of all pods, until it has the list. Prints one JSON line.

import { podsOf } from './client-node-pods.mjs';
import { Heartbeat } from './heartbeat.mjs';
import { live, peak } from './memory.mjs';

const [url] = process.argv.slice(2);
const { informer, start } = podsOf(url);
const heartbeat = new Heartbeat();
const began = performance.now();
await start();
const seconds = (performance.now() - began) / 1000;
const longest = heartbeat.end();
const most = peak('self');
console.log(JSON.stringify({ seconds, objects: informer.list().length, longest, peak: most, live: await live() }));
process.exit(0);
