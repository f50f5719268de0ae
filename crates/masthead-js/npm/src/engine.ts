// The WebAssembly module under everything, loaded once.

import load from './glue/masthead.js';

/** Where the module comes from: an address, an answer to a request for it, its bytes, or the compiled module. */
export type WasmSource =
  | string
  | URL
  | Response
  | PromiseLike<Response>
  | ArrayBuffer
  | Uint8Array<ArrayBuffer>
  | CompiledModule;

/** `WebAssembly.Module`, where the types of the platform have one: those of Node do not. */
export type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;

let loading: Promise<void> | undefined;

/** Loads the module, unless it is there or on its way: then `source` is not asked. @internal */
export function loadOnce(source: () => WasmSource | Promise<WasmSource>): Promise<void> {
  loading ??= start(source).catch((error: unknown) => {
    // The next to ask may have better luck.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function start(source: () => WasmSource | Promise<WasmSource>): Promise<void> {
  await load({ module_or_path: await source() });
}
