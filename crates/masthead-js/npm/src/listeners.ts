// Listeners that are told the same changes together.

import { Told, type Added, type Change, type Deleted, type Updated } from './change.js';
import type { Moment, Registration } from './glue/masthead.js';

/** What there is to listen to. */
export interface ChangeListeners<T, F> {
  add: (change: Added<T, F>) => void;
  update: (change: Updated<T, F>) => void;
  delete: (change: Deleted<T, F>) => void;
}

type Kind = keyof ChangeListeners<unknown, unknown>;

const BITS: Record<Kind, number> = { add: 1, update: 2, delete: 4 };

/**
 * Listeners with one place in the informer, so that they hear of changes in the order of the changes. It is open to others
 * until the first of them has heard something. @internal
 */
export class Listeners<T, F> {
  readonly #listeners = new Map<symbol, { kind: Kind; call: (change: Change<T, F>) => void }>();
  readonly #failed: (error: unknown) => void;
  #registration: Registration | undefined;
  isOpen = true;

  constructor(register: (told: (...told: Parameters<typeof Told.of>) => void) => Registration, failed: (error: unknown) => void) {
    this.#failed = failed;
    this.#registration = register((what: number, key: string, moment: Moment, flag: boolean) => {
      this.isOpen = false;
      this.#tell(Told.of<T, F>(what, key, moment, flag));
    });
  }

  /** Adds a listener; gives what takes it out. */
  add<K extends Kind>(kind: K, call: ChangeListeners<T, F>[K]): () => void {
    const place = Symbol(kind);
    this.#listeners.set(place, { kind, call: call as (change: Change<T, F>) => void });
    this.#want();
    return () => {
      this.#listeners.delete(place);
      this.#want();
    };
  }

  #tell(told: Told<T, F>): void {
    for (const { kind, call } of [...this.#listeners.values()]) {
      if (kind !== told.type) continue;
      try {
        call(told as Change<T, F>);
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  /** Nothing that nobody wants is made into JavaScript; whoever has no listener has no place. */
  #want(): void {
    let wanted = 0;
    for (const { kind } of this.#listeners.values()) wanted |= BITS[kind];
    this.#registration?.want(wanted);
    if (wanted === 0) {
      this.isOpen = false;
      this.#registration?.free();
      this.#registration = undefined;
    }
  }
}
