// What the package promises, as compilers and package checkers see it.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { run } from '../browser/process.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const STRICT = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022'];

/** Compiles the consumer; what the package itself declares is checked too, what others declare is not. */
async function compiles(...flags) {
  const { code, stdout } = await run(process.execPath, [here('node_modules/typescript/bin/tsc'), here('fixtures/consumer.ts'), ...STRICT, ...flags], { cwd: here('.') });
  const ours = stdout.split('\n').filter((line) => line.includes('consumer.ts') || line.includes('node_modules/masthead/'));
  assert.deepEqual(ours, []);
  return code;
}

test('a strict consumer compiles with the types of a page and a bundler', () =>
  compiles('--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,esnext.disposable,dom', '--types', 'react', '--jsx', 'react-jsx'));

test('a strict consumer compiles with the types of Node', () =>
  compiles('--module', 'nodenext', '--moduleResolution', 'nodenext', '--lib', 'es2022,esnext.disposable', '--types', 'node,react'));

test('no public type is any', async () => {
  const dist = here('node_modules/masthead/dist/');
  const files = (await readdir(dist)).filter((file) => file.endsWith('.d.ts'));
  assert.ok(files.includes('informer.d.ts') && files.length > 15, String(files));
  for (const file of files) {
    const code = (await readFile(dist + file, 'utf8')).replace(/\/\*[\s\S]*?\*\//g, '');
    assert.doesNotMatch(code, /\bany\b/, file);
    assert.doesNotMatch(code, /glue\//, `${file} shows the engine`);
  }
});

test('publint finds nothing', async () => {
  const { publint } = await import('publint');
  const { formatMessage } = await import('publint/utils');
  const { messages, pkg } = await publint({ pkgDir: here('node_modules/masthead'), strict: true });
  assert.deepEqual(messages.map((message) => formatMessage(message, pkg, { color: false })), []);
});

test('are the types wrong? They are not', async () => {
  const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
  const tarball = await readFile(process.env.MASTHEAD_TARBALL);
  const { problems } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  // The package is a module, and a wasm file and a manifest have no types.
  const expected = ({ kind, entrypoint }) => kind === 'CJSResolvesToESM' || (kind === 'UntypedResolution' && entrypoint?.endsWith('.wasm')) || old(entrypoint, kind);
  assert.deepEqual(problems.filter((problem) => !expected(problem)), []);
});

/** TypeScript's oldest way to find types knows no `exports`, and so none but the first entry. */
function old(entrypoint, kind) {
  return kind === 'NoResolution' && entrypoint !== '.';
}
