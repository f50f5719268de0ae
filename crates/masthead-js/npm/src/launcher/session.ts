// One-time codes, each of which opens the API once, and the user who asks for it.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** How many codes are remembered, unused and used ones each. The oldest is forgotten first. */
const MOST_CODES = 64;

/** 128 random bits. */
export function secret(): string {
  return randomBytes(16).toString('hex');
}

export class Codes {
  readonly #unused = new Set<string>();
  readonly #used = new Set<string>();

  create(): string {
    const code = secret();
    add(this.#unused, code);
    return code;
  }

  use(code: string): 'accepted' | 'used' | 'unknown' {
    if (this.#used.has(code)) return 'used';
    if (!this.#unused.delete(code)) return 'unknown';
    add(this.#used, code);
    return 'accepted';
  }
}

function add(codes: Set<string>, code: string): void {
  codes.add(code);
  const [oldest] = codes;
  if (codes.size > MOST_CODES && oldest !== undefined) codes.delete(oldest);
}

/**
 * Whether another user of this machine holds the other end of a loopback connection: the code stands in the arguments of the
 * browser, which every user can read. Only Linux tells; elsewhere this is false.
 */
export async function isOfAnotherUser({ remotePort, localPort }: Socket): Promise<boolean> {
  if (process.platform !== 'linux' || remotePort === undefined || localPort === undefined) return false;
  // An IPv6 socket may be connected to an IPv4 address.
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1').catch(() => '')));
  const allowed = [0, process.getuid?.(), Number(process.env['SUDO_UID'])];
  return ownersIn(tables.join('\n'), remotePort, localPort).some((owner) => !allowed.includes(owner));
}

/** The users of the connections from one port to another in a table of proc_net_tcp(5). */
export function ownersIn(table: string, from: number, to: number): number[] {
  const port = (number: number): string => `:${number.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/));
  const found = rows.filter(([, local, remote]) => local?.endsWith(port(from)) && remote?.endsWith(port(to)));
  return found.map((row) => Number(row[7]));
}
