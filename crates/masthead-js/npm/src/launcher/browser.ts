// The person's browser.

import { spawn } from 'node:child_process';

/** The program that opens an address on a platform, and its arguments. None of them is read by a shell. */
export function opener(platform: string, url: string): readonly [program: string, ...args: string[]] {
  switch (platform) {
    case 'darwin':
      return ['open', url];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', url];
    default:
      return ['xdg-open', url];
  }
}

/** Opens an address in the browser. Where there is none, the person has the printed address. */
export function open(url: string): void {
  const [program, ...args] = opener(process.platform, url);
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
