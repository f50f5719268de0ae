// One of many leads.

import { contained } from './contained.js';
import { KubernetesError, guarded } from './error.js';
import type { Client, Elector } from './glue/masthead.js';
import { settled, type Abortable } from './pending.js';

/** Which lease decides, and how fast. Times are in seconds; all candidates should have the same. */
export interface LeaderElectionOptions {
  readonly namespace: string;
  /** The name of the Lease. */
  readonly name: string;
  /** Who this candidate is; different from every other. */
  readonly identity: string;
  /** How long a candidate waits without seeing the lease change before it takes over; 15 unless told otherwise. */
  readonly leaseDuration?: number | undefined;
  /** How long the leader goes on trying to renew before it gives up; 10 unless told otherwise. */
  readonly renewDeadline?: number | undefined;
  /** The time between two attempts; 2 unless told otherwise. */
  readonly retryPeriod?: number | undefined;
}

/** How a candidate takes part. */
export interface Candidacy extends Abortable {
  /** Is told whenever another candidate leads, and this one. */
  readonly onLeader?: ((identity: string) => void) | undefined;
  /** Is told of attempts that failed; they are made again. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A candidate for a Lease. */
export class LeaderElection {
  readonly #elector: Elector;

  /** @internal */
  constructor(client: Client, options: LeaderElectionOptions) {
    const { namespace, name, identity, leaseDuration, renewDeadline, retryPeriod } = options;
    const times = JSON.stringify({ leaseDuration, renewDeadline, retryPeriod });
    this.#elector = guarded(() => client.elector(namespace, name, identity, times));
  }

  /**
   * Waits for the lease and calls `lead` once this candidate has it, with a signal that is aborted when it has it no more.
   *
   * Ends when `lead` does, never before: the lease is then given up, so that another need not wait. So `lead` must come to an
   * end when its signal is aborted. Rejects with what `lead` throws, with the reason of `signal`, and when the lease is lost.
   */
  async run<R>(lead: (leading: AbortSignal) => Promise<R>, { signal, onLeader, onError }: Candidacy = {}): Promise<R> {
    const lost = new AbortController();
    const over = new AbortController();
    const end = (): void => over.abort(signal?.reason);
    signal?.throwIfAborted();
    signal?.addEventListener('abort', end, { once: true });
    let led: Promise<R> | undefined;
    const report = (what: string, about: unknown): void => {
      if (what === 'leading') led = Promise.resolve(lost.signal).then(lead).finally(() => over.abort());
      else if (what === 'leader') contained(() => onLeader?.(about as string))();
      else if (what === 'failed') contained(() => onError?.(KubernetesError.from(about)))();
    };
    try {
      // Ends by itself when the lease is lost, and by `over` when the work is done or nobody wants it any more.
      await settled(() => this.#elector.run(report), over.signal).catch((error: unknown) => {
        if (!over.signal.aborted) throw error;
      });
      const missed = !over.signal.aborted;
      lost.abort(missed ? KubernetesError.of('lead', 'the lease was lost', 'closed') : signal?.reason);
      signal?.throwIfAborted();
      const result = await (led as Promise<R>);
      if (missed) throw lost.signal.reason;
      return result;
    } finally {
      signal?.removeEventListener('abort', end);
      await Promise.allSettled([led]);
      if (this.#elector.isLeader) await settled(() => this.#elector.release()).catch(() => undefined);
    }
  }

  /** Whether this candidate holds a lease that lasts at this moment, by the own clock. */
  get isLeader(): boolean {
    return this.#elector.isLeader;
  }

  /** Who led when the lease was last seen. */
  get leader(): string | undefined {
    return this.#elector.leader;
  }
}
