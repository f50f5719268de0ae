// Informers in React components.

import { useEffect, useRef, useState } from 'react';

import type { Informer, InformerOptions } from './informer.js';
import type { Kubernetes } from './kubernetes.js';
import type { KubernetesObject } from './object.js';
import type { AnyFields, Row } from './row.js';

/** What a component knows of a collection. */
export interface InformerState<T extends KubernetesObject, F> {
  /** Whether the copy was complete once. */
  readonly synced: boolean;
  /** Why it is not complete, where that does not go away by itself. */
  readonly error: unknown;
  /** The informer itself, for indexes and listeners. It is stopped when the component goes. */
  readonly informer: Informer<T, F> | undefined;
}

/** All objects of a collection. */
export interface Objects<T extends KubernetesObject, F> extends InformerState<T, F> {
  readonly objects: readonly T[];
}

/** The rows of a collection. */
export interface Rows<T extends KubernetesObject, F> extends InformerState<T, F> {
  readonly rows: readonly Row<F>[];
}

/**
 * The objects of a collection, live, for as long as the component is there. Changes that come together are shown together, once
 * a frame; an object that did not change stays the same one.
 *
 * Without a connection, or without options, there is nothing. The informer is made anew when an option changes that is no
 * function. For more than some hundred objects, `useRows` is faster.
 */
export function useInformer<T extends KubernetesObject = KubernetesObject, F = AnyFields>(
  kubernetes: Kubernetes | undefined,
  options: InformerOptions<T, F> | undefined,
): Objects<T, F> {
  const { values, ...state } = useCollection<T, F, T>(kubernetes, options, (change) => change.object);
  return { ...state, objects: values };
}

/** As `useInformer`, of the `fields` of the objects alone, which costs a fraction. */
export function useRows<T extends KubernetesObject = KubernetesObject, F = AnyFields>(
  kubernetes: Kubernetes | undefined,
  options: InformerOptions<T, F> | undefined,
): Rows<T, F> {
  const { values, ...state } = useCollection<T, F, Row<F>>(kubernetes, options, (change) => change.row);
  return { ...state, rows: values };
}

interface Collection<T extends KubernetesObject, F, V> extends InformerState<T, F> {
  readonly values: readonly V[];
}

type Look<T, F, V> = (change: { readonly object: T; readonly row: Row<F> }) => V;

function useCollection<T extends KubernetesObject, F, V>(
  kubernetes: Kubernetes | undefined,
  options: InformerOptions<T, F> | undefined,
  look: Look<T, F, V>,
): Collection<T, F, V> {
  const [state, setState] = useState<Collection<T, F, V>>(nothing);
  // Functions are new in every render, and mean the same.
  const latest = useRef({ options, look });
  useEffect(() => {
    latest.current = { options, look };
  });
  const name = options && JSON.stringify({ ...options, signal: undefined });
  useEffect(() => {
    const { options, look } = latest.current;
    if (!kubernetes || !options) {
      setState(nothing);
      return;
    }
    return follow(kubernetes, options, look, setState);
  }, [kubernetes, name]);
  return state;
}

function nothing<T extends KubernetesObject, F, V>(): Collection<T, F, V> {
  return { values: [], synced: false, error: undefined, informer: undefined };
}

/** Shows a collection until what it gives back is called. */
function follow<T extends KubernetesObject, F, V>(
  kubernetes: Kubernetes,
  options: InformerOptions<T, F>,
  look: Look<T, F, V>,
  show: (state: Collection<T, F, V>) => void,
): () => void {
  const values = new Map<string, V>();
  const frame = new Frame(() => show({ values: [...values.values()], synced: informer.hasSynced, error: informer.hasSynced ? undefined : error, informer }));
  let error: unknown;
  const informer = kubernetes.informer(options);
  const set = (change: { readonly key: string; readonly object: T; readonly row: Row<F> }): void => {
    values.set(change.key, look(change));
    frame.ask();
  };
  informer.on('add', set);
  informer.on('update', set);
  informer.on('delete', ({ key }) => {
    values.delete(key);
    frame.ask();
  });
  informer
    .synced()
    .catch((failed: unknown) => (error = failed))
    .finally(() => frame.ask());
  return () => {
    frame.cancel();
    informer[Symbol.dispose]();
  };
}

/** Does something once in the time of a frame at most. By a timer, since a hidden page has no frames. */
class Frame {
  readonly #draw: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over = false;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  ask(): void {
    if (this.#over) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#draw();
    }, FRAME);
  }

  cancel(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }
}

/** In milliseconds. */
const FRAME = 16;
