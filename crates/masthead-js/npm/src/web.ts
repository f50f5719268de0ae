// The package in a page or a worker.

import { loadOnce, type WasmSource } from './engine.js';
import { Kubernetes, type ConnectOptions } from './kubernetes.js';

export * from './api.js';

/**
 * Loads the engine, once: the first call decides where it comes from, and `connect` is one. `source` is needed where a
 * bundler does not understand `new URL('masthead.wasm', import.meta.url)`; see also `masthead/inline`.
 */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  return loadOnce(() => source ?? new URL('./masthead.wasm', import.meta.url));
}

/** Clients and informers of a server. Nothing is sent before they are used. */
export async function connect(options: ConnectOptions = {}): Promise<Kubernetes> {
  await init();
  return new Kubernetes(options);
}
