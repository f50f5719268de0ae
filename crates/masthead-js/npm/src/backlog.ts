// Changes that a reader has yet to come to.

import type { Told } from './change.js';

/**
 * What happened since the reader last looked, at most one change for each object: a reader that is slow misses states, but
 * never the last one. So it holds no more than what is there and what the reader believes to be there. @internal
 */
export class Backlog<T, F> {
  readonly #changes = new Map<string, Told<T, F>>();
  #awaited: (() => void) | undefined;
  #ended = false;

  push(change: Told<T, F>): void {
    const before = this.#changes.get(change.key);
    const merged = before ? before.followedBy(change) : change;
    if (merged) this.#changes.set(change.key, merged);
    else this.#changes.delete(change.key);
    this.#wake();
  }

  /** Nothing more comes. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The next change; nothing once it has ended. */
  async next(): Promise<Told<T, F> | undefined> {
    for (;;) {
      if (this.#ended) return undefined;
      for (const [key, change] of this.#changes) {
        this.#changes.delete(key);
        return change;
      }
      await new Promise<void>((resolve) => (this.#awaited = resolve));
    }
  }

  #wake(): void {
    this.#awaited?.();
    this.#awaited = undefined;
  }
}
