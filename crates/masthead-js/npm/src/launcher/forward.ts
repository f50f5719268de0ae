// Passing requests and WebSockets on to the API.
//
// Each goes over a connection of its own, read as HTTP in both directions: what a browser's connection carries next is a
// request like any other, with the same checks before it.

import { request as send, ServerResponse, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline, type Duplex } from 'node:stream';

/** Where the API answers. */
export interface Upstream {
  /** A restart may change it. */
  readonly connection: { readonly socketPath: string } | { readonly host: string; readonly port: number };
  /** What its paths begin with: empty, or `/path`. */
  readonly base: string;
}

/** The most that the head of a request or of an answer may have. */
export const MAX_HEAD_BYTES = 64 * 1024;

/** What concerns one connection only. */
const HOP_BY_HOP = ['connection', 'expect', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** Browsers send the cookies of every server on this host to every port of it: none of them is meant for the cluster. */
const NOT_SENT = new Set([...HOP_BY_HOP, 'cookie', 'host']);

const NOT_RETURNED = new Set([...HOP_BY_HOP, 'content-security-policy', 'location', 'set-cookie', 'x-content-type-options']);

/** Whatever a pod answers through the API must not run as a document of the page's origin. */
const NO_DOCUMENT = ['Content-Security-Policy', "sandbox; frame-ancestors 'none'", 'X-Content-Type-Options', 'nosniff'];

export class Forwarder {
  readonly #upstream: Upstream;
  readonly #prefix: string;

  constructor(upstream: Upstream, prefix: string) {
    this.#upstream = upstream;
    this.#prefix = prefix;
  }

  /** Passes a request on. `path` is the part of its target below the prefix. */
  request(path: string, request: IncomingMessage, response: ServerResponse): void {
    const headers = passed(request, NOT_SENT);
    if (request.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
    // With `close` kubectl would hang up on a body that it does not want, before its answer is read.
    headers.push('Connection', 'keep-alive');
    const upstream = this.#send(path, request, headers);
    response.once('close', () => upstream.destroy());
    upstream.on('response', (answer) => this.#answer(path, answer, response));
    upstream.on('error', (error) => fail(response, error));
    request.pipe(upstream);
  }

  /** Passes the opening of a WebSocket on, and joins the connections once the API agrees. */
  upgrade(path: string, request: IncomingMessage, client: Duplex, early: Buffer): void {
    const headers = [...passed(request, NOT_SENT), 'Connection', 'Upgrade', 'Upgrade', 'websocket'];
    const upstream = this.#send(path, request, headers);
    client.once('close', () => upstream.destroy());
    client.on('error', () => client.destroy());
    upstream.on('upgrade', (answer, inner, first) => {
      client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines(upgraded(answer))}\r\n`, 'latin1');
      client.write(first);
      inner.write(early);
      join(client, inner);
    });
    const refused = (): ServerResponse => {
      const response = new ServerResponse(request);
      response.assignSocket(client as Socket);
      response.shouldKeepAlive = false;
      return response.once('finish', () => client.end());
    };
    upstream.on('response', (answer) => this.#answer(path, answer, refused()));
    upstream.on('error', (error) => client.destroyed || fail(refused(), error));
    upstream.end();
  }

  #send(path: string, { method }: IncomingMessage, headers: string[]): ClientRequest {
    const { connection, base } = this.#upstream;
    const options = { ...connection, method, path: base + path, headers: ['Host', 'localhost', ...headers] };
    return send({ ...options, agent: false, maxHeaderSize: MAX_HEAD_BYTES });
  }

  #answer(path: string, answer: IncomingMessage, response: ServerResponse): void {
    const status = answer.statusCode ?? 502;
    if (status >= 300 && status < 400 && answer.headers.location !== undefined) {
      const location = this.#location(path, answer.headers.location);
      response.writeHead(status, location === undefined ? {} : { Location: location }).end();
      // Its body has the inner address too.
      answer.resume();
      return;
    }
    response.writeHead(status, [...passed(answer, NOT_RETURNED), ...NO_DOCUMENT]);
    // A watch may have nothing to say for minutes, and the browser waits for its head.
    response.flushHeaders();
    pipeline(answer, response, () => undefined);
  }

  /** The redirect as the browser may see it: below the prefix, or not at all when it leaves the API. */
  #location(path: string, location: string): string | undefined {
    const { base } = this.#upstream;
    const inner = 'http://localhost';
    const from = inner + base + path;
    const target = URL.canParse(location, from) ? new URL(location, from) : undefined;
    if (target?.origin !== inner || !target.pathname.startsWith(`${base}/`)) return undefined;
    return this.#prefix + target.pathname.slice(base.length) + target.search;
  }
}

/** The headers of a message without those that are left out, and without those that it says are for this connection only. */
function passed({ rawHeaders, headers }: IncomingMessage, leftOut: ReadonlySet<string>): string[] {
  // Without the length the body would be read as a request of its own.
  const own = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/).filter((name) => name !== 'content-length');
  return pairs(rawHeaders).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return leftOut.has(lower) || own.includes(lower) ? [] : [name, value];
  });
}

function upgraded({ rawHeaders }: IncomingMessage): string[] {
  return pairs(rawHeaders).flatMap((pair) => (pair[0].toLowerCase() === 'set-cookie' ? [] : pair));
}

/** Headers as they stand in a head. */
export function lines(headers: readonly string[]): string {
  return pairs(headers).map(([name, value]) => `${name}: ${value}\r\n`).join('');
}

function pairs(flat: readonly string[]): [name: string, value: string][] {
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as [string, string]] : []));
}

/** Copies both ways; whichever side ends first ends the other, as no browser half-closes. */
function join(client: Duplex, inner: Duplex): void {
  const end = (): void => {
    client.destroy();
    inner.destroy();
  };
  pipeline(client, inner, end);
  pipeline(inner, client, end);
}

function fail(response: ServerResponse, error: NodeJS.ErrnoException): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // Only the code: the message has the address.
  response.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' });
  response.end(`kubectl proxy does not answer (${error.code ?? 'no answer'})`);
}
