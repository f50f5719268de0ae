// The memory of processes in bytes, as Linux and Node count it.

import { readFileSync } from 'node:fs';

/** The most that a process ever had. */
export function peak(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(status.match(/^VmHWM:\s+(\d+) kB$/m)[1]) * 1024;
}

/** What is in use on this process's heap after a collection. */
export async function live() {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await new Promise((turn) => setImmediate(turn));
  }
  return process.memoryUsage().heapUsed;
}
