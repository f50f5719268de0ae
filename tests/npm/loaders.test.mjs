// The package from its tarball, by everything that loads packages.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { kubectl, uniqueName } from '../browser/cluster.mjs';
import { run } from '../browser/process.mjs';
import { launch, open, result } from './page.mjs';
import { brittleProxy } from './remote.mjs';
import { site } from './site.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const FOUND = { phase: 'Active', name: 'kube-system', isNotFound: true };

let api, browser, folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'masthead-npm-'));
  api = (await brittleProxy('admin')).url;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the page at a path of a folder finds. */
async function found(root, path) {
  const { url, close } = await site(root);
  try {
    return await result(await open(browser, `${url}/${path}?api=${encodeURIComponent(api)}`));
  } finally {
    close();
  }
}

async function pageOf(script, into) {
  await writeFile(join(into, 'index.html'), `<!doctype html><script type="module" src="${script}"></script>`);
}

test('Node imports it', async () => {
  const { stdout, stderr } = await run(process.execPath, [here('fixtures/node.js'), api]);
  assert.deepEqual(JSON.parse(stdout || '{}'), FOUND, stderr);
});

test('Node requires it', async () => {
  const script = `require('masthead').connect({ baseUrl: '${api}' }).then((k) => k.discovery.version()).then((v) => console.log(v.gitVersion))`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=commonjs', '--eval', script], { cwd: here('.') });
  assert.match(stdout, /^v1\.36/, stderr);
});

test('a bare module script imports it, by an import map', async () => {
  const map = JSON.stringify({ imports: { masthead: '/node_modules/masthead/dist/web.js' } });
  const page = join(here('.'), 'bare.html');
  await writeFile(page, `<!doctype html><script type="importmap">${map}</script><script type="module" src="/fixtures/page.js"></script>`);
  try {
    assert.deepEqual(await found(here('.'), 'bare.html'), FOUND);
  } finally {
    await rm(page);
  }
});

test('esbuild bundles it for Node', async () => {
  const { build } = await import('esbuild');
  const outdir = join(folder, 'esbuild-node');
  const entryPoints = [here('fixtures/node.js')];
  await build({ entryPoints, bundle: true, platform: 'node', format: 'esm', outdir, outExtension: { '.js': '.mjs' } });
  // The engine stays a file beside the bundle.
  await writeFile(join(outdir, 'masthead.wasm'), await readFile(here('node_modules/masthead/dist/masthead.wasm')));
  const { stdout, stderr } = await run(process.execPath, [join(outdir, 'node.mjs'), api]);
  assert.deepEqual(JSON.parse(stdout || '{}'), FOUND, stderr);
});

test('esbuild bundles it for a page with the engine as an asset, and with the engine inside', async () => {
  const { build } = await import('esbuild');
  const outdir = join(folder, 'esbuild-page');
  const entryPoints = [here('fixtures/asset.js'), here('fixtures/inline.js')];
  await build({ entryPoints, bundle: true, format: 'esm', outdir, loader: { '.wasm': 'file' }, target: 'es2022' });
  await pageOf('asset.js', outdir);
  assert.deepEqual(await found(outdir, 'index.html'), FOUND);
  await pageOf('inline.js', outdir);
  assert.match((await found(outdir, 'index.html')).gitVersion, /^v1\.36/);
});

test('webpack bundles it, for a page and for a worker, without being told anything', async () => {
  const { default: webpack } = await import('webpack');
  const path = join(folder, 'webpack');
  const entry = { page: here('fixtures/page.js'), worked: here('fixtures/worked.js') };
  const config = { entry, mode: 'production', output: { path, module: true }, experiments: { outputModule: true } };
  const stats = await new Promise((resolve, reject) => webpack(config, (error, stats) => (error ? reject(error) : resolve(stats))));
  assert.equal(stats.hasErrors(), false, stats.toString());
  for (const script of ['page.mjs', 'worked.mjs']) {
    await pageOf(script, path);
    assert.deepEqual(await found(path, 'index.html'), FOUND, script);
  }
});

test('Vite bundles it, for a page and for a worker, without being told anything', async () => {
  const outDir = join(folder, 'vite');
  for (const script of ['page.js', 'worked.js']) {
    await viteBuild(script, outDir);
    assert.deepEqual(await found(outDir, 'index.html'), FOUND, script);
  }
});

test('React shows objects and rows live, and stops when they leave', async (t) => {
  const outDir = join(folder, 'react');
  await viteBuild('live.jsx', outDir);
  const proxy = await brittleProxy('admin');
  const { url, close } = await site(outDir);
  t.after(close);
  const { page, complaints } = await open(browser, `${url}/index.html?api=${encodeURIComponent(proxy.url)}`);
  const one = (list, name) => page.locator(`#${list} li[data-name="${name}"]`);
  for (const list of ['objects', 'rows']) await page.locator(`#${list}[data-synced=true]`).waitFor();
  await page.locator('#unknown', { hasText: 'list unheardof: 404' }).waitFor();
  const name = uniqueName('react');
  await kubectl('create', 'namespace', name);
  await one('objects', name).waitFor();
  await one('rows', name).filter({ hasText: 'Active' }).waitFor();
  await kubectl('label', 'namespace', name, 'colour=green');
  await one('objects', name).filter({ hasText: 'green' }).waitFor();
  await kubectl('delete', 'namespace', name, '--wait=false');
  await one('rows', name).waitFor({ state: 'detached' });
  await one('objects', name).waitFor({ state: 'detached' });
  assert.notEqual(await proxy.connections(), 0);
  await page.getByRole('button').click();
  while ((await proxy.connections()) > IDLE) await page.waitForTimeout(50);
  // The browser itself tells of the 404 that was asked for.
  assert.deepEqual(complaints.filter((text) => !text.includes('404')), []);
  await page.close();
});

async function viteBuild(script, outDir) {
  const { build } = await import('vite');
  const root = join(outDir, '..', `${script}-root`);
  await mkdir(root, { recursive: true });
  await pageOf(here(`fixtures/${script}`), root);
  const server = { fs: { strict: false } };
  await build({ root, server, base: './', logLevel: 'error', worker: { format: 'es' }, build: { outDir, emptyOutDir: true, target: 'es2022' } });
}

/** Connections that a browser keeps for the next request, when nothing is open. */
const IDLE = 6;
