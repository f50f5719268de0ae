// Waiting for the engine, and no longer than a signal allows.

import { KubernetesError, guarded } from './error.js';
import type { Pending } from './glue/masthead.js';

/** What every operation that takes time can be told. */
export interface Abortable {
  /** Ends the operation, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What comes of an operation. @internal */
export async function settled(begin: () => Pending, signal?: AbortSignal): Promise<unknown> {
  signal?.throwIfAborted();
  const pending = guarded(begin);
  // Taken at once: a handle that was freed has no promise any more.
  const { promise } = pending;
  let open = true;
  const end = (): void => {
    if (open) pending.free();
    open = false;
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await promise;
  } catch (thrown) {
    if (signal?.aborted) throw signal.reason;
    throw KubernetesError.from(thrown);
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}

/** As `settled`, of an operation that answers JSON. @internal */
export async function parsed<R>(begin: () => Pending, signal?: AbortSignal): Promise<R> {
  return JSON.parse((await settled(begin, signal)) as string) as R;
}
