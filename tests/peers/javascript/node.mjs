// `node --expose-gc node.mjs FOLDER FORM URL`: Masthead in Node. FOLDER has what wasm-bindgen made. Prints one JSON line.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { live, peak } from './memory.mjs';
import { measure } from './pods.mjs';

const [folder, form, url] = process.argv.slice(2);
const engine = await import(pathToFileURL(join(folder, 'masthead_peer.js')));
const { memory } = engine.initSync({ module: readFileSync(join(folder, 'masthead_peer_bg.wasm')) });
const { cache, figures } = await measure(engine, form, url);
const most = peak('self');
const used = (await live()) + memory.buffer.byteLength;
// It must live until its memory is counted.
cache.free?.();
console.log(JSON.stringify({ ...figures, peak: most, live: used }));
process.exit(0);
