// What happened to an object, decoded when somebody looks.

import { guarded } from './error.js';
import type { Moment } from './glue/masthead.js';
import type { AnyFields, Row } from './row.js';

interface Changed<T, F> {
  /** `namespace/name`, or `name` where there is no namespace. */
  readonly key: string;
  /** The state now. Decoded at the first look, and only then. */
  readonly object: T;
  /** The fields that the informer was asked for. */
  readonly row: Row<F>;
}

/** The object came. */
export interface Added<T, F = AnyFields> extends Changed<T, F> {
  readonly type: 'add';
  /** Whether it was there before the listener was. */
  readonly initial: boolean;
}

/** The object has another state, or the same one that is told again by a resync. */
export interface Updated<T, F = AnyFields> extends Changed<T, F> {
  readonly type: 'update';
  /** The state before. Decoded at the first look, and only then. */
  readonly old: T;
}

/** The object went. */
export interface Deleted<T, F = AnyFields> {
  readonly type: 'delete';
  readonly key: string;
  /** The last state that was seen. */
  readonly object: T;
  readonly row: Row<F>;
  /** Whether the deletion itself was missed, so that `object` may not be the last state there was. */
  readonly finalStateUnknown: boolean;
}

/** What happened to an object. */
export type Change<T, F = AnyFields> = Added<T, F> | Updated<T, F> | Deleted<T, F>;

/** How the engine names what happened. */
const NAMES = ['add', 'update', 'delete'] as const;

/** A change as the engine tells it. @internal */
export class Told<T, F> {
  readonly type: (typeof NAMES)[number];
  readonly key: string;
  readonly initial: boolean;
  readonly finalStateUnknown: boolean;
  readonly #now: Lazy<T, F>;
  readonly #before: Lazy<T, F> | undefined;

  private constructor(type: (typeof NAMES)[number], key: string, now: Lazy<T, F>, before: Lazy<T, F> | undefined, flag: boolean) {
    this.type = type;
    this.key = key;
    this.#now = now;
    this.#before = before;
    this.initial = type === 'add' && flag;
    this.finalStateUnknown = type === 'delete' && flag;
  }

  static of<T, F>(what: number, key: string, moment: Moment, flag: boolean): Told<T, F> {
    const type = NAMES[what] ?? 'update';
    return new Told(type, key, new Lazy(moment, false), type === 'update' ? new Lazy(moment, true) : undefined, flag);
  }

  get object(): T {
    return this.#now.object;
  }

  get row(): Row<F> {
    return this.#now.row;
  }

  get old(): T | undefined {
    return this.#before?.object;
  }

  /** This and what came after it, told as one: nothing, or what leads from the one state to the other. */
  followedBy(next: Told<T, F>): Told<T, F> | undefined {
    switch (next.type) {
      case 'delete':
        return this.type === 'add' ? undefined : next;
      case 'update':
        return new Told(this.type, next.key, next.#now, this.#before, this.initial);
      case 'add':
        // What was deleted and made again is another object of the same name; there is one before and one now.
        return new Told('update', next.key, next.#now, this.#now, false);
    }
  }
}

/** A state that is decoded once. */
class Lazy<T, F> {
  readonly #moment: Moment;
  readonly #before: boolean;
  #object: T | undefined;
  #row: Row<F> | undefined;

  constructor(moment: Moment, before: boolean) {
    this.#moment = moment;
    this.#before = before;
  }

  get object(): T {
    this.#object ??= guarded(() => JSON.parse(this.#moment.json(this.#before) ?? 'null') as T);
    return this.#object;
  }

  get row(): Row<F> {
    this.#row ??= JSON.parse(this.#moment.row(this.#before) ?? 'null') as Row<F>;
    return this.#row;
  }
}
