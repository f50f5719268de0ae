// All pods of a server in a cache, in Node and in a page.

import { Heartbeat } from './heartbeat.mjs';

/**
 * Fills a cache of one form and measures that: `bytes` and `parsed` are what a page does without a library, the others are
 * Masthead's.
 *
 * `engine` is the module that wasm-bindgen made, ready for use.
 */
export async function measure(engine, form, url) {
  const cache = PLAIN[form]?.(url) ?? new engine.Pods(form, url);
  const heartbeat = new Heartbeat();
  const began = performance.now();
  const objects = await cache.sync();
  const seconds = (performance.now() - began) / 1000;
  return { cache, figures: { seconds, objects, longest: heartbeat.end() } };
}

const PLAIN = { bytes: (url) => new Bytes(url), parsed: (url) => new Parsed(url) };

function page(url, token) {
  return fetch(`${url}/api/v1/pods?pretty=false&limit=500&continue=${encodeURIComponent(token)}`).then((answer) => {
    if (!answer.ok) throw new Error(`the list was answered with ${answer.status}`);
    return answer;
  });
}

/** Pages by fetch and JSON.parse, kept in a Map. */
class Parsed {
  constructor(url) {
    this.url = url;
    this.pods = new Map();
  }

  async sync() {
    let token = '';
    do {
      const list = await (await page(this.url, token)).json();
      for (const pod of list.items) {
        delete pod.metadata.managedFields;
        this.pods.set(`${pod.metadata.namespace}/${pod.metadata.name}`, pod);
      }
      token = list.metadata.continue;
    } while (token);
    return this.pods.size;
  }
}

/** Pages by fetch, thrown away: no client in this place can be faster that reads one page after the other. */
class Bytes {
  constructor(url) {
    this.url = url;
  }

  /** Does not count pods: that would be parsing. */
  async sync() {
    const decoder = new TextDecoder();
    let token = '';
    do {
      const reader = (await page(this.url, token)).body.getReader();
      let head;
      for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) head ??= chunk.value;
      const metadata = decoder.decode(head.subarray(0, HEAD)).split('"items":')[0];
      token = metadata.match(/"continue":"([^"]+)"/)?.[1];
    } while (token);
    return undefined;
  }
}

/** The metadata of a list come first; a token has a few hundred bytes. */
const HEAD = 4096;
