// `node --expose-gc node.mjs FOLDER SIZES ROUNDS`: measures in this process. FOLDER has what wasm-bindgen made. A JSON line a row.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { measure } from "./cache.mjs";

const [folder, sizes, rounds] = process.argv.slice(2);
const url = pathToFileURL(join(folder, "masthead_bench.js"));
const module = readFileSync(join(folder, "masthead_bench_bg.wasm"));
const sim = await import(`${url}?sim`);
const engine = await import(`${url}?engine`);
sim.initSync({ module });
const { memory } = engine.initSync({ module });
const turn = () => new Promise((done) => setImmediate(done));
const host = {
  // Of this process alone: other work on the machine does not count.
  now: () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
  turn,
  heap: async () => {
    for (let round = 0; round < 3; round += 1) {
      globalThis.gc();
      await turn();
    }
    return process.memoryUsage().heapUsed;
  },
  memory: () => memory.buffer.byteLength,
};
const report = (row) => console.log(JSON.stringify(row));
await measure({ sim, engine, host, sizes: sizes.split(",").map(Number), rounds: Number(rounds), report });
process.exit(0);
