// Measures caches of pods: a Map of what JSON.parse gives, and Masthead's informers of each form.
//
// The same in Node and in a page. `host` tells the time, collects garbage and says how much memory JavaScript has; `sim` and `engine` are
// two instances of the same module: one makes the pages, the other is measured.

/** Measures every form at every size, best of `rounds`; calls `report` with each row. */
export async function measure({ sim, engine, host, sizes, rounds, report }) {
  // Code that was never run is slow in every engine; what a person feels is the second page.
  for (const form of FORMS) await run({ sim, engine, host, form, size: 2000 });
  for (const size of sizes) {
    for (const form of FORMS) {
      let best;
      for (let round = 0; round < rounds; round += 1) {
        const row = await run({ sim, engine, host, form, size });
        if (!best || row.seconds < best.seconds) best = row;
      }
      report(best);
    }
  }
}

const FORMS = ["js", "typed", "lean", "packed"];

async function run({ sim, engine, host, form, size }) {
  const server = new sim.Server(size);
  let making = 0;
  let bytes = 0;
  const page = (token) => {
    const begun = host.now();
    const made = server.page(token);
    bytes += made.length;
    making += host.now() - begun;
    return made;
  };
  const row = form === "js" ? await floor(host, page) : await informer(engine, host, form, page);
  server.free();
  const seconds = (row.elapsed - making) / 1000;
  return { form, size, megabytes: bytes / 1e6, seconds, speed: bytes / 1e6 / seconds, ...row };
}

/** What a program without a library does: parse, drop what nobody reads, keep. */
async function floor(host, page) {
  const before = await host.heap();
  const begun = host.now();
  const map = new Map();
  const decoder = new TextDecoder();
  let token = "";
  do {
    const list = JSON.parse(decoder.decode(page(token)));
    for (const pod of list.items) {
      delete pod.metadata.managedFields;
      map.set(`${pod.metadata.namespace}/${pod.metadata.name}`, pod);
    }
    token = list.metadata.continue;
    await host.turn();
  } while (token);
  const elapsed = host.now() - begun;
  const live = (await host.heap()) - before;
  return { elapsed, live, count: map.size };
}

async function informer(engine, host, form, page) {
  let first;
  const kept = (token) => {
    const made = page(token);
    first ??= made;
    return made;
  };
  const before = engine.allocated();
  const cache = new engine.Cache(form, kept);
  const begun = host.now();
  const count = await cache.sync();
  const elapsed = host.now() - begun;
  const live = engine.allocated() - before;
  const accounted = cache.accounted();
  cache.index();
  const frame = changed(first);
  cache.update(frame, 200);
  const started = host.now();
  cache.update(frame, UPDATES);
  const update = ((host.now() - started) * 1000) / UPDATES;
  const asked = host.now();
  const unpacked = cache.unpack();
  const unpack = unpacked > 0 ? ((host.now() - asked) * 1000) / count : undefined;
  cache.free();
  await host.turn();
  return { elapsed, live, count, accounted, update, unpack, memory: host.memory() };
}

const UPDATES = 2000;

/** An event that changes the first pod of a page. */
function changed(page) {
  const pod = JSON.parse(new TextDecoder().decode(page)).items[0];
  pod.metadata.resourceVersion = "9000001";
  return new TextEncoder().encode(JSON.stringify({ type: "MODIFIED", object: pod }));
}
