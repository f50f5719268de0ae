// The package with its engine inside, for where a second file is one too many.

import { loadOnce, type WasmSource } from './engine.js';
import { base64 } from './glue/base64.js';
import { Kubernetes, type ConnectOptions } from './kubernetes.js';

export * from './api.js';

/** Loads the engine, once: the first call decides where it comes from, and `connect` is one. */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  return loadOnce(() => source ?? Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));
}

/** Clients and informers of a server. Nothing is sent before they are used. */
export async function connect(options: ConnectOptions = {}): Promise<Kubernetes> {
  await init();
  return new Kubernetes(options);
}
