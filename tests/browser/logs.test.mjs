// The log of a container: which one, from when, how it is read, and how much of it is kept.

import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { describe, test } from 'node:test';

import { browsing, demoCluster, realCluster } from './browsing.mjs';
import { kubectl, uniqueName } from './cluster.mjs';
import { environment } from './environment.mjs';
import { connection } from './masthead.mjs';
import { until } from './until.mjs';

describe('logs', () => {
  const browser = browsing();
  const demo = demoCluster();
  const real = realCluster();

  const pod = (name, annotations, ...images) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations },
    spec: { containers: images.map((image) => ({ name: image, image: `registry.example/${image}:1` })) },
  });

  const lines = (page) => page.locator('.log-line');
  const texts = (page) => lines(page).allInnerTexts();

  describe('on the demo', () => {
    /** A page of the demo on the log of a pod that was just made. */
    async function visitLog(made) {
      const namespace = uniqueName('logs');
      const page = await demo.visit(browser, `pods?ns=${namespace}`);
      await connection(page, 'live');
      await demo.send(page, 'POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
      await demo.send(page, 'POST', `/api/v1/namespaces/${namespace}/pods`, made);
      await page.locator(`[data-testid=row][data-name="${made.metadata.name}"]`).getByRole('link').click();
      await page.locator('#tab-logs').click();
      await page.getByTestId('log').waitFor();
      return { page, path: `/api/v1/namespaces/${namespace}/pods/${made.metadata.name}` };
    }

    test('containers are chosen, the log follows, and it can be read with times, unwrapped and searched', async () => {
      const { page } = await visitLog(pod('talks', {}, 'nginx', 'orders'));
      const container = page.getByTestId('log-container');
      assert.deepEqual(await container.getByRole('option').allInnerTexts(), ['nginx', 'orders']);
      const before = await until(() => lines(page).count(), (count) => count > 0);
      await until(() => lines(page).count(), (count) => count > before);
      await lines(page).filter({ hasText: /"GET |HTTP\// }).first().waitFor();

      await container.selectOption('orders');
      await until(() => texts(page), (all) => all.length > 0 && all.every((line) => line.startsWith('{')));
      await page.getByTestId('log-times').click();
      await until(() => texts(page), (all) => all.length > 0 && all.every((line) => /^\d{4}-\d\d-\d\dT[\d:.]+Z \{/.test(line)));
      await page.getByTestId('log-times').click();
      await until(() => texts(page), (all) => all.length > 0 && all.every((line) => line.startsWith('{')));

      const wide = () => page.getByTestId('log-lines').evaluate((element) => element.scrollWidth > element.clientWidth);
      await until(() => texts(page), (all) => all.some((line) => line.length > 90));
      assert.equal(await wide(), false, 'lines wrap at first');
      await page.getByTestId('log-wrap').click();
      await until(wide, (is) => is);

      await page.getByTestId('log-search').fill('level');
      await page.locator('.log-line mark', { hasText: 'level' }).first().waitFor();
      await page.getByTestId('log-found').filter({ hasText: /^\d+ of \d+$/ }).waitFor();
      await page.locator('.log-line[data-current]:not([data-current=false])').waitFor();
      const current = () => page.locator('.log-line[data-current=true], .log-line[data-current=""]').getAttribute('data-number');
      const last = await current();
      await page.getByTestId('log-search').press('Shift+Enter');
      await until(current, (number) => number !== last);
      await page.getByTestId('log-search').press('Escape');
      await page.locator('.log-line mark').first().waitFor({ state: 'detached' });

      await page.getByTestId('log-follow').click();
      await page.getByTestId('log-note').filter({ hasText: 'The log ends here.' }).waitFor();
      assert.deepEqual(page.complaints, []);
    });

    test('the run before is one click away', async () => {
      const { page, path } = await visitLog(pod('falls', { 'sim.masthead.dev/behaviour': 'crashes 2s' }, 'orders'));
      await until(() => demo.send(page, 'GET', path), ({ status }) => status.containerStatuses?.[0].restartCount > 0, 60);
      await page.getByTestId('log-previous').click();
      await until(() => texts(page), (all) => all.length > 0);
      await page.getByTestId('log-note').filter({ hasText: 'The log ends here.' }).waitFor();
    });
  });

  describe('on the real cluster', () => {
    /** A line as container runtimes write it, into the file that all of the cluster's containers share. */
    const say = (...said) => {
      const line = (text, at) => `${new Date().toISOString().replace('Z', String(at).padStart(6, '0') + 'Z')} stdout F ${text}\n`;
      return appendFile(environment.podLog, said.map(line).join(''));
    };

    /** A page on the log of a running pod. */
    async function visitLog() {
      const namespace = uniqueName('logs');
      await kubectl('create', 'namespace', namespace);
      await kubectl('run', 'talks', '-n', namespace, '--image=registry.example/web:1');
      await kubectl('wait', '-n', namespace, 'pod/talks', '--for=condition=Ready');
      const page = await real.visit(browser, `pods?ns=${namespace}&open=${namespace}/talks&tab=logs`);
      await lines(page).first().waitFor();
      return { page, leave: () => kubectl('delete', 'namespace', namespace, '--wait=false') };
    }

    test('a line that is written appears, with its colours', async () => {
      const { page, leave } = await visitLog();
      const word = uniqueName('said');
      await say(`\u001b[31m${word}\u001b[0m plain`);
      const line = lines(page).filter({ hasText: word });
      await line.waitFor();
      assert.equal(await line.innerText(), `${word} plain`, 'no letter of an escape is shown');
      assert.match(await line.locator('span').first().getAttribute('class'), /ansi-1/);
      await leave();
    });

    test('a log without an end takes a bounded part of the page and of its memory', async () => {
      const { page, leave } = await visitLog();
      const count = 26_000;
      await say(...Array.from({ length: count }, (_, at) => `flood ${at}`));
      await lines(page).filter({ hasText: `flood ${count - 1}` }).waitFor({ timeout: 60_000 });
      await page.getByTestId('log-lines').getByText(/[\d,]+ older lines were let go/).waitFor();
      assert.ok((await lines(page).count()) <= 400, 'a few hundred lines are in the page');
      assert.equal(await page.getByTestId('log-end').count(), 0, 'it stays at the end however much is written');
      await page.getByTestId('log-lines').hover();
      await page.mouse.wheel(0, -2000);
      await page.getByTestId('log-end').click();
      await page.getByTestId('log-end').waitFor({ state: 'detached' });
      await page.getByTestId('log-search').fill('flood');
      await page.getByTestId('log-found').filter({ hasText: /of (1\d|20),\d{3}$/ }).waitFor();
      await leave();
    });
  });
});
