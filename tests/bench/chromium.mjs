// `node chromium.mjs FOLDER SIZES ROUNDS CHROMIUM`: measures in a page of headless Chromium. A JSON line a row.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [folder, sizes, rounds, chromium] = process.argv.slice(2);

const PAGE = `<!doctype html><title>bench</title><script type="module">
const say = (path, what) => fetch(path, { method: "POST", body: JSON.stringify(what) });
try {
  const [{ measure }, sim, engine] = await Promise.all(
    ["/cache.mjs", "/masthead_bench.js?sim", "/masthead_bench.js?engine"].map((url) => import(url)));
  await sim.default({ module_or_path: "/masthead_bench_bg.wasm" });
  const { memory } = await engine.default({ module_or_path: "/masthead_bench_bg.wasm" });
  const turn = () => new Promise((done) => setTimeout(done));
  const heap = async () => {
    for (let round = 0; round < 3; round += 1) { gc(); await turn(); }
    return performance.memory.usedJSHeapSize;
  };
  const host = { now: () => performance.now(), turn, heap, memory: () => memory.buffer.byteLength };
  const sizes = ${JSON.stringify(sizes.split(",").map(Number))};
  await measure({ sim, engine, host, sizes, rounds: ${Number(rounds)}, report: (row) => say("/row", row) });
  await say("/done", {});
} catch (error) {
  await say("/failed", String(error.stack ?? error));
}
</script>`;

const FILES = {
  "/": ["text/html", () => PAGE],
  "/cache.mjs": ["text/javascript", () => readFileSync(new URL("cache.mjs", import.meta.url))],
  "/masthead_bench.js": ["text/javascript", () => readFileSync(join(folder, "masthead_bench.js"))],
  "/masthead_bench_bg.wasm": ["application/wasm", () => readFileSync(join(folder, "masthead_bench_bg.wasm"))],
};

const profile = mkdtempSync(join(tmpdir(), "masthead-bench-"));
let browser;

function end(code) {
  browser.removeAllListeners("exit");
  browser.once("exit", () => {
    rmSync(profile, { recursive: true, force: true });
    process.exit(code);
  });
  browser.kill();
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => end(1));

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  if (request.method !== "POST") {
    const [type, body] = FILES[pathname] ?? ["text/plain", () => "no such file"];
    response.writeHead(FILES[pathname] ? 200 : 404, { "Content-Type": type });
    response.end(body());
    return;
  }
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    response.end();
    if (pathname === "/row") return console.log(body);
    if (pathname === "/failed") console.error(JSON.parse(body));
    end(pathname === "/done" ? 0 : 1);
  });
});
server.listen(0, "127.0.0.1", () => {
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--enable-precise-memory-info",
    "--js-flags=--expose-gc", `--user-data-dir=${profile}`, `http://127.0.0.1:${server.address().port}/`];
  browser = spawn(chromium, flags, { stdio: "ignore" });
  browser.once("exit", () => {
    console.error("Chromium ended before the measurement did");
    process.exit(1);
  });
  browser.once("error", (error) => {
    console.error(String(error));
    process.exit(1);
  });
});
