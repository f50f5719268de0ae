// The tasks of a page's main thread, by the time that they keep a processor: what else the machine does is not in it.

/** A task that takes longer keeps a frame from its time. */
const FRAME = 16;

/** The longest task while `act` runs, in milliseconds, and how many were longer than a frame. */
export async function tasks(browser, page, act) {
  await browser.startTracing(page, { categories: ['toplevel'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const mains = new Set(traceEvents.filter(isMain).map(thread));
  const times = traceEvents.filter((event) => event.ph === 'X' && event.name.endsWith('RunTask') && mains.has(thread(event)));
  const spans = times.map((event) => (event.tdur ?? event.dur ?? 0) / 1000);
  return { longest: spans.reduce((most, span) => Math.max(most, span), 0), over: spans.filter((span) => span > FRAME).length };
}

const isMain = (event) => event.name === 'thread_name' && event.args.name === 'CrRendererMain';
const thread = (event) => `${event.pid}/${event.tid}`;
