// The one address a browser sees: the page's files and, where there is a cluster, its API below a secret prefix.
//
// Every request must name this address as its Host. The page gets the prefix for a one-time code, and below the prefix an
// Origin, if there is one, must be this one. So no other page and no other name reaches the API, and nothing that opens
// it is in an address, a history or the arguments of a process for longer than the code is unused.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { Forwarder, lines, MAX_HEAD_BYTES, type Upstream } from './forward.js';
import type { Page } from './page.js';
import { Refusal } from './refusal.js';
import { Codes, isOfAnotherUser, secret } from './session.js';

/** How long a head may take, and the body that holds a code, in milliseconds. */
const PATIENCE = 10_000;

/** How long a client may take none of the bytes that wait for it, in milliseconds. A stream without any may be silent for ever. */
const UNREAD_FOR = 60_000;

/** More than the tabs of one person need. */
const MAX_CONNECTIONS = 512;

/** Where the page exchanges a code for the prefix. */
const SESSION = '/masthead/session';

const MAX_CODE_BYTES = 256;

interface Api {
  readonly prefix: string;
  readonly codes: Codes;
  readonly forwarder: Forwarder;
}

export class Front {
  readonly #server: Server;
  readonly #page: Page;
  readonly #api: Api | undefined;
  readonly #hosts: readonly string[];
  readonly #origins: readonly string[];
  /** Node forgets the connections that are WebSockets now. */
  readonly #websockets = new Set<Duplex>();

  private constructor(server: Server, page: Page, upstream: Upstream | undefined) {
    const { port } = server.address() as AddressInfo;
    const urls = ['127.0.0.1', 'localhost'].map((name) => new URL(`http://${name}:${port}`));
    this.#server = server;
    this.#page = page;
    this.#hosts = urls.map(({ host }) => host);
    this.#origins = urls.map(({ origin }) => origin);
    const prefix = `/k-${secret()}`;
    this.#api = upstream && { prefix, codes: new Codes(), forwarder: new Forwarder(upstream, prefix) };
    server.on('request', (request, response) => void this.#answer(request, response));
    server.on('upgrade', (request, socket, head) => {
      try {
        this.#upgrade(request, socket, head);
      } catch {
        socket.destroy();
      }
    });
    // A connection that could not be accepted costs only itself.
    server.on('error', () => undefined);
  }

  /** Serves on a port of the loopback address, or on a free one for 0. */
  static async start(page: Page, port: number, upstream?: Upstream, unreadFor = UNREAD_FOR): Promise<Front> {
    const server = createServer({
      headersTimeout: PATIENCE,
      // An upload may take as long as it takes.
      requestTimeout: 0,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: MAX_HEAD_BYTES,
    });
    server.maxConnections = MAX_CONNECTIONS;
    server.timeout = unreadFor;
    server.listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new Refusal(`port ${port} of 127.0.0.1 cannot be had (${code}): name another with --port, or none for a free one`);
    }
    return new Front(server, page, upstream);
  }

  /** An address to open: with a new code, if there is an API. */
  address(): string {
    const fragment = this.#api ? `#/?code=${this.#api.codes.create()}` : '#/overview?demo=1';
    return `${this.#origins[0]}/${fragment}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    for (const socket of this.#websockets) socket.destroy();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('timeout', closeUnread);
    try {
      const target = request.url ?? '';
      const below = this.#belowPrefix(target);
      if (!this.#isForThisHost(request)) refuse(response, 403, 'this address is for this machine only');
      else if (!target.startsWith('/')) refuse(response, 400, 'the target of a request is a path');
      else if (this.#api && target.split('?', 1)[0] === SESSION) await this.#exchange(this.#api, request, response);
      else if (this.#api === undefined || below === undefined) await this.#page.answer(target, request, response);
      else if (!this.#isOfThisOrigin(request)) refuse(response, 403, 'the API is for this page only');
      else this.#api.forwarder.request(below, request, response);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, `this request cannot be answered (${(error as NodeJS.ErrnoException).code ?? 'bug'})`);
    }
  }

  /** Only WebSockets of the API change the protocol. Node hands over every request with an Upgrade header. */
  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Node's own listener would close a socket that is silent.
    socket.removeAllListeners('timeout');
    const below = this.#belowPrefix(request.url ?? '');
    const allowed = this.#isForThisHost(request) && this.#isOfThisOrigin(request);
    if (this.#api && below !== undefined && allowed && request.headers.upgrade?.toLowerCase() === 'websocket') {
      socket.on('timeout', () => closeUnread(socket));
      this.#websockets.add(socket);
      socket.once('close', () => this.#websockets.delete(socket));
      this.#api.forwarder.upgrade(below, request, socket, head);
      return;
    }
    // Without the header it is read again, as the ordinary request that it is.
    const headers = request.rawHeaders.flatMap((text, index, all) => {
      const name = (index % 2 === 0 ? text : (all[index - 1] ?? '')).toLowerCase();
      return name === 'upgrade' ? [] : [text];
    });
    const start = `${request.method} ${request.url} HTTP/${request.httpVersion}\r\n${lines(headers)}\r\n`;
    socket.unshift(Buffer.concat([Buffer.from(start, 'latin1'), head]));
    this.#server.emit('connection', socket);
  }

  async #exchange({ codes, prefix }: Api, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return answerJson(response, 405, { error: 'a code is sent with POST' });
    if (request.headers.origin === undefined || !this.#isOfThisOrigin(request)) {
      return answerJson(response, 403, { error: 'only the page itself may use a code' });
    }
    if (await isOfAnotherUser(request.socket)) {
      return answerJson(response, 403, { error: 'a code is for the user who started Masthead' });
    }
    const code = await read(request, MAX_CODE_BYTES);
    switch (codes.use(code)) {
      case 'accepted':
        return answerJson(response, 200, { api: prefix });
      case 'used':
        return answerJson(response, 410, { error: 'this address was used before: press Enter where Masthead runs for a new one' });
      case 'unknown':
        return answerJson(response, 403, { error: 'this address is not known here: press Enter where Masthead runs for a new one' });
    }
  }

  #belowPrefix(target: string): string | undefined {
    const prefix = this.#api?.prefix;
    return prefix !== undefined && target.startsWith(`${prefix}/`) ? target.slice(prefix.length) : undefined;
  }

  #isForThisHost({ headersDistinct: { host = [] } }: IncomingMessage): boolean {
    return host.length === 1 && this.#hosts.includes((host[0] ?? '').toLowerCase());
  }

  #isOfThisOrigin({ headersDistinct: { origin = [] } }: IncomingMessage): boolean {
    return origin.length === 0 || (origin.length === 1 && this.#origins.includes(origin[0] ?? ''));
  }
}

/** Closes a connection on which nothing moves although there are bytes for the client. */
function closeUnread(socket: Duplex): void {
  if (socket.writableLength > 0) socket.destroy();
}

/** What a request has as its body, cut off after `most` bytes. */
async function read(request: IncomingMessage, most: number): Promise<string> {
  const timer = setTimeout(() => request.destroy(), PATIENCE);
  try {
    let text = '';
    for await (const chunk of request) {
      text += String(chunk);
      if (text.length > most) break;
    }
    return text;
  } finally {
    clearTimeout(timer);
  }
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Connection: 'close' });
  response.end(JSON.stringify(body));
}

/** Closes the connection too: a body that is still to come is not waited for. */
function refuse(response: ServerResponse, status: number, why: string): void {
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff', Connection: 'close' };
  response.writeHead(status, headers).end(why);
}
