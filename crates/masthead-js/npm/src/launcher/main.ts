#!/usr/bin/env node
// `npx masthead`, or `kubectl masthead`: the dashboard for a cluster, in one command.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
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

/** How often it is looked whether the parent is still there, and in the background whether the terminal is back. */
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
  onEnter(() => console.log(`Masthead is at  ${front.address()}`));
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
  const stat = await readFile('/proc/self/stat', 'latin1').catch(() => '');
  // Behind the name of the program, which may hold anything: state, parent, group, session, terminal, its foreground group.
  const [, , own, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (foreground !== undefined) return own === foreground;
  const question = ['-o', 'pgid=,tpgid=', '-p', String(process.pid)];
  const { stdout } = await promisify(execFile)('ps', question).catch(() => ({ stdout: '' }));
  const [group, terminal] = stdout.trim().split(/\s+/);
  return group === terminal;
}

/**
 * Calls back for each line of the standard input, whose end means nothing, and which keeps nothing running. In the background
 * nothing is read: a shell that sends a program there continues it, and says nothing when it brings it back.
 */
function onEnter(callback: () => void): void {
  const { stdin } = process;
  const look = async (): Promise<void> => {
    stdin.pause();
    if (await maySeeInput()) stdin.resume();
    else setTimeout(() => void look(), HEARTBEAT).unref();
    stdin.unref?.();
  };
  // Paused first: a listener would start to read.
  stdin.pause().on('error', () => undefined);
  stdin.on('data', (data) => {
    for (const byte of data) if (byte === 0x0a) callback();
  });
  if (process.platform !== 'win32') process.on('SIGCONT', () => void look());
  void look();
}

main().catch((error: unknown) => {
  console.error(`error: ${error instanceof Refusal ? error.message : String(error)}`);
  process.exit(1);
});
