/// <reference lib="esnext.disposable" preserve="true" />
// A local copy of a collection that follows the server.

import { Backlog } from './backlog.js';
import { Told, type Change } from './change.js';
import { KubernetesError, guarded } from './error.js';
import type { Client, Informer as Engine, Moment, Snapshot } from './glue/masthead.js';
import { Listeners, type ChangeListeners } from './listeners.js';
import { keyOf, type KubernetesObject, type ResourceName } from './object.js';
import { settled, type Abortable } from './pending.js';
import { pairs, type Selection } from './resource.js';
import type { AnyFields, Row } from './row.js';

/** What to keep a copy of, and how. */
export interface InformerOptions<T, F = AnyFields> extends ResourceName, Selection, Abortable {
  /** One namespace; all of them, or none where the kind has none, unless told otherwise. */
  readonly namespace?: string | undefined;
  /** Several namespaces in one informer, each by requests of its own: for who may not list them all. */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * The fields of rows by the paths they lie at, as in `{ node: 'spec.nodeName', images: 'spec.containers[*].image' }`. A
   * backslash stands before a dot that belongs to a name.
   */
  readonly fields?: { readonly [K in keyof F]: string } | undefined;
  /**
   * Indexes for `byIndex`: by a path, or by a function that gives the values of an object. A path costs nothing; for a
   * function every object is decoded as it comes.
   */
  readonly indexers?: { readonly [name: string]: string | ((object: T) => readonly string[]) } | undefined;
  /**
   * What is kept of an object, which must stay the object of that name. Every object is decoded for it as it comes. One for
   * which it throws is `stale`, and told to `error` listeners. `metadata.managedFields` is left out always.
   */
  readonly transform?: ((object: T) => T) | undefined;
  /**
   * How many objects a page of the list has; all of them are read, page after page. 500 unless told otherwise, and 5000 where
   * there is no page or worker: what nobody looks at has no frames to keep.
   */
  readonly pageSize?: number | undefined;
  /** How often listeners are told everything again as updates, in seconds; never unless told otherwise. */
  readonly resync?: number | undefined;
}

/** Something went wrong. The informer goes on. */
export interface Trouble {
  /**
   * What failed: a list or a watch, which is tried again; the new state of one object, which is `stale` from then on; an
   * object of which not even the name can be read, or the last state of one that is gone; a listener, which threw; or a
   * stream whose beginning does not end.
   */
  readonly during: 'list' | 'watch' | 'stale' | 'skipped' | 'listener' | 'overdue';
  readonly error: unknown;
}

/** An object that the server has, and whose present state could not be decoded or transformed. */
export interface StaleObject {
  /** As `get` takes it, which gives an earlier state, or nothing where none could ever be decoded. */
  readonly key: string;
  readonly uid: string;
  /** The version of the state that could not be decoded. */
  readonly resourceVersion: string;
  readonly error: KubernetesError;
}

/** What `on` takes. */
export interface InformerListeners<T, F> extends ChangeListeners<T, F> {
  error: (trouble: Trouble) => void;
}

/** Those that run. They do until they are stopped, whether anybody holds them or not. */
const running = new Set<object>();

/**
 * Keeps a copy of a collection equal to the server's, and tells of every change.
 *
 * It runs from the beginning, over outages and expired versions, until it is stopped: by `stop`, by its signal, or at the
 * end of a `using` block. Objects are kept compressed and decoded when somebody asks for one.
 */
export class Informer<T extends KubernetesObject, F = AnyFields> implements AsyncIterable<Change<T, F>>, Disposable {
  readonly #description: string;
  readonly #errors = new Set<(trouble: Trouble) => void>();
  readonly #backlogs = new Set<Backlog<T, F>>();
  #engine: Engine | undefined;
  #listeners: Listeners<T, F> | undefined;

  /** @internal */
  constructor(client: Client, options: InformerOptions<T, F>) {
    const { signal, namespaces } = options;
    signal?.throwIfAborted();
    this.#description = `inform of ${options.resource}`;
    if (namespaces?.length === 0) throw KubernetesError.of(this.#description, 'namespaces is empty');
    const plan = new Plan(options);
    const troubled = (during: Trouble['during'], thrown: unknown): void => {
      // What a listener throws is told as it is thrown.
      if (during !== 'listener') this.#trouble({ during, error: KubernetesError.from(thrown) });
    };
    this.#engine = guarded(() => client.informer(call(options), plan.json, plan.prepare, troubled));
    this.#engine.start();
    running.add(this);
    signal?.addEventListener('abort', () => this.stop(), { once: true });
  }

  /**
   * Resolves once the copy is complete. Rejects when that will not happen by itself: the server refuses (`isForbidden`), or
   * has no such resource (`isNotFound`). A server that cannot be reached is waited for.
   */
  async synced({ signal }: Abortable = {}): Promise<void> {
    await settled(() => this.#open.synced(), signal);
  }

  /** Whether the copy was complete once. */
  get hasSynced(): boolean {
    return this.#open.hasSynced;
  }

  /**
   * Calls `listener` for everything that is there, as additions, and from then on for every change; gives what takes it out.
   *
   * A listener hears of the changes of one object in their order. Those that are added in one go hear of all changes in
   * their order. What a listener throws goes to `error` listeners or, where there is none, is an uncaught exception.
   */
  on<K extends keyof InformerListeners<T, F>>(type: K, listener: InformerListeners<T, F>[K]): () => void {
    if (type === 'error') {
      const told = listener as InformerListeners<T, F>['error'];
      this.#errors.add(told);
      return () => void this.#errors.delete(told);
    }
    if (!this.#listeners?.isOpen) {
      const failed = (error: unknown): void => this.#trouble({ during: 'listener', error });
      this.#listeners = new Listeners((told) => guarded(() => this.#open.tell(told)), failed);
    }
    const kind = type as Exclude<K, 'error'>;
    return this.#listeners.add(kind, listener as ChangeListeners<T, F>[typeof kind]);
  }

  /**
   * Everything that is there, as additions, and from then on every change, for `for await`. Ends when the informer is
   * stopped. A reader that is slower than the changes is told of each object's latest state only.
   */
  async *changes({ signal }: Abortable = {}): AsyncGenerator<Change<T, F>, void, undefined> {
    signal?.throwIfAborted();
    const backlog = new Backlog<T, F>();
    const registration = guarded(() =>
      this.#open.tell((what: number, key: string, moment: Moment, flag: boolean) => backlog.push(Told.of(what, key, moment, flag))),
    );
    registration.want(ALL);
    const end = (): void => backlog.end();
    this.#backlogs.add(backlog);
    signal?.addEventListener('abort', end, { once: true });
    try {
      for (let change = await backlog.next(); change; change = await backlog.next()) yield change as Change<T, F>;
      signal?.throwIfAborted();
    } finally {
      signal?.removeEventListener('abort', end);
      this.#backlogs.delete(backlog);
      registration.free();
    }
  }

  [Symbol.asyncIterator](): AsyncGenerator<Change<T, F>, void, undefined> {
    return this.changes();
  }

  /** The object of this key (`namespace/name`, or `name` where there is no namespace). */
  get(key: string): T | undefined {
    const json = guarded(() => this.#open.get(key));
    return json === undefined ? undefined : (JSON.parse(json) as T);
  }

  /** All objects, in no order. Each is decoded: for many of them `rows` is faster by far. */
  list(): T[] {
    return objects(this.#open.snapshot());
  }

  /** The objects that have `value` in the index of this name. */
  byIndex(name: string, value: string): T[] {
    return objects(guarded(() => this.#open.byIndex(name, value)));
  }

  /** Every value of the index of this name, in their order. */
  indexValues(name: string): string[] {
    return guarded(() => this.#open.indexValues(name));
  }

  /** The row of this key. */
  row(key: string): Row<F> | undefined {
    const json = guarded(() => this.#open.row(key));
    return json === undefined ? undefined : (JSON.parse(json) as Row<F>);
  }

  /** The rows of all objects, in no order: the `fields` that the informer was made with, without decoding the rest. */
  rows(): Row<F>[] {
    return rows(this.#open.snapshot());
  }

  /** The rows of the objects that have `value` in the index of this name. */
  rowsByIndex(name: string, value: string): Row<F>[] {
    return rows(guarded(() => this.#open.byIndex(name, value)));
  }

  /** The keys of all objects, in their order. */
  keys(): string[] {
    return this.#open.keys();
  }

  /** The objects whose present state could not be decoded or transformed, in the order of their keys. */
  stale(): StaleObject[] {
    const told = this.#open.stale() as [string, string, string, unknown][];
    return told.map(([key, uid, resourceVersion, thrown]) => ({
      key,
      uid,
      resourceVersion,
      error: KubernetesError.from(thrown) as KubernetesError,
    }));
  }

  /** How many objects there are. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Resolves once the copy has the state that a write answered with, so that a reader sees its own writes. Where others
   * write the same object too, bound it by a signal: a state that has passed by is not recognised.
   */
  async has(written: T, { signal }: Abortable = {}): Promise<void> {
    const version = written.metadata?.resourceVersion ?? '';
    await settled(() => this.#open.waitFor(keyOf(written), version), signal);
  }

  /** Ends every request; listeners hear nothing more, and readers of changes come to an end. The copy stays as it is. */
  stop(): void {
    this.#engine?.stop();
    running.delete(this);
    for (const backlog of this.#backlogs) backlog.end();
  }

  /** Stops it and gives its memory back. */
  [Symbol.dispose](): void {
    this.stop();
    this.#engine?.free();
    this.#engine = undefined;
  }

  get #open(): Engine {
    if (!this.#engine) throw KubernetesError.of(this.#description, 'the informer was disposed of', 'closed');
    return this.#engine;
  }

  #trouble(trouble: Trouble): void {
    for (const told of [...this.#errors]) told(trouble);
    if (this.#errors.size === 0 && trouble.during === 'listener') {
      queueMicrotask(() => {
        throw trouble.error;
      });
    }
  }
}

/** Whether somebody may be looking: this is a page or a worker of one. */
const IS_SEEN = 'document' in globalThis || 'WorkerGlobalScope' in globalThis;

const LARGE_PAGE = 5000;

/** Additions, updates and deletions. */
const ALL = 7;

/** What the engine is told of fields, indexes, namespaces and transform. */
class Plan<T, F> {
  readonly json: string;
  readonly prepare: ((json: string) => [string | undefined, ...(readonly string[])[]]) | undefined;

  constructor({ fields, indexers = {}, namespaces, transform, pageSize, resync }: InformerOptions<T, F>) {
    const entries = Object.entries(indexers);
    const paths = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    const functions = entries.flatMap(([name, by]) => (typeof by === 'function' ? [{ name, by }] : []));
    this.json = JSON.stringify({
      fields: Object.entries(fields ?? {}),
      indexes: paths,
      functions: functions.map(({ name }) => name),
      namespaces,
      pageSize: pageSize ?? (IS_SEEN ? undefined : LARGE_PAGE),
      resync,
    });
    if (!transform && functions.length === 0) return;
    this.prepare = (json) => {
      const object = JSON.parse(json) as T;
      const kept = transform ? transform(object) : object;
      return [transform && JSON.stringify(kept), ...functions.map(({ by }) => by(kept))];
    };
  }
}

function call<T, F>({ group = '', version, resource, namespace, labelSelector, fieldSelector }: InformerOptions<T, F>): string {
  const query = pairs({ labelSelector, fieldSelector });
  return JSON.stringify({ verb: 'list', group, version, resource, namespace, query });
}

function objects<T>(snapshot: Snapshot): T[] {
  return pieces(snapshot, () => snapshot.objects());
}

function rows<F>(snapshot: Snapshot): Row<F>[] {
  return pieces(snapshot, () => snapshot.rows());
}

function pieces<R>(snapshot: Snapshot, next: () => string | undefined): R[] {
  const all: R[] = [];
  try {
    for (let json = guarded(next); json !== undefined; json = guarded(next)) {
      for (const one of JSON.parse(json) as R[]) all.push(one);
    }
    return all;
  } finally {
    snapshot.free();
  }
}
