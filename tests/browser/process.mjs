// A started program: its first lines, its end.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Starts a program and collects what it prints. */
export function start(program, args, options = {}) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const started = { child, stdout: '', stderr: '', ended: once(child, 'exit') };
  child.stdout.on('data', (data) => (started.stdout += data));
  child.stderr.on('data', (data) => (started.stderr += data));
  return started;
}

/** The first match of `pattern` in what the program printed, or an error with all it said. */
export async function printed(started, pattern, seconds = 60) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const match = started.stdout.match(pattern);
    if (match) return match;
    const { exitCode, signalCode } = started.child;
    if (exitCode !== null || signalCode !== null || Date.now() > deadline) {
      throw new Error(`no ${pattern} in:\n${started.stdout}\n${started.stderr}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Ends the program with `signal` and waits for it. */
export async function end(started, signal = 'SIGTERM') {
  started.child.kill(signal);
  await started.ended;
}

/** Runs a program to its end. */
export async function run(program, args, options = {}) {
  const started = start(program, args, options);
  const [code] = await started.ended;
  return { code, stdout: started.stdout, stderr: started.stderr };
}
