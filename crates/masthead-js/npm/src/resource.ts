// The verbs of one resource.

import { KubernetesError } from './error.js';
import type { Client, Pending, Reading, Watching } from './glue/masthead.js';
import { lines, logQuery, type LogOptions } from './log.js';
import type { KubernetesList, KubernetesObject, ResourceName } from './object.js';
import { parsed, settled, type Abortable } from './pending.js';
import { ACCEPT, tableOf, type Table, type TableAnswer, type TableOptions } from './table.js';

/** Where a request goes and how long it may take. */
export interface RequestOptions extends Abortable {
  /** In place of the resource's own namespace, or of the object's. */
  readonly namespace?: string | undefined;
  /** In seconds. */
  readonly timeout?: number | undefined;
}

export interface GetOptions extends RequestOptions {
  /** `'0'` for what the server has at hand; the latest otherwise. */
  readonly resourceVersion?: string | undefined;
}

export interface Selection {
  /** Only objects with these labels, as in `app=web,tier!=db`. */
  readonly labelSelector?: string | undefined;
  /** Only objects with these fields, as in `spec.nodeName=n1`. */
  readonly fieldSelector?: string | undefined;
}

export interface ListOptions extends RequestOptions, Selection {
  /** How many objects a page has at most. */
  readonly limit?: number | undefined;
  /** Where the last page ended. */
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan' | undefined;
}

export interface WatchOptions extends RequestOptions, Selection {
  /** Where to begin: the version of a list. */
  readonly resourceVersion?: string | undefined;
  readonly allowWatchBookmarks?: boolean | undefined;
  readonly timeoutSeconds?: number | undefined;
}

export interface WriteOptions extends RequestOptions {
  /** Check everything and store nothing. */
  readonly dryRun?: boolean | undefined;
  /** Who owns the fields that are set. */
  readonly fieldManager?: string | undefined;
  /** What the server does about fields it does not know. */
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}

export interface PatchOptions extends WriteOptions {
  /** How the patch is meant; `merge` unless told otherwise. `strategic` is for built-in kinds only. */
  readonly type?: 'json' | 'merge' | 'strategic' | undefined;
}

export interface ApplyOptions extends RequestOptions {
  /** Who owns the fields that are set. The server requires it. */
  readonly fieldManager: string;
  /** Take fields from their owners, where it would be a conflict. */
  readonly force?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

export interface DeleteOptions extends RequestOptions {
  readonly dryRun?: boolean | undefined;
  /** How long the object may take to end by itself; 0 is at once. */
  readonly gracePeriodSeconds?: number | undefined;
  /** What happens to the objects it owns. */
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground' | undefined;
  /** What must be true of the object, or nothing is deleted. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string } | undefined;
}

/** One event of a watch. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: { readonly metadata: { readonly resourceVersion: string } } };

const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

type Query = Record<string, string | number | boolean | undefined>;

interface Call {
  verb: string;
  name?: string | undefined;
  namespace?: string | undefined;
  query?: Query;
  contentType?: string;
  accept?: string;
  subresource?: string;
  body?: unknown;
}

/**
 * Reads and changes the objects of one resource: of one namespace, of all, or of a kind that has none.
 *
 * Objects are plain JSON, as the server sends and takes them. Every method rejects with a `KubernetesError`.
 */
export class Resource<T extends KubernetesObject = KubernetesObject> {
  readonly #client: Client;
  readonly #name: ResourceName;
  readonly #namespace: string | undefined;
  readonly #subresource: string;

  /** @internal */
  constructor(client: Client, name: ResourceName, namespace?: string, subresource = '') {
    this.#client = client;
    this.#name = name;
    this.#namespace = namespace;
    this.#subresource = subresource;
  }

  /** The same resource in one namespace. */
  namespace(namespace: string): Resource<T> {
    return new Resource(this.#client, this.#name, namespace, this.#subresource);
  }

  /** A part of the objects that has verbs of its own, as `status` or `scale`. */
  subresource<S extends KubernetesObject = T>(subresource: string): Resource<S> {
    return new Resource(this.#client, this.#name, this.#namespace, subresource);
  }

  /** The object of this name. */
  async get(name: string, options: GetOptions = {}): Promise<T> {
    const query = { resourceVersion: options.resourceVersion };
    return parsed(() => this.#send({ verb: 'get', name, query }, options), options.signal);
  }

  /** One page of the objects; all of them without a `limit`. */
  async list(options: ListOptions = {}): Promise<KubernetesList<T>> {
    const call = { verb: 'list', query: listQuery(options) };
    const list = await parsed<KubernetesList<T>>(() => this.#send(call, options), options.signal);
    // Go writes an empty list as null.
    list.items ??= [];
    return list;
  }

  /**
   * What `kubectl get` prints of the objects: the server's columns, and a row for each. From a server that makes no tables of
   * the kind, names and times.
   */
  async table(options: TableOptions = {}): Promise<Table> {
    const query = { ...listQuery(options), includeObject: options.includeObject };
    const call = { verb: 'list', query, accept: ACCEPT };
    return tableOf(await parsed<TableAnswer>(() => this.#send(call, options), options.signal));
  }

  /**
   * The lines of a container's log, for `for await`: what there is, and with `follow` what comes. Ends with the container;
   * leaving the loop or aborting the signal ends it too. Of a pod, or of what has a log by another name.
   */
  async *logs(name: string, options: LogOptions = {}): AsyncGenerator<string, void, undefined> {
    const query = logQuery(options);
    const call = this.#call({ verb: 'get', name, query, subresource: 'log' }, options);
    yield* lines((await settled(() => this.#client.open(call), options.signal)) as Reading, options.signal);
  }

  /** Creates the object; gives it as the server stored it. */
  async create(object: T, options: WriteOptions = {}): Promise<T> {
    const name = this.#subresource ? nameOf(object, 'create') : undefined;
    return this.#write({ verb: 'create', name, body: object }, object, options);
  }

  /** Replaces the object of the same name, if it has not changed since its `resourceVersion`. */
  async update(object: T, options: WriteOptions = {}): Promise<T> {
    return this.#write({ verb: 'update', name: nameOf(object, 'update'), body: object }, object, options);
  }

  /** Changes the object of this name. */
  async patch(name: string, patch: object, options: PatchOptions = {}): Promise<T> {
    const contentType = PATCH_TYPES[options.type ?? 'merge'];
    return this.#write({ verb: 'patch', name, body: patch, contentType }, undefined, options);
  }

  /** Server-side apply: makes the fields of `configuration` so, and the field manager their owner. */
  async apply(configuration: T, options: ApplyOptions): Promise<T> {
    const { fieldManager, force = false, dryRun } = options;
    const query = { fieldManager, force, dryRun: dryRun ? 'All' : undefined };
    const call = { verb: 'apply', name: nameOf(configuration, 'apply'), body: configuration, query };
    const placed = { contentType: 'application/apply-patch+yaml', namespace: configuration.metadata?.namespace, ...call };
    return parsed(() => this.#send(placed, options), options.signal);
  }

  /** Deletes the object of this name. It may live on until its finalizers are done. */
  async delete(name: string, options: DeleteOptions = {}): Promise<void> {
    await settled(() => this.#send({ verb: 'delete', name, body: deletion(options) }, options), options.signal);
  }

  /** Deletes every object that is selected. */
  async deleteCollection(options: DeleteOptions & Selection = {}): Promise<void> {
    const query = { labelSelector: options.labelSelector, fieldSelector: options.fieldSelector };
    await settled(() => this.#send({ verb: 'deletecollection', query, body: deletion(options) }, options), options.signal);
  }

  /**
   * The changes from `resourceVersion` on, over one connection: it ends when the server ends it, and throws when the version
   * is too old (`isGone`). An informer takes care of both.
   */
  async *watch(options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const { labelSelector, fieldSelector, resourceVersion, allowWatchBookmarks, timeoutSeconds, signal } = options;
    const query = { labelSelector, fieldSelector, resourceVersion, allowWatchBookmarks, timeoutSeconds, watch: true };
    const call = this.#call({ verb: 'watch', query }, { ...options, timeout: undefined });
    const watching = (await settled(() => this.#client.watch(call), signal)) as Watching;
    try {
      for (;;) {
        const event = await settled(() => watching.next(), signal);
        if (typeof event !== 'string') return;
        yield JSON.parse(event) as WatchEvent<T>;
      }
    } finally {
      watching.free();
    }
  }

  async #write(call: Call, object: T | undefined, options: WriteOptions): Promise<T> {
    const { fieldManager, fieldValidation, dryRun } = options;
    const query = { fieldManager, fieldValidation, dryRun: dryRun ? 'All' : undefined };
    const placed = { namespace: object?.metadata?.namespace, ...call, query };
    return parsed(() => this.#send(placed, options), options.signal);
  }

  #send(call: Call, options: RequestOptions): Pending {
    const contentType = call.contentType ?? (call.body === undefined ? '' : 'application/json');
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    return this.#client.send(this.#call({ ...call, contentType }, options), body);
  }

  #call({ verb, name, namespace, query = {}, contentType, accept, subresource }: Call, options: RequestOptions): string {
    return JSON.stringify({
      verb,
      group: this.#name.group ?? '',
      version: this.#name.version,
      resource: this.#name.resource,
      namespace: options.namespace ?? this.#namespace ?? namespace,
      name,
      subresource: subresource ?? this.#subresource,
      query: pairs(query),
      contentType,
      accept,
      timeout: options.timeout,
    });
  }
}

function listQuery(options: ListOptions): Query {
  const { labelSelector, fieldSelector, limit, resourceVersion, resourceVersionMatch } = options;
  return { labelSelector, fieldSelector, limit, continue: options.continue, resourceVersion, resourceVersionMatch };
}

/** What is set, as text. @internal */
export function pairs(query: Query): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
}

function nameOf(object: KubernetesObject, verb: string): string {
  const name = object.metadata?.name;
  if (!name) throw KubernetesError.of(`${verb} object`, 'metadata.name is missing');
  return name;
}

function deletion({ dryRun, gracePeriodSeconds, propagationPolicy, preconditions }: DeleteOptions): object {
  const options = { gracePeriodSeconds, propagationPolicy, preconditions, dryRun: dryRun ? ['All'] : undefined };
  return { kind: 'DeleteOptions', apiVersion: 'v1', ...options };
}
