// What this package asks of an object: as good as nothing, so that anybody's types will do.

/** The metadata that this package reads. */
export interface KubernetesMetadata {
  name?: string | undefined;
  namespace?: string | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
}

/**
 * The least that an object is. Types of other packages fit (`Pod` of kubernetes-types, `V1Pod` of client-node), and so does
 * an interface of one's own with the fields one reads. Times are strings, as they are in JSON.
 */
export interface KubernetesObject {
  apiVersion?: string | undefined;
  kind?: string | undefined;
  metadata?: KubernetesMetadata | undefined;
}

/** A page of a list. */
export interface KubernetesList<T> {
  apiVersion: string;
  kind: string;
  metadata: {
    /** Where a watch begins that misses nothing. Opaque. */
    resourceVersion: string;
    /** Where the next page begins; absent on the last. */
    continue?: string;
    remainingItemCount?: number;
  };
  items: T[];
}

/** `namespace/name`, or `name` where there is no namespace: the key of an object in an informer. */
export function keyOf(object: KubernetesObject): string {
  const { namespace, name = '' } = object.metadata ?? {};
  return namespace ? `${namespace}/${name}` : name;
}

/** Which resource. */
export interface ResourceName {
  /** Leave it out, or empty, for the core group. */
  readonly group?: string | undefined;
  readonly version: string;
  /** The plural name that stands in paths, as in `pods`. */
  readonly resource: string;
}
