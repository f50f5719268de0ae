/// <reference lib="esnext.disposable" preserve="true" />
// What is to be done, each key once, for any number of workers.

import { guarded } from './error.js';
import type { Client, Queue, Work } from './glue/masthead.js';
import { settled, type Abortable } from './pending.js';

/** How long keys wait that are added with a limit. What is left out is as in client-go's controllers. */
export interface WorkQueueOptions {
  /** Seconds before the first retry of a key, doubled for each further one; 0.005 unless told otherwise. */
  readonly base?: number | undefined;
  /** Seconds that a key waits at most; 1000 unless told otherwise. */
  readonly max?: number | undefined;
  /** Retries a second of all keys together, in the long run; 10 unless told otherwise. */
  readonly qps?: number | undefined;
  /** Retries at once; 100 unless told otherwise. */
  readonly burst?: number | undefined;
  /**
   * Whether keys of a higher priority come first, as in controller-runtime: then `add` and its like take one. A key that has
   * been ready for a minute is overdue, and while there are any every fourth is the oldest of them, so that none starves. Shut
   * down, such a queue hands out nothing more.
   */
  readonly priority?: boolean | undefined;
}

/** How a key is added. */
export interface AddOptions {
  /** The more the sooner; 0 unless told otherwise. For queues that were made with `priority`. */
  readonly priority?: number | undefined;
}

/** How `run` works. */
export interface WorkerOptions extends Abortable {
  /** How many keys are worked on at a time; one unless told otherwise. */
  readonly concurrency?: number | undefined;
  /** How often a key is tried again at most; for ever unless told otherwise. */
  readonly retries?: number | undefined;
  /** Is told what a worker threw, and how often the key was tried again before. */
  readonly onError?: ((error: unknown, key: string, retries: number) => void) | undefined;
}

/** A key that nobody else works on until it is done. Disposed of before, it goes back to the end of the queue. */
export class WorkItem implements Disposable {
  readonly key: string;
  /** The priority it was handed out with. */
  readonly priority: number;
  readonly #work: Work;
  #open = true;

  /** @internal */
  constructor(work: Work) {
    this.key = work.key ?? '';
    this.priority = work.priority;
    this.#work = work;
  }

  /** The work is done, whether it succeeded or not. If the key was added meanwhile it is queued now. */
  done(): void {
    if (this.#open) this.#work.done();
  }

  [Symbol.dispose](): void {
    if (this.#open) this.#work.free();
    this.#open = false;
  }
}

/**
 * Keys that are to be worked on, in the order they were added, or those of a higher priority first.
 *
 * A key that is added many times before it is worked on is worked on once, and never by two workers at once. One that is added
 * while it is worked on is worked on again after that.
 */
export class WorkQueue {
  readonly #queue: Queue;
  readonly #ranked: boolean;

  /** @internal */
  constructor(client: Client, options: WorkQueueOptions) {
    this.#ranked = options.priority ?? false;
    this.#queue = guarded(() => client.queue(JSON.stringify(options)));
  }

  /** Marks a key as to be worked on. */
  add(key: string, options: AddOptions = {}): void {
    this.#add(key, 0, false, options);
  }

  /** Marks a key after so many seconds. */
  addAfter(key: string, seconds: number, options: AddOptions = {}): void {
    this.#add(key, seconds, false, options);
  }

  /** Marks a key after a time that grows with each call, until the key is forgotten. */
  addRateLimited(key: string, options: AddOptions = {}): void {
    this.#add(key, 0, true, options);
  }

  /** Ends the counting of a key. */
  forget(key: string): void {
    this.#queue.forget(key);
  }

  /** How often a key was added by `addRateLimited` since it was forgotten. */
  requeues(key: string): number {
    return this.#queue.requeues(key);
  }

  /** The next key, waiting for one if there is none; nothing once the queue is shut down and empty. */
  async get({ signal }: Abortable = {}): Promise<WorkItem | undefined> {
    const work = (await settled(() => this.#queue.get(), signal)) as Work | undefined;
    return work && new WorkItem(work);
  }

  /**
   * Calls `worker` for every key until the queue is shut down or `signal` is aborted. A key whose worker throws is tried again
   * after a time that grows; one whose worker does not is forgotten.
   */
  async run(worker: (key: string, signal: AbortSignal | undefined) => Promise<void> | void, options: WorkerOptions = {}): Promise<void> {
    const { concurrency = 1 } = options;
    await Promise.all(Array.from({ length: concurrency }, () => this.#work(worker, options)));
  }

  /** How many keys wait for a worker. */
  get size(): number {
    return this.#queue.size;
  }

  /** How many keys are being worked on. */
  get working(): number {
    return this.#queue.working;
  }

  /** Takes nothing more. Workers get what is queued; what was to be added later is forgotten. */
  shutDown(): void {
    this.#queue.shutDown();
  }

  /** Takes nothing more, and waits until all is done, for so many seconds at most; gives how many keys are left. */
  async drain({ limit = Infinity, signal }: Abortable & { readonly limit?: number } = {}): Promise<number> {
    return (await settled(() => this.#queue.drain(limit), signal)) as number;
  }

  #add(key: string, delay: number, limited: boolean, { priority }: AddOptions): void {
    guarded(() => this.#queue.add(key, delay, limited, priority));
  }

  async #work(worker: (key: string, signal: AbortSignal | undefined) => Promise<void> | void, options: WorkerOptions): Promise<void> {
    const { signal, retries = Infinity, onError } = options;
    for (;;) {
      const item = await this.get({ signal }).catch((error: unknown) => {
        if (signal?.aborted) return undefined;
        throw error;
      });
      if (!item) return;
      const { key, priority } = item;
      try {
        await worker(key, signal);
        this.forget(key);
      } catch (error) {
        const before = this.requeues(key);
        onError?.(error, key, before);
        if (before < retries) this.addRateLimited(key, this.#ranked ? { priority } : {});
        else this.forget(key);
      } finally {
        item.done();
        item[Symbol.dispose]();
      }
    }
  }
}
