/// <reference lib="esnext.disposable" preserve="true" />
// Events that tell what a component does.

import { contained } from './contained.js';
import { KubernetesError, guarded } from './error.js';
import type { Client, Recorder as Engine } from './glue/masthead.js';
import type { KubernetesObject } from './object.js';
import { settled, type Abortable } from './pending.js';

/** Who records. */
export interface RecorderOptions {
  /** The name of the component, as `kubectl describe` shows it. */
  readonly component: string;
  /** Where the component runs. */
  readonly host?: string | undefined;
  /**
   * Which events are recorded: `core/v1`, unless told otherwise, or `events.k8s.io/v1`, where an event also names the action
   * and another object, and repetitions are a series.
   */
  readonly api?: 'v1' | 'events.k8s.io/v1' | undefined;
  /** Is told in words of every event that is lost. */
  readonly onLoss?: ((loss: string) => void) | undefined;
}

/** What only events of `events.k8s.io/v1` say. */
export interface EventDetails {
  /** What was done, one word in UpperCamelCase; the reason unless told otherwise. */
  readonly action?: string | undefined;
  /** Another object that had a part in it. */
  readonly related?: KubernetesObject | undefined;
}

/** What became of the events. */
export interface EventCounts {
  /** Accepted by the server. */
  readonly written: number;
  /** Told of by the count of another. */
  readonly merged: number;
  /** Left out, since there were too many of one object. */
  readonly filtered: number;
  /** Given up. */
  readonly lost: number;
  /** On their way. */
  readonly pending: number;
}

/**
 * Records events of one component. Recording never waits and never fails: equal events are counted, similar ones of `core/v1`
 * are combined, and what cannot be written is counted as lost.
 */
export class Recorder implements Disposable {
  #engine: Engine | undefined;

  /** @internal */
  constructor(client: Client, { component, host, api = 'v1', onLoss }: RecorderOptions) {
    this.#engine = guarded(() => client.recorder(component, host, api !== 'v1', onLoss && contained(onLoss)));
  }

  /** Records that something happened to an object. A reason is one word in UpperCamelCase; the message is for people. */
  event(object: KubernetesObject, type: 'Normal' | 'Warning', reason: string, message: string, details: EventDetails = {}): void {
    const { action = reason, related } = details;
    const about = JSON.stringify({ action, objects: [object, ...(related ? [related] : [])].map(reference) });
    guarded(() => this.#open.event(about, type === 'Warning', reason, message));
  }

  /** Resolves once everything that was recorded was written or given up. */
  async flushed({ signal }: Abortable = {}): Promise<void> {
    await settled(() => this.#open.flushed(), signal);
  }

  /** What became of the events so far. */
  get counts(): EventCounts {
    return JSON.parse(guarded(() => this.#open.counts())) as EventCounts;
  }

  /** Ends the writing; what was not written is gone. */
  [Symbol.dispose](): void {
    this.#engine?.free();
    this.#engine = undefined;
  }

  get #open(): Engine {
    if (!this.#engine) throw KubernetesError.of('record event', 'the recorder was disposed of', 'closed');
    return this.#engine;
  }
}

function reference({ apiVersion, kind, metadata: { namespace, name, uid, resourceVersion } = {} }: KubernetesObject): object {
  if (!kind || !name) {
    throw KubernetesError.of('record event', 'the object needs a kind and a name; in a list the server names the kind once for all');
  }
  return { apiVersion, kind, namespace, name, uid, resourceVersion };
}
