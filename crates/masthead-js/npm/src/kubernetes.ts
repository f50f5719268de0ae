// The way to one server.

import { contained } from './contained.js';
import { Discovery } from './discovery.js';
import { guarded } from './error.js';
import { Client } from './glue/masthead.js';
import { Informer, type InformerOptions } from './informer.js';
import { LeaderElection, type LeaderElectionOptions } from './leader-election.js';
import type { KubernetesObject, ResourceName } from './object.js';
import { Recorder, type RecorderOptions } from './recorder.js';
import { Resource } from './resource.js';
import type { AnyFields } from './row.js';
import { WorkQueue, type WorkQueueOptions } from './workqueue.js';

/** Where a server is, as whom it is asked, and how hard. */
export interface ConnectOptions {
  /**
   * An address as `http://127.0.0.1:8001`, with the path below which the API lies, if any; or a path on the page's own
   * origin, which is the root unless told otherwise. Node has no origin.
   */
  readonly baseUrl?: string | undefined;
  /** A bearer token, or what gives one: asked when none is known, and again after the server refused one. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** As whom to act instead, if the server allows it. */
  readonly impersonate?: Impersonation | undefined;
  /** Requests a second in the long run; no limit unless told otherwise. */
  readonly qps?: number | undefined;
  /** Requests at once; needed with `qps`. */
  readonly burst?: number | undefined;
  /** Sent where the platform allows it: browsers keep their own. */
  readonly userAgent?: string | undefined;
  /** How many seconds a request may take; no limit unless told otherwise. Watches are not bound by it. */
  readonly timeout?: number | undefined;
  /** Another place for WebSockets: a path that stands before the others, or an address in place of the server's. */
  readonly webSocketBase?: string | undefined;
  /** Is told what the server warns of, as deprecated versions. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** Another user. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: { readonly [key: string]: readonly string[] } | undefined;
}

/** Clients and informers of one server. */
export class Kubernetes {
  readonly #client: Client;
  #discovery: Discovery | undefined;

  /** @internal */
  constructor(options: ConnectOptions) {
    const { baseUrl = '', token, impersonate, qps, burst = 0, userAgent, timeout, webSocketBase, onWarning } = options;
    const settings = {
      baseUrl,
      token: typeof token === 'string' ? token : undefined,
      impersonate: impersonate && { ...impersonate, extra: Object.entries(impersonate.extra ?? {}) },
      qps: qps ?? -1,
      burst,
      userAgent,
      timeout,
      socketBase: webSocketBase,
    };
    const provider = typeof token === 'function' ? token : undefined;
    this.#client = guarded(() => new Client(JSON.stringify(settings), provider, onWarning && contained(onWarning)));
  }

  /** The objects of a resource: of `namespace`, of all, or of a kind that has none. */
  resource<T extends KubernetesObject = KubernetesObject>(
    name: ResourceName & { readonly namespace?: string | undefined },
  ): Resource<T> {
    return new Resource(this.#client, name, name.namespace);
  }

  /**
   * A copy of a collection that follows the server, from now until it is stopped.
   *
   * `T` is what its objects are. `F` is what its rows have, where the names and types of `fields` are to be known.
   */
  informer<T extends KubernetesObject = KubernetesObject, F = AnyFields>(options: InformerOptions<T, F>): Informer<T, F> {
    return new Informer(this.#client, options);
  }

  /** What the server serves. */
  get discovery(): Discovery {
    this.#discovery ??= new Discovery(this.#client);
    return this.#discovery;
  }

  /** A candidate for a Lease. */
  leaderElection(options: LeaderElectionOptions): LeaderElection {
    return new LeaderElection(this.#client, options);
  }

  /** A recorder of the events of a component. */
  recorder(options: RecorderOptions): Recorder {
    return new Recorder(this.#client, options);
  }

  /** A queue of keys that are to be worked on. */
  workqueue(options: WorkQueueOptions = {}): WorkQueue {
    return new WorkQueue(this.#client, options);
  }
}
