// `node build.mjs`: makes dist/ of src/, of the glue that wasm-bindgen made and of dist/masthead.wasm. `cargo xtask npm` runs it.
//
// Types keep their comments, which editors show. Code has none: pages load it.

import { spawnSync } from 'node:child_process';
import { chmod, cp, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

function compile(...args) {
  const compiler = spawnSync(process.execPath, [here('node_modules/typescript/bin/tsc'), ...args], { stdio: 'inherit' });
  if (compiler.status !== 0) process.exit(compiler.status ?? 1);
}

const wasm = await readFile(here('dist/masthead.wasm'));
await writeFile(here('src/glue/base64.js'), `export const base64 = '${wasm.toString('base64')}';\n`);
await writeFile(here('src/glue/base64.d.ts'), 'export declare const base64: string;\n');

compile('--project', here('.'), '--emitDeclarationOnly');
compile('--project', here('.'), '--declaration', 'false', '--declarationMap', 'false', '--removeComments');
const script = ['--ignoreConfig', '--allowJs', '--noCheck', '--target', 'ES2022', '--module', 'ESNext', '--moduleResolution', 'bundler'];
compile(here('src/glue/masthead.js'), ...script, '--removeComments', '--outDir', here('dist/glue'));
await cp(here('src/glue/base64.js'), here('dist/glue/base64.js'));
await chmod(here('dist/launcher/main.js'), 0o755);
