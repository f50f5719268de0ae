// `node package-size.mjs FOLDER`: what a page loads of the npm package in FOLDER, raw and compressed.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const [folder] = process.argv.slice(2);

/** A module and all that it imports. */
function modules(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) modules(join(dirname(file), path), found);
  return found;
}

const parts = { 'masthead.wasm': [join(folder, 'dist/masthead.wasm')], 'modules of the web entry': [...modules(join(folder, 'dist/web.js'))] };
/** In KB, compressed: what the package may be. */
const GOAL = 250;

const kilobytes = (bytes) => (bytes / 1000).toFixed(1).padStart(8);
const line = (name, sizes) => console.log(`${name.padEnd(26)}${sizes.map(kilobytes).join('')}`);
const together = [0, 0, 0];
console.log(`${'KB'.padEnd(26)}${'raw'.padStart(8)}${'gzip'.padStart(8)}${'brotli'.padStart(8)}`);
for (const [name, files] of Object.entries(parts)) {
  const bytes = Buffer.concat(files.map((file) => readFileSync(file)));
  const sizes = [bytes.length, gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  sizes.forEach((size, place) => (together[place] += size));
  line(name, sizes);
}
line('together', together);
const brotli = together[2] / 1000;
console.log(`${brotli.toFixed(1)} KB brotli, goal at most ${GOAL}: ${brotli <= GOAL ? 'met' : 'missed'}`);
