#!/usr/bin/env node
// `npx masthead`, or `kubectl masthead`: the dashboard for a cluster, in one command.

import { fileURLToPath } from 'node:url';

import { open } from './browser.js';
import { Options, usage } from './options.js';
import { PageServer } from './page-server.js';
import { Proxy } from './proxy.js';
import { Refusal } from './refusal.js';

/** The dashboard, in the package. */
const page = fileURLToPath(new URL('../../page', import.meta.url));

/** How often it is looked whether the parent is still there. */
const HEARTBEAT = 1000;

async function main(): Promise<void> {
  const options = Options.parse(process.argv.slice(2));
  if (options.help) {
    console.log(usage());
    return;
  }
  const served = options.demo ? await PageServer.start(page, options.port) : await Proxy.start(page, options);
  const stop = (): void => void served.stop().then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || stop(), HEARTBEAT).unref();
  console.log(`Masthead is at  ${served.url}`);
  console.log(`${served.description}. Ctrl-C stops it.`);
  if (options.open) open(served.url);
  const reason = await served.ended;
  throw new Refusal(reason);
}

main().catch((error: unknown) => {
  console.error(`error: ${error instanceof Refusal ? error.message : String(error)}`);
  process.exit(1);
});
