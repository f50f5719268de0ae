// The dashboard's files.

import { open, readdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { Refusal } from './refusal.js';

const TYPES: { readonly [ending: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

const HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

export class Page {
  /** File by request path. No path of a request ever reaches the file system. */
  readonly #files: ReadonlyMap<string, string>;

  private constructor(files: ReadonlyMap<string, string>) {
    this.#files = files;
  }

  static async read(folder: string): Promise<Page> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const byPath = new Map(files.map((file) => [`/${relative(folder, file).split(sep).join('/')}`, file]));
    const index = byPath.get('/index.html');
    if (index === undefined) throw new Refusal('this package holds no page: install it again');
    return new Page(byPath.set('/', index));
  }

  /** Answers with the file at the path of `target`. */
  async answer(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = this.#files.get(target.replace(/[?#].*$/s, ''));
    if (file === undefined) {
      response.writeHead(404, HEADERS).end();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { ...HEADERS, Allow: 'GET, HEAD' }).end();
      return;
    }
    await using handle = await open(file);
    const { size } = await handle.stat();
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { ...HEADERS, 'Content-Type': type, 'Content-Length': size });
    if (request.method === 'HEAD') response.end();
    else await pipeline(handle.createReadStream({ autoClose: false }), response);
  }
}
