// `node guard.js PROGRAM ARGUMENT…`: runs a program for as long as the standard input is open.
//
// Whoever starts this holds the other end, and the system closes it however that one ends, so that nothing outlives it.

import { spawn } from 'node:child_process';

const [program = '', ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
const stop = (): void => void child.kill();

child.on('error', (error) => {
  console.error(`error: ${error.message}`);
  process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));
process.stdin.on('close', stop).resume();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
