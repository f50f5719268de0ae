// The package in Node.

import { readFile } from 'node:fs/promises';

import { loadOnce, type WasmSource } from './engine.js';
import { Kubernetes, type ConnectOptions } from './kubernetes.js';

export * from './api.js';

/** Loads the engine, once: the first call decides where it comes from, and `connect` is one. */
export function init(source?: WasmSource | Promise<WasmSource>): Promise<void> {
  return loadOnce(() => source ?? own());
}

/** Clients and informers of a server. Nothing is sent before they are used. */
export async function connect(options: ConnectOptions = {}): Promise<Kubernetes> {
  await init();
  return new Kubernetes(options);
}

/** The module beside this file, which Node cannot fetch. */
async function own(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(new URL('./masthead.wasm', import.meta.url)));
}
