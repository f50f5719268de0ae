// `node web.mjs URL PODS ROUNDS CHROMIUM`: how the page does with so many pods that change. One JSON line: the best of each.

import { chromium } from 'playwright-core';

import { probe } from './probe.mjs';
import { tasks } from './tasks.mjs';

const url = process.env.MASTHEAD_ADDRESS;
const [pods, rounds, executablePath] = process.argv.slice(2);

/** Typed a key at a time. */
const FILTERS = ['checkout', 'zzz', 'status=Running', 'app=search-3', '/^(gateway|ledger)-1\\d?-/', 'restarts>=0 ingest', 'worker-1'];
const COLUMNS = ['AGE', 'RESTARTS', 'NODE', 'NAME', 'STATUS'];
/** Half again as long as a frame of a screen with 60 of them a second: one was dropped. */
const LATE = 25;

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'] });
const best = {};
for (let round = 0; round < Number(rounds); round += 1) {
  for (const [name, value] of Object.entries(await measured())) {
    console.error(`  ${name} ${value.toFixed(1)}`);
    best[name] = Math.min(best[name] ?? Infinity, value);
  }
}
await browser.close();
console.log(JSON.stringify(best));

/** One visit. */
async function measured() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
  const page = await context.newPage();
  await page.addInitScript(probe, Number(pods));
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });

  const loading = await tasks(browser, page, async () => {
    await page.goto(at('pods'));
    await page.waitForFunction(() => globalThis.probe.live, undefined, { timeout: 300_000 });
  });
  const { first, live } = await page.evaluate(() => ({ first: globalThis.probe.first, live: globalThis.probe.live }));
  const share = await busy(page, devtools);
  const elements = await page.evaluate(() => document.querySelectorAll('*').length);
  const { gaps, work } = await scrolled(page, devtools);
  const keys = await typed(page);
  const sorts = await sorted(page);
  const memory = await held(page, devtools);
  await context.close();
  return {
    ...(await floor()), first, live, 'live task': loading.longest, 'live long': loading.over,
    ...spread('key', keys.map((key) => key.first)), ...spread('key whole', keys.map((key) => key.whole)),
    ...spread('sort', sorts), frames: gaps.length, late: gaps.filter((gap) => gap > LATE).length, gap: Math.max(...gaps),
    'scroll task': work.longest, 'scroll long': work.over, share, elements, ...memory,
  };
}

/**
 * What no page can do without, in the same browser a moment later: the pages of the list through `JSON.parse` into a map, and
 * the first rows as plain elements. It draws nothing else and follows no change.
 */
async function floor() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const api = new URL(url).hash.match(/api=([^&]*)/)[1];
  // Any place of this origin will do, and one without the program best.
  await page.goto(new URL('/floor', url).href);
  const seen = await page.evaluate(async (pods) => {
    const began = performance.now();
    const [all, figures] = [new Map(), {}];
    let token = '';
    do {
      const answer = await fetch(`${pods}?limit=500&pretty=false&continue=${encodeURIComponent(token)}`);
      const { items, metadata } = await answer.json();
      for (const pod of items) all.set(pod.metadata.uid, pod);
      if (figures.first === undefined) {
        document.body.replaceChildren(...items.slice(0, 40).map((pod) => {
          const row = document.createElement('div');
          row.textContent = `${pod.metadata.namespace} ${pod.metadata.name} ${pod.status.phase} ${pod.spec.nodeName}`;
          return row;
        }));
        figures.first = performance.now() - began;
      }
      token = metadata.continue ?? '';
    } while (token);
    globalThis.kept = all;
    return { ...figures, live: performance.now() - began };
  }, `${api}/api/v1/pods`);
  const { memory } = await held(page, devtools);
  await context.close();
  return { 'floor first': seen.first, 'floor live': seen.live, 'floor memory': memory };
}

function at(route) {
  const address = new URL(url);
  address.hash = `#/${route}?${address.hash.match(/api=[^&]*/)[0]}`;
  return address.href;
}

/** The share of its time that the main thread works while nobody does anything. */
async function busy(page, devtools) {
  const read = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    const of = (name) => metrics.find((metric) => metric.name === name).value;
    return { time: performance.now() / 1000, worked: of('TaskDuration') };
  };
  const before = await read();
  await page.waitForTimeout(8000);
  const after = await read();
  return ((after.worked - before.worked) / (after.time - before.time)) * 100;
}

/** Scrolls through rows for some seconds. */
async function scrolled(page, devtools) {
  const box = await page.locator('[data-testid=grid]').boundingBox();
  let gaps;
  const work = await tasks(browser, page, async () => {
    const frames = page.evaluate(() => globalThis.probe.frames(4500));
    await devtools.send('Input.synthesizeScrollGesture', {
      x: box.x + box.width / 2, y: box.y + box.height / 2, yDistance: -12_000, speed: 2500, gestureSourceType: 'mouse',
    });
    gaps = await frames;
  });
  return { gaps, work };
}

/** Types filters; each key that changes what is shown is timed. */
async function typed(page) {
  const seen = [];
  const box = page.locator('[data-testid=filter]');
  for (const filter of FILTERS) {
    await box.focus();
    for (const letter of filter) {
      const { first, whole } = await reaction(page, 'expectFilter', () => page.keyboard.press(letter));
      // A filter that is not whole yet, such as the beginning of a regular expression, changes nothing.
      if (first !== undefined) seen.push({ first, whole: whole ?? Infinity });
    }
    await box.fill('');
    await page.waitForTimeout(400);
  }
  return seen;
}

/** How long the page takes to answer what a person does. */
async function reaction(page, expectation, act) {
  await page.evaluate((name) => globalThis.probe[name](), expectation);
  await act();
  return page.evaluate(() => globalThis.probe.expected);
}

/** Clicks on the heads of columns, up and down. */
async function sorted(page) {
  const seen = [];
  for (const column of COLUMNS) {
    const head = page.locator('[data-testid=sort]', { hasText: new RegExp(`^${column}$`) });
    if (await head.count() === 0) continue;
    for (let click = 0; click < 3; click += 1) {
      const { first } = await reaction(page, 'expectSort', () => head.click());
      if (first !== undefined) seen.push(first);
    }
  }
  return seen;
}

/** Megabytes after garbage was collected. */
async function held(page, devtools) {
  for (let round = 0; round < 3; round += 1) await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const wasm = await page.evaluate(() => (globalThis.probe?.memories ?? []).reduce((sum, memory) => sum + memory.buffer.byteLength, 0));
  return { heap: usedSize / 1e6, wasm: wasm / 1e6, memory: (usedSize + wasm) / 1e6 };
}

function spread(name, values) {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { [`${name} median`]: at(0.5), [`${name} p95`]: at(0.95), [`${name} max`]: sorted.at(-1) };
}
