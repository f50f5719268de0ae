// What a person may ask for.

import { basename } from 'node:path';
import { parseArgs } from 'node:util';

import { Refusal } from './refusal.js';

/** How the program was called. */
function called(): string {
  return basename(process.argv[1] ?? '').startsWith('kubectl') ? 'kubectl masthead' : 'masthead';
}

export function usage(): string {
  return `${called()} [--context NAME] [--read-only] [--port N] [--no-open]
${called()} --demo [--port N] [--no-open]

Shows a cluster in the browser: starts \`kubectl proxy\` on a free loopback port, under a path that nobody can guess, with
the dashboard beside the API. Stops with Ctrl-C, and with whoever started it.

  --context NAME   another context of the kubeconfig than the current one
  --read-only      let nothing be changed: the proxy refuses every request that could
  --demo           a simulated cluster in the page; needs no kubectl
  --port N         this port instead of a free one
  --no-open        print the address and open no browser
  --help           this text`;
}

export class Options {
  readonly help: boolean;
  readonly demo: boolean;
  readonly readOnly: boolean;
  readonly open: boolean;
  /** 0 for a free one. */
  readonly port: number;
  readonly context: string | undefined;

  private constructor(values: Record<string, string | boolean | undefined>) {
    this.help = values['help'] === true;
    this.demo = values['demo'] === true;
    this.readOnly = values['read-only'] === true;
    this.open = values['no-open'] !== true;
    this.context = values['context'] as string | undefined;
    this.port = port(values['port'] as string | undefined);
    if (this.demo && (this.context !== undefined || this.readOnly)) {
      throw new Refusal('--demo has a cluster of its own: it goes with neither --context nor --read-only');
    }
  }

  static parse(args: string[]): Options {
    const flag = { type: 'boolean' } as const;
    const text = { type: 'string' } as const;
    try {
      const { values } = parseArgs({
        args,
        options: { help: { ...flag, short: 'h' }, demo: flag, 'read-only': flag, 'no-open': flag, port: text, context: text },
      });
      return new Options(values);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal(`${(error as Error).message.split('. ')[0]}; \`${called()} --help\` lists what there is`);
    }
  }
}

function port(given: string | undefined): number {
  if (given === undefined) return 0;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : NaN;
  if (!(port <= 65535)) throw new Refusal(`--port takes a number up to 65535, not \`${given}\``);
  return port;
}
