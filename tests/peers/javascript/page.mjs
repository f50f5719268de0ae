// The page of `chromium.mjs`: measures what the address asks for and reports it.

import init, * as engine from './masthead_peer.js';
import { measure } from './pods.mjs';

const asked = new URLSearchParams(location.hash.slice(1));

async function run() {
  const { memory } = await init();
  // Nothing runs before this to warm the code up: what is measured is the first seconds of a page.
  const { cache, figures } = await measure(engine, asked.get('form'), location.origin);
  globalThis.gc();
  await new Promise((turn) => setTimeout(turn));
  globalThis.gc();
  const live = performance.memory.usedJSHeapSize + memory.buffer.byteLength;
  // It must live until its memory is counted.
  cache.free?.();
  return { ...figures, live };
}

const report = await run().catch((error) => ({ error: String(error) }));
await fetch(asked.get('report'), { method: 'POST', mode: 'no-cors', body: JSON.stringify(report) });
