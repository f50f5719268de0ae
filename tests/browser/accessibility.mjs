// What axe finds on a page.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The serious findings of axe, one line for each. The page's policy allows no script of ours, so it is run beside it. */
export async function findings(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  const { frameTree } = await session.send('Page.getFrameTree');
  const world = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: 'axe' });
  const run = (expression) =>
    session.send('Runtime.evaluate', {
      expression,
      contextId: world.executionContextId,
      awaitPromise: true,
      returnByValue: true,
    });
  await run(await source);
  const { result, exceptionDetails } = await run(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, help, nodes }) => nodes.slice(0, 3).map(({ html }) => id + ': ' + help + ': ' + html.slice(0, 160))))`,
  );
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
