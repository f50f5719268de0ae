// What an action costs the page: figures for a reader, no test of their own.

import { tasks } from './bench/tasks.mjs';

/** Runs `act` and prints how long it took, and the longest task of the page's main thread while it ran. */
export async function measured(t, page, what, act) {
  const began = performance.now();
  const { longest } = await tasks(page.context().browser(), page, act);
  const took = performance.now() - began;
  t.diagnostic(`${what}: ${took.toFixed(0)} ms until shown, longest task ${longest.toFixed(0)} ms`);
}

/** The page answers a key while it is at whatever it is at. */
export async function answersKeys(page) {
  await page.keyboard.press('Control+k');
  await page.getByTestId('palette-input').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('palette-input').waitFor({ state: 'detached' });
}
