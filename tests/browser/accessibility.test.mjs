// axe finds nothing serious on any page, in either theme.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { findings } from './accessibility.mjs';
import { browsing, demoCluster, realCluster } from './browsing.mjs';
import { connection } from './masthead.mjs';

describe('accessibility', () => {
  const browser = browsing();
  const demo = demoCluster();
  const nobody = realCluster('nobody');

  const firstRow = (page) => page.locator('[data-testid=row]:not([hidden])').first().waitFor();
  const openFirst = async (page, tab) => {
    await firstRow(page);
    await page.locator('[data-testid=row]:not([hidden])').first().getByRole('link').click();
    await page.locator(`#tab-${tab}`).click();
    await page.locator(`.tab-panel[data-tab=${tab}]`).waitFor();
  };
  const overlay = (button) => async (page) => {
    await firstRow(page);
    await page.getByTestId(button).click();
    await page.getByRole('dialog').waitFor();
  };
  const timeline = async (page) => page.getByTestId('timeline-row').first().waitFor();

  /** Every page, as a route of the demo and what is done there. */
  const PAGES = {
    overview: ['overview', (page) => page.getByTestId('figure').first().waitFor()],
    'a table': ['pods', firstRow],
    'a table of a custom kind': ['customresourcedefinitions.apiextensions.k8s.io', firstRow],
    'chosen rows': ['pods', async (page) => { await firstRow(page); for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key); }],
    'an empty table': ['replicationcontrollers', (page) => page.getByTestId('empty').waitFor()],
    'a table that is filtered away': ['pods?q=nothing-has-this-name', (page) => page.getByTestId('filtered').waitFor()],
    'a mistaken filter': ['pods?q=/(/', (page) => page.getByTestId('filter-mistake').filter({ hasText: /./ }).waitFor()],
    'a kind that is not served': ['rockets.example.com', (page) => page.getByTestId('no-kind').waitFor()],
    timeline: ['events', timeline],
    'timeline as a table': ['events?window=live~30m,table', timeline],
    'a menu of the timeline': ['events', async (page) => { await timeline(page); await page.getByTestId('facet-reason').click(); await page.getByRole('menu').waitFor(); }],
    'history of the timeline': ['events', async (page) => { await timeline(page); await page.getByTestId('history').click(); await page.getByRole('dialog').waitFor(); }],
    ...Object.fromEntries(['overview', 'logs', 'events', 'timeline', 'yaml', 'json'].map((tab) => [`${tab} of a pod`, [`pods?q=status=${tab === 'logs' ? 'Running' : 'ImagePullBackOff'}`, (page) => openFirst(page, tab)]])),
    'a deployment': ['deployments.apps', (page) => openFirst(page, 'overview')],
    'a node': ['nodes', (page) => openFirst(page, 'overview')],
    'a secret': ['secrets', (page) => openFirst(page, 'overview')],
    'a full page': ['pods', async (page) => { await openFirst(page, 'overview'); await page.keyboard.press('f'); await page.locator('[data-testid=drawer][data-full]').waitFor(); }],
    palette: ['pods', async (page) => { await overlay('search')(page); await page.getByTestId('palette-input').fill('p'); await page.getByRole('option').first().waitFor(); }],
    settings: ['pods', overlay('settings')],
    columns: ['pods', overlay('columns')],
    export: ['pods', overlay('export')],
    namespaces: ['pods', overlay('namespaces')],
    shortcuts: ['pods', async (page) => { await firstRow(page); await page.keyboard.press('?'); await page.getByRole('dialog').waitFor(); }],
  };

  for (const colorScheme of ['light', 'dark']) {
    describe(`axe finds nothing serious in the ${colorScheme} theme`, () => {
      test('on any page of the demo', async () => {
        const page = await demo.visit(browser, 'pods', { colorScheme });
        await firstRow(page);
        const found = [];
        for (const [name, [route, arrive]] of Object.entries(PAGES)) {
          await page.evaluate((address) => (location.hash = new URL(address).hash), demo.at(route));
          await arrive(page);
          found.push(...(await findings(page)).map((finding) => `${name}: ${finding}`));
          await page.keyboard.press('Escape');
          await page.keyboard.press('Escape');
        }
        assert.deepEqual(found, []);
      });

      test('where everything is refused, and where there is no cluster', async () => {
        const page = await nobody.visit(browser, 'pods', { colorScheme });
        await page.getByTestId('refused').waitFor();
        assert.deepEqual(await findings(page), []);
        await page.goto(nobody.at('events'));
        await page.getByTestId('notice').first().waitFor();
        assert.deepEqual(await findings(page), []);
        await page.goto(nobody.at('overview'));
        await page.getByTestId('overview').getByRole('status').first().waitFor();
        assert.deepEqual(await findings(page), []);
        const offline = await browser.open(demo.at('pods').replace(/[?&]demo=1/, ''), { colorScheme });
        await connection(offline, 'offline');
        await offline.getByTestId('no-server').waitFor();
        assert.deepEqual(await findings(offline), []);
      });
    });
  }
});
