// Answers chosen addresses from the page itself, as a server would; the rest goes to the network.
const served = new Map();
const network = globalThis.fetch;

globalThis.fetch = (request, options) => {
  const url = new URL(typeof request === "string" ? request : request.url, location.href);
  const entry = served.get(url.pathname);
  if (!entry) return network(request, options);
  const signal = options?.signal ?? request.signal;
  signal.addEventListener("abort", () => entry.aborts++);
  entry.requests.push(url.search);
  const { code, bytes, type, chunks } = url.searchParams.get("limit") === "1" ? entry.list : entry;
  if (bytes) return Promise.resolve(new Response(new Blob([bytes]), { status: code, headers: { "content-type": type } }));
  if (!chunks) return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  return Promise.resolve(new Response(open(chunks, signal), { headers: { "content-type": "application/json" } }));
};

/** A body of these chunks that stays open until it is aborted. */
function open(chunks, signal) {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      signal.addEventListener("abort", () => controller.error(signal.reason));
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
    },
  });
}

const entry = (answer) => ({ aborts: 0, requests: [], list: never, ...answer });
const never = {};

/** Serves a stream that stays open, or nothing ever. */
export function serve(path, chunks) {
  served.set(path, entry({ chunks }));
}

/** Serves a complete answer. */
export function serveBytes(path, code, bytes, type) {
  served.set(path, entry({ code, bytes, type }));
}

/** What a list with `limit=1` of a served path answers. */
export function serveList(path, code, text) {
  served.get(path).list = { code, bytes: text, type: "application/json" };
}

export function aborts(path) {
  return served.get(path).aborts;
}

/** The queries that were asked for so far. */
export function requests(path) {
  return served.get(path).requests;
}
