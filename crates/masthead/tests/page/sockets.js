// WebSockets that behave as a path's script says: browsers let no page be a WebSocket server.
const paths = new Map();

class Scripted {
  constructor(url, protocols) {
    this.url = url;
    this.entry = paths.get(new URL(url).pathname);
    this.entry.made.push(protocols === undefined ? url : `${url} ${protocols}`);
    this.entry.opening++;
    this.entry.most = Math.max(this.entry.most, this.entry.opening);
    setTimeout(() => this.play(), 5);
  }

  play() {
    const { behaviour, messages } = this.entry;
    if (this.over || behaviour === "silent") return;
    if (behaviour === "refuse") return this.end(1006);
    this.settle();
    this.onopen?.({});
    for (const data of messages) this.onmessage?.({ data });
    if (behaviour === "cut") this.end(1006);
    if (behaviour === "drop") setTimeout(() => this.end(1006), 5);
    if (behaviour === "finish") this.end(1000);
  }

  settle() {
    if (!this.settled) this.entry.opening--;
    this.settled = true;
  }

  end(code) {
    if (this.over) return;
    this.over = true;
    this.settle();
    this.onclose?.({ code, reason: "", wasClean: code === 1000 });
  }

  close() {
    if (this.over) return;
    this.entry.closed++;
    this.end(1005);
  }
}

globalThis.WebSocket = Scripted;

/** Sockets to `path`: "stay" open, "finish" with 1000, are "cut" with 1006 or "drop"ped so a little later, are "refuse"d, or stay "silent". */
export function script(path, behaviour, messages) {
  paths.set(path, { behaviour, messages, made: [], closed: 0, opening: 0, most: 0 });
}

export function made(path) {
  return paths.get(path).made;
}

/** How many were closed by the page. */
export function closed(path) {
  return paths.get(path).closed;
}

/** The most that were opening at once. */
export function mostOpening(path) {
  return paths.get(path).most;
}
