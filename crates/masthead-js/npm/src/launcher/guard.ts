// `node guard.js FOLDER PROGRAM ARGUMENT…`: runs a program for as long as the standard input is open, then removes the folder.
//
// Whoever starts this holds the other end, and the system closes it however that one ends, so that nothing outlives it. The
// first line of the output is the process of the program, for the case that the guard itself is killed; on Linux the
// kernel ends the program then.

import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';

const [folder = '', ...line] = process.argv.slice(2);
const signalled = process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;
const [program = '', ...args] = signalled ? ['setpriv', '--pdeathsig', 'KILL', ...line] : line;
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
let ownerIsGone = false;
const stop = (): void => void child.kill();

process.stdin.on('error', () => undefined);
process.stdout.on('error', () => undefined);
child.on('error', (error) => {
  console.error(`error: ${error.message}`);
  process.exit(127);
});
child.on('spawn', () => console.log(`process ${child.pid}`));
child.on('exit', (code) => {
  if (ownerIsGone && folder) rmSync(folder, { recursive: true, force: true });
  process.exit(code ?? 1);
});
process.stdin.on('close', () => {
  ownerIsGone = true;
  stop();
});
process.stdin.resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
