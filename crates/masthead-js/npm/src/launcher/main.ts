#!/usr/bin/env node
// `npx masthead`, or `kubectl masthead`: the dashboard for a cluster, in one command.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { open } from './browser.js';
import { Front } from './front.js';
import { Options, usage } from './options.js';
import { Page } from './page.js';
import { contextOf, KubectlProxy } from './proxy.js';
import { Refusal } from './refusal.js';

/** The dashboard, in the package. */
const folder = fileURLToPath(new URL('../../page', import.meta.url));

/** How often it is looked whether the parent is still there. */
const HEARTBEAT = 1000;

async function main(): Promise<void> {
  const options = Options.parse(process.argv.slice(2));
  if (options.help) {
    console.log(usage());
    return;
  }
  const page = await Page.read(folder);
  if (options.demo) {
    const front = await Front.start(page, options.port);
    stopWithParent(() => front.stop());
    present(front, options, 'Shows a simulated cluster. Ctrl-C stops it.');
    return;
  }
  const context = await contextOf(options);
  const proxy = await KubectlProxy.start(context, options);
  const front = await Front.start(page, options.port, proxy).catch(async (error: unknown) => {
    await proxy.stop();
    throw error;
  });
  stopWithParent(() => Promise.all([front.stop(), proxy.stop()]));
  if (proxy.base) console.error('warning: kubectl has no unix sockets here: its proxy listens on a loopback port, below a random path');
  const may = options.readOnly ? 'Shows, and changes nothing of, the' : 'Shows the';
  present(front, options, `${may} cluster of the context ${context}. The address works once: Enter prints a new one. Ctrl-C stops it.`);
  if (await maySeeInput()) onEnter(() => console.log(`Masthead is at  ${front.address()}`));
}

function present(front: Front, options: Options, description: string): void {
  const address = front.address();
  console.log(`Masthead is at  ${address}`);
  console.log(description);
  if (options.open) open(address);
}

function stopWithParent(end: () => Promise<unknown>): void {
  const stop = (): void => void end().then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || stop(), HEARTBEAT).unref();
}

/** Whether reading a line is safe: the system stops a program that reads the terminal from the background. */
async function maySeeInput(): Promise<boolean> {
  if (!process.stdin.isTTY || process.platform === 'win32') return true;
  const question = ['-o', 'pgid=,tpgid=', '-p', String(process.pid)];
  const { stdout } = await promisify(execFile)('ps', question).catch(() => ({ stdout: '' }));
  const [own, foreground] = stdout.trim().split(/\s+/);
  return own === foreground;
}

/** Calls back for each line of the standard input, whose end means nothing, and which keeps nothing running. */
function onEnter(callback: () => void): void {
  process.stdin.on('error', () => undefined);
  process.stdin.on('data', (data) => {
    for (const byte of data) if (byte === 0x0a) callback();
  });
  process.stdin.unref?.();
}

main().catch((error: unknown) => {
  console.error(`error: ${error instanceof Refusal ? error.message : String(error)}`);
  process.exit(1);
});
