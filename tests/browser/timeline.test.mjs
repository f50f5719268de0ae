// The timeline: what happened, in what order, and how one moves through it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { browsing, demoCluster, realCluster } from './browsing.mjs';
import { kubectl, uniqueName } from './cluster.mjs';
import { until } from './until.mjs';

describe('the timeline', () => {
  const browser = browsing();
  const real = realCluster();
  const demo = demoCluster();

  const deployment = (namespace, image) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
    },
  });

  /** Makes a namespace in a cluster; `page` is the one that a demo lives in. */
  async function settle(cluster, page) {
    const namespace = uniqueName('rollout');
    await cluster.send(page, 'POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    return namespace;
  }

  /** The rows of the list with this reason and kind, oldest first, as their messages. */
  async function told(page, reason, kind) {
    const rows = await page.getByTestId('timeline-row').evaluateAll((elements) =>
      elements.map((element) => {
        const text = (selector) => element.querySelector(selector)?.textContent ?? '';
        return [Number(element.getAttribute('aria-rowindex')), text('.tl-word'), text('.tl-kind'), text('.tl-message')];
      }),
    );
    rows.sort(([one], [other]) => other - one);
    return rows.filter(([, was, of]) => was === reason && of === kind).map(([, , , message]) => message);
  }

  /** The window in the address: its beginning (`live`, or milliseconds) and its length in milliseconds. */
  function windowOf(page) {
    const word = decodeURIComponent(page.url()).match(/window=([^&]*)/)?.[1].split(',')[0] ?? 'live~30m';
    const [start, span] = word.split('~');
    const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
    const length = [...span.matchAll(/(\d+)(ms|[dhms])/g)].reduce((sum, [, count, unit]) => sum + count * units[unit], 0);
    return { start: start === 'live' ? start : Date.parse(start), span: length };
  }

  /** Waits until the window in the address is as expected: it is written when the person rests. */
  const arrived = (page, fits) => until(() => windowOf(page), fits, 10);

  /** Whether two lengths of time differ by less than a person sees in a window of that length. */
  const near = (one, other, span) => Math.abs(one - other) < span / 100;

  /** Where the lanes' time begins and how wide it is, in pixels of the page. */
  async function track(page) {
    const box = await page.getByTestId('timeline-chart').boundingBox();
    const names = Math.min(Math.max(box.width * 0.24, 172), 300);
    return { left: box.x + names, width: box.width - names, names: box.x, top: box.y, height: box.height };
  }

  /** A window of half an hour that ended a minute ago, so that nothing in it moves by itself. */
  const past = () => `window=${new Date(Date.now() - 31 * 60_000).toISOString()}~30m`;

  const first = (page) => page.getByTestId('timeline-row').first().waitFor();

  for (const cluster of [real, demo]) {
    describe(`a rollout on ${cluster.name}`, () => {
      test('tells its events in order, as they happen and again after a reload of the same server', async () => {
        // All rows are in the page at once, so that all of them can be read.
        const page = await cluster.visit(browser, 'events', { viewport: { width: 1440, height: 3000 } });
        await page.getByTestId('timeline').waitFor();
        const namespace = await settle(cluster, page);
        await page.getByTestId('filter').fill(`ns=${namespace} class=event`);
        await cluster.send(page, 'POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, deployment(namespace, 'web:1'));
        await until(() => told(page, 'ScalingReplicaSet', 'Deployment'), (all) => all.length === 1);
        await until(() => told(page, 'SuccessfulCreate', 'ReplicaSet'), (all) => all.length === 2);
        await until(() => told(page, 'Scheduled', 'Pod'), (all) => all.length === 2);
        const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web`;
        await until(() => cluster.send(page, 'GET', path), ({ status }) => status.availableReplicas === 2);
        // Events of core/v1 tell whole seconds: what happens within one has no order in a list.
        await new Promise((resolve) => setTimeout(resolve, 1100));
        await cluster.send(page, 'PATCH', path, { spec: deployment(namespace, 'web:2').spec });
        const inOrder = (all) => all.length === 5;
        const steps = await until(() => told(page, 'ScalingReplicaSet', 'Deployment'), inOrder, 60);
        const [old, fresh] = [steps[0], steps[1]].map((step) => step.match(/replica set (\S+)/)[1]);
        assert.notEqual(old, fresh);
        const expected = [`up ${old} 2`, `up ${fresh} 1`, `down ${old} 1`, `up ${fresh} 2`, `down ${old} 0`];
        const short = (step) => step.replace(/^Scaled (up|down) replica set (\S+) from \d+ to (\d+)$/, '$1 $2 $3');
        assert.deepEqual(steps.map(short), expected);
        const times = await page.getByTestId('timeline-row').locator('.tl-time').evaluateAll((cells) => cells.map((cell) => cell.title));
        assert.ok(times.length > 10 && times.every((time, at) => at === 0 || time <= times[at - 1]), `the latest first: ${times}`);
        assert.deepEqual(page.complaints, []);
        if (cluster === demo) return;
        await page.reload();
        assert.deepEqual((await until(() => told(page, 'ScalingReplicaSet', 'Deployment'), inOrder)).map(short), expected);
        await kubectl('delete', 'namespace', namespace, '--wait=false');
      });

      test('a drag leaves the live edge, the chip counts what is new, and a click goes live again', async () => {
        const page = await cluster.visit(browser, 'events');
        const chip = page.getByTestId('timeline-live');
        await chip.and(page.locator('[data-state=live]')).waitFor();
        const namespace = await settle(cluster, page);
        const { left, width, top, height } = await track(page);
        await page.mouse.move(left + width / 2, top + height / 2);
        await page.mouse.down();
        await page.mouse.move(left + width / 2 + 60, top + height / 2, { steps: 4 });
        await page.mouse.up();
        await chip.and(page.locator('[data-state=paused]')).waitFor();
        await arrived(page, ({ start, span }) => start !== 'live' && span === 1_800_000);
        await cluster.send(page, 'POST', `/apis/apps/v1/namespaces/${namespace}/deployments`, deployment(namespace, 'web:1'));
        await chip.filter({ hasText: /^\d+ new — go live$/ }).waitFor();
        await chip.click();
        await chip.and(page.locator('[data-state=live]')).waitFor();
        await arrived(page, (now) => now.start === 'live');
        await page.getByTestId('timeline-row').filter({ hasText: namespace }).first().waitFor();
        if (cluster === real) await kubectl('delete', 'namespace', namespace, '--wait=false');
      });
    });
  }

  describe('moving through the timeline', () => {
    test('the wheel zooms at the cursor', async () => {
      const page = await demo.visit(browser, `events?${past()}`);
      await first(page);
      const before = windowOf(page);
      const { left, width, top, height } = await track(page);
      const share = 0.25;
      await page.mouse.move(left + width * share, top + height / 2);
      await page.mouse.wheel(0, -320);
      const under = ({ start, span }) => start + span * share;
      const halved = await arrived(page, (now) => near(now.span, before.span / 2, before.span));
      assert.ok(near(under(halved), under(before), halved.span), 'what is under the cursor stays there');
      await page.mouse.wheel(0, 320);
      await arrived(page, (now) => near(now.span, before.span, before.span) && near(now.start, before.start, before.span));
    });

    test('a drag moves the window by as much as the pointer, and the wheel sideways too', async () => {
      const page = await demo.visit(browser, `events?${past()}`);
      await first(page);
      const before = windowOf(page);
      const { left, width, top, height } = await track(page);
      await page.mouse.move(left + width / 2, top + height / 2);
      await page.mouse.down();
      await page.mouse.move(left + width / 2 + 100, top + height / 2, { steps: 5 });
      await page.mouse.up();
      const expected = before.start - (100 / width) * before.span;
      const dragged = await arrived(page, (now) => now.span === before.span && near(now.start, expected, before.span));
      await page.mouse.wheel(-200, 0);
      await arrived(page, (now) => near(now.start, dragged.start - (200 / width) * before.span, before.span));
    });

    test('the window is dragged in the strip, by its middle and by an edge', async () => {
      const page = await demo.visit(browser, `events?${past()}`);
      await first(page);
      const before = windowOf(page);
      const strip = await page.getByTestId('timeline-strip').boundingBox();
      const hour = 3_600_000;
      const x = (time) => strip.x + ((time - (Date.now() - hour)) / hour) * strip.width;
      const drag = async (from, to) => {
        await page.mouse.move(from, strip.y + strip.height / 2);
        await page.mouse.down();
        await page.mouse.move(to, strip.y + strip.height / 2, { steps: 5 });
        await page.mouse.up();
      };
      const minutes = (pixels) => (pixels / strip.width) * hour;
      const middle = x(before.start + before.span / 2);
      await drag(middle, middle - 100);
      const back = await arrived(page, (now) => now.span === before.span && near(now.start, before.start - minutes(100), hour));
      await drag(x(back.start), x(back.start) + 100);
      // Its other edge stays where it is.
      await arrived(page, (now) => near(now.start, back.start + minutes(100), hour) && near(now.start + now.span, back.start + back.span, hour));
    });

    test('keys pan, zoom, go live, walk the lanes and show the table', async () => {
      const page = await demo.visit(browser, `events?${past()}`);
      await first(page);
      const steps = [
        ['ArrowLeft', (now, before) => now.start === before.start - before.span / 10],
        ['ArrowRight', (now, before) => now.start === before.start + before.span / 10],
        ['+', (now, before) => now.span === before.span / 2],
        ['-', (now, before) => now.span === before.span * 2],
        ['l', (now, before) => now.start === 'live' && now.span === before.span],
        ['+', (now, before) => now.start === 'live' && now.span === before.span / 2],
        ['0', (now) => now.start === 'live' && now.span === 1_800_000],
      ];
      for (const [key, fits] of steps) {
        const before = windowOf(page);
        await page.keyboard.press(key);
        await arrived(page, (now) => fits(now, before));
      }
      await page.keyboard.press('j');
      await page.locator('.tl-only').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.tl-only').waitFor({ state: 'detached' });
      await page.keyboard.press('t');
      await page.getByTestId('timeline-chart').waitFor({ state: 'detached' });
      await page.waitForFunction(() => location.hash.includes('table'));
      await first(page);
      const grid = page.getByTestId('timeline-list');
      assert.equal(await grid.getAttribute('role'), 'grid');
      assert.ok(Number(await grid.getAttribute('aria-rowcount')) > 20, 'the table has the events of the chart');
      await page.keyboard.press('t');
      await page.getByTestId('timeline-chart').waitFor();
    });

    test('a lane under the pointer lights its rows of the list, and a row lights its lane', async () => {
      const page = await demo.visit(browser, `events?${past()}`);
      await first(page);
      const { names, left, width, top } = await track(page);
      await page.mouse.move(names + 40, top + 60);
      await page.locator('.tl-tip').waitFor();
      const lane = (await page.locator('.tl-tip b').first().innerText()).split('/').at(-1);
      await page.keyboard.press('j');
      await page.locator('.tl-only').waitFor();
      await page.mouse.move(names + 41, top + 37);
      await page.getByTestId('timeline-row').and(page.locator('[data-lit=yes]')).first().waitFor();
      await page.mouse.move(left + width / 2, top - 300);
      await page.locator('[data-lit=yes]').first().waitFor({ state: 'detached' });
      assert.ok(lane);
      const chart = page.getByTestId('timeline-chart');
      const still = await chart.screenshot();
      assert.deepEqual(await chart.screenshot(), still, 'a window of the past stands still');
      await page.getByTestId('timeline-row').first().hover();
      await until(() => chart.screenshot(), (drawn) => !drawn.equals(still));
    });

    test('filters by type, kind, reason, namespace and text are in the address, and say when they hide everything', async () => {
      const page = await demo.visit(browser, 'events');
      await first(page);
      const all = async (selector, fits) => {
        await page.waitForFunction(
          ([path, pattern]) => {
            const cells = [...document.querySelectorAll(`[data-testid=timeline-row]${path}`)];
            return cells.length > 0 && cells.every((cell) => new RegExp(pattern).test(cell.textContent));
          },
          [selector, fits],
        );
      };
      // A menu has the values that were there when it was opened, and the demo goes on: it is opened until it has this one.
      const choose = async (facet, value) => {
        const [button, item] = [page.getByTestId(`facet-${facet}`), page.getByRole('menuitemcheckbox', { name: value }).first()];
        const chosen = async () => {
          if ((await button.getAttribute('aria-expanded')) !== 'true') await button.click();
          const clicked = (await item.isVisible()) && (await item.click({ timeout: 5000 }).then(() => true, () => false));
          await page.keyboard.press('Escape');
          return clicked;
        };
        await until(chosen, Boolean, 60);
      };
      const clear = () => page.getByTestId('filter').fill('');
      await choose('type', /^warning/);
      await page.waitForFunction(() => location.hash.includes('q=type=warning'));
      await page.waitForFunction(() =>
        [...document.querySelectorAll('[data-testid=timeline-row]')].every((row) => row.dataset.status !== 'normal'),
      );
      await clear();
      await choose('kind', /^Pod/);
      await all(' .tl-kind', '^Pod$');
      await choose('reason', /^BackOff/);
      await all(' .tl-word', '^BackOff$');
      await page.waitForFunction(() => /q=kind=Pod reason=BackOff/.test(decodeURIComponent(location.hash)));
      await clear();
      const space = await page.locator('.tl-space').first().innerText();
      await page.getByTestId('filter').fill(`ns=${space.replace('/', '')}`);
      await all(' .tl-space', `^${space}$`);
      await page.getByTestId('filter').fill('restarting');
      await all('', 'restarting');
      await page.waitForFunction(() => location.hash.includes('q=restarting'));
      const second = await page.context().newPage();
      await second.goto(page.url());
      await first(second);
      assert.equal(await second.getByTestId('filter').inputValue(), 'restarting');
      await page.getByTestId('filter').fill('no-event-has-this-word');
      await page.getByTestId('timeline-hidden').getByRole('button').click();
      await first(page);
      await page.getByTestId('filter').fill('colour=red');
      await page.locator('.tl-mistake').waitFor();
    });

    test('a pasted link shows the same window, grouping, order and form', async () => {
      const page = await demo.visit(browser, `events?${past()}`);
      await first(page);
      await page.getByTestId('timeline-group').selectOption('namespace');
      await page.getByTestId('timeline-sort').selectOption('name');
      await page.getByTestId('range-6h').click();
      await page.keyboard.press('t');
      await page.waitForFunction(() => /6h,namespace,name,table/.test(location.hash));
      const second = await page.context().newPage();
      await second.goto(page.url());
      await first(second);
      assert.deepEqual(windowOf(second), windowOf(page));
      assert.equal(await second.getByTestId('timeline-group').inputValue(), 'namespace');
      assert.equal(await second.getByTestId('timeline-sort').inputValue(), 'name');
      assert.equal(await second.getByTestId('range-6h').getAttribute('aria-pressed'), 'true');
      assert.equal(await second.getByTestId('timeline-table').getAttribute('aria-pressed'), 'true');
    });
  });

  describe('history', () => {
    const stored = (page) =>
      page.evaluate(async () => {
        const request = (it) => new Promise((resolve, reject) => Object.assign(it, { onsuccess: () => resolve(it.result), onerror: reject }));
        const all = [];
        for (const { name } of await indexedDB.databases()) {
          const database = await request(indexedDB.open(name));
          for (const store of database.objectStoreNames) {
            all.push(...(await request(database.transaction(store).objectStore(store).getAll())));
          }
          database.close();
        }
        return all.map(String);
      });

    test('outlives what the server forgot and a reload, knows no Secret, can be cleared and switched off', async () => {
      const namespace = uniqueName('history');
      await kubectl('create', 'namespace', namespace);
      const event = (name, kind, message) => ({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace },
        involvedObject: { apiVersion: 'v1', kind, name: `${name}-object`, namespace },
        type: 'Normal',
        reason: 'Remembered',
        message,
        firstTimestamp: new Date().toISOString(),
        lastTimestamp: new Date().toISOString(),
        count: 1,
        source: { component: 'test' },
      });
      const path = `/api/v1/namespaces/${namespace}/events`;
      const page = await real.visit(browser, `events?ns=${namespace}`);
      await page.getByTestId('timeline').waitFor();
      await real.send(page, 'POST', path, event('kept', 'ConfigMap', 'kept-message'));
      await real.send(page, 'POST', path, event('hidden', 'Secret', 'secret-message'));
      await page.getByTestId('timeline-row').filter({ hasText: 'kept-message' }).waitFor();
      const kept = await until(() => stored(page), (all) => all.some((text) => text.includes('kept-message')));
      assert.ok(!kept.some((text) => /secret-message|hidden-object/.test(text)), 'nothing about a Secret is kept');
      await kubectl('delete', 'events', '--all', '-n', namespace);
      await page.reload();
      await page.getByTestId('timeline-row').filter({ hasText: 'kept-message' }).waitFor();
      assert.equal(await page.getByTestId('timeline-row').filter({ hasText: 'secret-message' }).count(), 0);

      await page.getByTestId('history').click();
      await page.getByTestId('history-kept').filter({ hasText: /[1-9]/ }).waitFor();
      await page.getByTestId('history-switch').uncheck();
      await page.getByTestId('history-clear').click();
      await page.getByTestId('history-kept').filter({ hasText: /^0 / }).waitFor();
      await real.send(page, 'POST', path, event('later', 'ConfigMap', 'later-message'));
      await page.getByTestId('timeline-row').filter({ hasText: 'later-message' }).waitFor();
      await kubectl('delete', 'events', '--all', '-n', namespace);
      await page.reload();
      await page.getByTestId('timeline').waitFor();
      await until(() => page.getByTestId('timeline-count').innerText(), (text) => /\d/.test(text));
      assert.ok(!(await stored(page)).some((text) => /(kept|later)-message/.test(text)), 'what is switched off keeps nothing');
      await page.getByTestId('history').click();
      assert.equal(await page.getByTestId('history-switch').isChecked(), false);
      await kubectl('delete', 'namespace', namespace, '--wait=false');
    });
  });
});
