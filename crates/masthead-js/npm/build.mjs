// `node build.mjs`: makes dist/ of src/, of the glue that wasm-bindgen made and of dist/masthead.wasm. `cargo xtask npm` runs it.

import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

const wasm = await readFile(here('dist/masthead.wasm'));
await writeFile(here('src/glue/base64.js'), `export const base64 = '${wasm.toString('base64')}';\n`);
await writeFile(here('src/glue/base64.d.ts'), 'export declare const base64: string;\n');

const compiler = spawnSync(process.execPath, [here('node_modules/typescript/bin/tsc'), '--project', here('.')], { stdio: 'inherit' });
if (compiler.status !== 0) process.exit(compiler.status ?? 1);

await mkdir(here('dist/glue'), { recursive: true });
for (const file of ['masthead.js', 'base64.js']) await cp(here(`src/glue/${file}`), here(`dist/glue/${file}`));
await chmod(here('dist/launcher/main.js'), 0o755);
