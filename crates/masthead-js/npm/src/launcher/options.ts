// What a person may ask for.

import { basename } from 'node:path';
import { parseArgs } from 'node:util';

import { Refusal } from './refusal.js';

/** How the program was called. */
function called(): string {
  return basename(process.argv[1] ?? '').startsWith('kubectl') ? 'kubectl masthead' : 'masthead';
}

export function usage(): string {
  return `${called()} [--context NAME] [--kubeconfig FILE] [--read-only] [--port N] [--no-open]
${called()} --demo [--port N] [--no-open]

Shows a cluster in the browser: serves the dashboard on a free loopback port, and the API beside it through a
\`kubectl proxy\` that no other user of this machine can reach. The address it prints works once; Enter prints a new one.
Stops with Ctrl-C, and with whoever started it.

  --context NAME      another context of the kubeconfig than the current one
  --kubeconfig FILE   another kubeconfig than kubectl's own
  --read-only         let nothing be changed: the proxy refuses every request that could
  --demo              a simulated cluster in the page; needs no kubectl
  --port N            this port instead of a free one
  --no-open           print the address and open no browser
  --help              this text`;
}

export class Options {
  readonly help: boolean;
  readonly demo: boolean;
  readonly readOnly: boolean;
  readonly open: boolean;
  /** 0 for a free one. */
  readonly port: number;
  readonly context: string | undefined;
  readonly kubeconfig: string | undefined;

  private constructor(values: Record<string, string | boolean | undefined>) {
    this.help = values['help'] === true;
    this.demo = values['demo'] === true;
    this.readOnly = values['read-only'] === true;
    this.open = values['no-open'] !== true;
    this.context = value('context', values);
    this.kubeconfig = value('kubeconfig', values);
    this.port = port(values['port'] as string | undefined);
    if (this.demo && (this.context !== undefined || this.kubeconfig !== undefined || this.readOnly)) {
      throw new Refusal('--demo has a cluster of its own: it goes with none of --context, --kubeconfig and --read-only');
    }
  }

  static parse(args: string[]): Options {
    const flag = { type: 'boolean' } as const;
    const text = { type: 'string' } as const;
    try {
      const { values } = parseArgs({
        args,
        options: {
          ...{ help: { ...flag, short: 'h' }, demo: flag, 'read-only': flag, 'no-open': flag },
          ...{ port: text, context: text, kubeconfig: text },
        },
      });
      return new Options(values);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal(`${(error as Error).message.split(/\.\s/)[0]}; \`${called()} --help\` lists what there is`);
    }
  }
}

/** The value of an option that kubectl is given, which must not read it as a flag. */
function value(name: string, values: Record<string, string | boolean | undefined>): string | undefined {
  const given = values[name] as string | undefined;
  if (given === '') throw new Refusal(`--${name} needs a value`);
  if (given?.startsWith('-')) throw new Refusal(`--${name} takes no value that begins with a dash: \`${given}\``);
  return given;
}

function port(given: string | undefined): number {
  if (given === undefined) return 0;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : NaN;
  if (!(port <= 65535)) throw new Refusal(`--port takes a number up to 65535, not \`${given}\``);
  return port;
}
