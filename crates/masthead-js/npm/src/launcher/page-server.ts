// The dashboard by itself: its files on a loopback port.

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

import { Refusal } from './refusal.js';
import type { Served } from './served.js';

const TYPES: { readonly [ending: string]: string } = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

export class PageServer implements Served {
  readonly url: string;
  readonly description = 'Shows a simulated cluster';
  readonly ended: Promise<string>;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/#/overview?demo=1`;
    this.ended = new Promise((resolve) => server.on('error', (error) => resolve(error.message)));
  }

  static async start(page: string, port: number): Promise<PageServer> {
    const server = createServer((request, response) => void answer(page, request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(new Refusal(`cannot serve the page: ${error.message}`)));
      server.listen(port, '127.0.0.1', resolve);
    });
    return new PageServer(server);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

async function answer(page: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const wanted = normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  const file = join(page, wanted);
  const found = file.startsWith(page) && (await stat(file).catch(() => undefined))?.isFile();
  if (!found || request.method !== 'GET') {
    response.writeHead(found ? 405 : 404).end();
    return;
  }
  response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', 'Cache-Control': 'no-cache' });
  createReadStream(file).pipe(response);
}
