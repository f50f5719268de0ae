// What containers say.

import type { Reading } from './glue/masthead.js';
import { settled } from './pending.js';
import type { RequestOptions } from './resource.js';

/** Which part of a container's log to read. */
export interface LogOptions extends RequestOptions {
  /** May be left out when the pod has one. */
  readonly container?: string | undefined;
  /** Go on with what is written from now on. */
  readonly follow?: boolean | undefined;
  /** The log of the container's last run instead of this one's. */
  readonly previous?: boolean | undefined;
  /** Only so many lines from the end. */
  readonly tailLines?: number | undefined;
  /** Begin every line with its time. */
  readonly timestamps?: boolean | undefined;
  /** Only what was written in the last seconds. */
  readonly sinceSeconds?: number | undefined;
  /** Only what was written since this time. */
  readonly sinceTime?: Date | undefined;
  /** End after so many bytes, even in the middle of a line. */
  readonly limitBytes?: number | undefined;
}

/** The query of a log. @internal */
export function logQuery(options: LogOptions): Record<string, string | number | boolean | undefined> {
  const { container, follow, previous, tailLines, timestamps, sinceSeconds, sinceTime, limitBytes } = options;
  return { container, follow, previous, tailLines, timestamps, sinceSeconds, sinceTime: sinceTime?.toISOString(), limitBytes };
}

/** The lines of a text that comes in pieces, without what ends them. Frees what it reads. @internal */
export async function* lines(reading: Reading, signal: AbortSignal | undefined): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const chunk = (await settled(() => reading.next(), signal)) as Uint8Array<ArrayBuffer> | undefined;
      const text = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
      const [first = '', ...others] = text.split('\n');
      rest += first;
      for (const other of others) {
        yield rest.endsWith('\r') ? rest.slice(0, -1) : rest;
        rest = other;
      }
      if (!chunk) break;
    }
    if (rest) yield rest;
  } finally {
    reading.free();
  }
}
