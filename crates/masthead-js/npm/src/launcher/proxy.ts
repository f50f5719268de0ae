// The dashboard beside a cluster's API, by `kubectl proxy`.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Options } from './options.js';
import { Refusal } from './refusal.js';
import type { Served } from './served.js';

const guard = fileURLToPath(new URL('./guard.js', import.meta.url));

/**
 * What `--read-only` adds. Methods that write, and the ways to act on a container that begin with a GET: the proxy refuses the
 * first two unless told otherwise, but a list replaces its own.
 */
const READ_ONLY = [
  '--reject-methods=^(POST|PUT|PATCH|DELETE)$',
  '--reject-paths=^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach,^/api/.*/pods/.*/portforward,^/api/.*/(pods|services|nodes)/.*/proxy',
];

export class Proxy implements Served {
  readonly url: string;
  readonly description: string;
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;

  private constructor(child: ChildProcess, exited: Promise<unknown>, url: string, description: string, said: () => string) {
    this.#child = child;
    this.#exited = exited;
    this.url = url;
    this.description = description;
    this.ended = exited.then(() => `kubectl proxy ended: ${said()}`);
  }

  static async start(page: string, options: Options): Promise<Proxy> {
    const context = await contextOf(options.context);
    // No page of another origin can reach what it cannot name.
    const prefix = `/k-${randomBytes(16).toString('hex')}`;
    const args = [`--context=${context}`, 'proxy', '--address=127.0.0.1', `--port=${options.port}`];
    args.push(`--api-prefix=${prefix}/`, `--www=${page}`, '--www-prefix=/', ...(options.readOnly ? READ_ONLY : []));
    const child = spawn(process.execPath, [guard, 'kubectl', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    const exited = once(child, 'exit');
    let [stdout, stderr] = ['', ''];
    child.stderr.on('data', (data) => (stderr = (stderr + data).slice(-MOST)));
    const said = (): string => stderr.trim().split('\n').at(-1)?.replace(/^error: /, '') || 'it did not say why';
    const port = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (data) => {
        stdout = (stdout + data).slice(-MOST);
        const serving = stdout.match(/Starting to serve on 127\.0\.0\.1:(\d+)/)?.[1];
        if (serving) resolve(serving);
      });
      void exited.then(() => reject(new Refusal(`kubectl proxy did not start: ${said()}`)));
    });
    const may = options.readOnly ? 'Shows, and changes nothing of, the' : 'Shows the';
    return new Proxy(child, exited, `http://127.0.0.1:${port}/#/?api=${prefix}`, `${may} cluster of the context ${context}`, said);
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#exited;
  }
}

/** More than kubectl says before it serves. */
const MOST = 64 * 1024;

/** The name of the context that is meant, if the kubeconfig has it. */
async function contextOf(asked: string | undefined): Promise<string> {
  const offer = 'or see a simulated cluster with --demo';
  const question = asked === undefined ? ['config', 'current-context'] : ['config', 'get-contexts', asked, '--output=name'];
  try {
    const { stdout } = await promisify(execFile)('kubectl', question);
    return stdout.trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new Refusal(`kubectl is not on the PATH: install it (https://kubernetes.io/docs/tasks/tools), ${offer}`);
    }
    if (asked !== undefined) throw new Refusal(`the kubeconfig has no context ${asked}: \`kubectl config get-contexts\` lists them`);
    throw new Refusal(`the kubeconfig has no current context: name one with --context, ${offer}`);
  }
}
