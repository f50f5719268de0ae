// `node chromium.mjs PROGRAM PAGE FORM`: a cache of one form in Chromium. PAGE is the address of this folder and of what
// wasm-bindgen made, on the server whose pods are meant. Prints one JSON line.
//
// Nothing is attached to the page, since whoever listens to its requests slows them down.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { peak } from './memory.mjs';

const PATIENCE = 120_000;
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--enable-precise-memory-info',
  '--js-flags=--expose-gc',
];

/** What a page posts to a server of this process. */
async function reported(open) {
  let heard;
  const report = new Promise((resolve, reject) => (heard = { resolve, reject }));
  const server = createServer((request, response) => {
    text(request).then(heard.resolve, heard.reject);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setTimeout(() => heard.reject(new Error('the page did not report')), PATIENCE);
  try {
    open(`http://127.0.0.1:${server.address().port}/`);
    return JSON.parse(await report);
  } finally {
    clearTimeout(timer);
    server.close();
  }
}

/** The processes below one, itself left out. */
function descendants(root) {
  const parents = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(Number(pid), Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]));
    } catch {
      // It ended meanwhile.
    }
  }
  const below = (pid) => parents.get(pid) === root || (parents.has(pid) && below(parents.get(pid)));
  return [...parents.keys()].filter(below);
}

/** The most memory that any of the browser's pages had. */
function rendererPeak(browser) {
  const renderers = descendants(browser).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer'));
  return Math.max(...renderers.map(peak));
}

const [program, page, form] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), 'masthead-peers-'));
let browser;
try {
  const report = await reported((address) => {
    const asked = new URLSearchParams({ form, report: address });
    browser = spawn(program, [...FLAGS, `--user-data-dir=${profile}`, `${page}#${asked}`], { stdio: 'ignore' });
  });
  if (report.error) throw new Error(report.error);
  console.log(JSON.stringify({ ...report, peak: rendererPeak(browser.pid) }));
} finally {
  const ended = browser && once(browser, 'exit');
  browser?.kill();
  await ended;
  // Its other processes end a little later, and write until then.
  await rm(profile, { recursive: true, force: true, maxRetries: 10 });
}
