// What a server serves.

import type { Client, Discovery as Engine } from './glue/masthead.js';
import { parsed, type Abortable } from './pending.js';

/** One API group. */
export interface ApiGroup {
  /** Empty for the core group. */
  readonly name: string;
  /** The versions that are served, in the server's order. */
  readonly versions: readonly string[];
  /** The version that the server prefers. */
  readonly preferred: string | null;
}

/** One resource of one version of a group. */
export interface ApiResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural name that stands in paths; `pods/log` for a subresource. */
  readonly resource: string;
  readonly kind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
}

/** All that a server serves, and what of it could not be learnt. */
export interface ApiCatalog {
  readonly resources: readonly ApiResource[];
  readonly failed: readonly { readonly groupVersion: string; readonly message: string }[];
}

/** The server's version. */
export interface ServerVersion {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly platform: string;
}

/** Asks a server what it serves, once: answers are kept until `forget`. */
export class Discovery {
  readonly #engine: Engine;

  /** @internal */
  constructor(client: Client) {
    this.#engine = client.discovery();
  }

  /** The groups that are served, the core group first. */
  async groups({ signal }: Abortable = {}): Promise<readonly ApiGroup[]> {
    return parsed(() => this.#engine.groups(), signal);
  }

  /** Every resource and subresource in every version. */
  async resources({ signal }: Abortable = {}): Promise<ApiCatalog> {
    return parsed(() => this.#engine.resources(false), signal);
  }

  /** Every resource once, in the version the server prefers, without subresources. */
  async preferredResources({ signal }: Abortable = {}): Promise<ApiCatalog> {
    return parsed(() => this.#engine.resources(true), signal);
  }

  /** The resource that a person calls so: `deploy`, `deployments.apps`, `po`. Rejects where there is none (`isNoMatch`). */
  async find(name: string, { signal }: Abortable = {}): Promise<ApiResource> {
    return parsed(() => this.#engine.find(name), signal);
  }

  /** The resource whose objects are of this kind, in the version the server prefers unless one is given. */
  async findKind(group: string, kind: string, { version, signal }: Abortable & { version?: string } = {}): Promise<ApiResource> {
    return parsed(() => this.#engine.findKind(group, kind, version), signal);
  }

  /** The server's version. */
  async version({ signal }: Abortable = {}): Promise<ServerVersion> {
    return parsed(() => this.#engine.version(), signal);
  }

  /** Forgets what is known, so that the server is asked again. */
  forget(): void {
    this.#engine.forget();
  }
}
