// `kubectl proxy`, which is kept running, on a unix socket that only this user can open.

import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Upstream } from './forward.js';
import type { Options } from './options.js';
import { Refusal } from './refusal.js';
import { secret } from './session.js';

const guard = fileURLToPath(new URL('./guard.js', import.meta.url));

/**
 * What `--read-only` adds. Methods that write, and the ways to act on a container that begin with a GET: the proxy refuses the
 * first two unless told otherwise, but a list replaces its own.
 */
const READ_ONLY = [
  '--reject-methods=^(POST|PUT|PATCH|DELETE)$',
  '--reject-paths=^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach,^/api/.*/pods/.*/portforward,^/api/.*/(pods|services|nodes)/.*/proxy',
];

/** The shortest and longest waits before it is started again, in milliseconds. One that ran for the longest starts afresh. */
const [SHORTEST_WAIT, LONGEST_WAIT] = [500, 10_000];

/** The socket, in the folder for temporary files, where the system adds six characters to the first. */
const [FOLDER, SOCKET] = ['masthead-', 'proxy'];

/** What the systems allow for the path of a socket. */
const MAX_SOCKET_PATH = 103;

/** More than kubectl says before it serves. */
const MAX_OUTPUT = 64 * 1024;

export class KubectlProxy implements Upstream {
  readonly base: string;
  /** Where the socket is; empty when it listens on a port. */
  readonly #folder: string;
  readonly #args: readonly string[];
  readonly #stopping = new AbortController();
  #connection: Upstream['connection'] = { socketPath: '' };
  #run: Run | undefined;

  private constructor(folder: string, options: Options) {
    this.#folder = folder;
    // Everyone on this machine reaches a port, so that there the API is below a path that nobody can guess.
    this.base = folder ? '' : `/k-${secret()}`;
    const listen = folder ? [`--unix-socket=${join(folder, SOCKET)}`] : ['--address=127.0.0.1', '--port=0'];
    this.#args = ['proxy', ...listen, `--api-prefix=${this.base}/`, ...(options.readOnly ? READ_ONLY : [])];
  }

  /** Starts it for a context; resolves once it serves. It listens on a port where `unix` is false. */
  static async start(context: string, options: Options, unix = process.platform !== 'win32'): Promise<KubectlProxy> {
    const proxy = new KubectlProxy(unix ? await socketFolder() : '', options);
    const flags = [...kubeconfigFlags(options), `--context=${context}`, ...proxy.#args];
    try {
      const run = await proxy.#start(flags);
      void proxy.#keepRunning(run, flags);
      return proxy;
    } catch (error) {
      await proxy.stop();
      throw error;
    }
  }

  get connection(): Upstream['connection'] {
    return this.#connection;
  }

  /** Resolves once neither a process nor a file of it is left. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#run?.stop();
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
  }

  async #start(flags: readonly string[]): Promise<Run> {
    const run = new Run(this.#folder, flags);
    this.#run = run;
    const address = await run.serving;
    const port = address.match(/^127\.0\.0\.1:(\d+)$/)?.[1];
    this.#connection = port ? { host: '127.0.0.1', port: Number(port) } : { socketPath: address };
    return run;
  }

  async #keepRunning(first: Run, flags: readonly string[]): Promise<void> {
    const { signal } = this.#stopping;
    let run: Run | undefined = first;
    for (let wait = SHORTEST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      const began = Date.now();
      const reason = await run?.ended;
      if (Date.now() - began > LONGEST_WAIT) wait = SHORTEST_WAIT;
      await sleep(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      if (run && wait === SHORTEST_WAIT) console.error(`kubectl proxy ended (${reason}): it is started again`);
      run = await this.#start(flags).catch(() => undefined);
    }
  }
}

/** One `kubectl proxy`, from its start to its end. */
class Run {
  /** Where it listens, once it does. */
  readonly serving: Promise<string>;
  /** Why it ended. */
  readonly ended: Promise<string>;
  readonly #guard: ChildProcessWithoutNullStreams;

  constructor(folder: string, flags: readonly string[]) {
    const child = spawn(process.execPath, [guard, folder, 'kubectl', ...flags]);
    this.#guard = child;
    child.stdin.on('error', () => undefined);
    let [stdout, stderr] = ['', ''];
    child.stderr.on('data', (data) => (stderr = (stderr + data).slice(-MAX_OUTPUT)));
    const said = (): string => stderr.trim().split('\n').at(-1)?.replace(/^error: /, '') || 'it did not say why';
    const closed = once(child, 'close');
    this.ended = once(child, 'exit').then(async ([, signal]) => {
      // A guard that was killed could not end what it guards.
      const pid = stdout.match(/^process (\d+)$/m)?.[1];
      if (signal !== null && pid !== undefined) kill(Number(pid));
      await closed;
      return said();
    });
    this.serving = new Promise((resolve, reject) => {
      child.stdout.on('data', (data) => {
        stdout = (stdout + data).slice(0, MAX_OUTPUT);
        const address = stdout.match(/^Starting to serve on (.+)$/m)?.[1];
        if (address) resolve(address);
      });
      void this.ended.then((reason) => reject(new Refusal(`kubectl proxy did not start: ${reason}`)));
    });
  }

  async stop(): Promise<void> {
    this.#guard.stdin.end();
    await this.ended;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

/** A new folder that only this user can enter, with a path short enough for a socket. */
async function socketFolder(): Promise<string> {
  const fits = (folder: string): boolean => Buffer.byteLength(join(folder, `${FOLDER}123456`, SOCKET)) <= MAX_SOCKET_PATH;
  const parent = fits(tmpdir()) ? tmpdir() : '/tmp';
  try {
    return await mkdtemp(join(parent, FOLDER));
  } catch (error) {
    throw new Refusal(`no folder for the socket of kubectl proxy: ${(error as Error).message}`);
  }
}

function kubeconfigFlags({ kubeconfig }: Options): string[] {
  return kubeconfig === undefined ? [] : [`--kubeconfig=${kubeconfig}`];
}

/** The name of the context that is meant, if the kubeconfig has it. */
export async function contextOf(options: Options): Promise<string> {
  const asked = options.context;
  const offer = 'or see a simulated cluster with --demo';
  const question = asked === undefined ? ['config', 'current-context'] : ['config', 'get-contexts', asked, '--output=name'];
  try {
    const { stdout } = await promisify(execFile)('kubectl', [...kubeconfigFlags(options), ...question]);
    return stdout.trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new Refusal(`kubectl is not on the PATH: install it (https://kubernetes.io/docs/tasks/tools), ${offer}`);
    }
    if (asked !== undefined) throw new Refusal(`the kubeconfig has no context ${asked}: \`kubectl config get-contexts\` lists them`);
    throw new Refusal(`the kubeconfig has no current context: name one with --context, ${offer}`);
  }
}
