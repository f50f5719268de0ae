// Pictures of the demo: eight pages in both themes. `cargo xtask shots` runs it.

import { mkdir } from 'node:fs/promises';

import { environment } from './environment.mjs';
import { launch, open } from './masthead.mjs';
import { end, printed, start } from './process.mjs';

const firstRow = (page) => page.locator('[data-testid=row]:not([hidden])').first().waitFor();
const live = (page) => page.locator('[data-testid=connection][data-state=live]').waitFor();

/** Waits until the page counts all pods of the demo there, of which there are some two hundred. */
const allPods = (page, selector) =>
  page.waitForFunction((counted) => Number(document.querySelector(counted)?.textContent) > 150, selector);

/** Opens an object of the table on a tab. */
const openRow = (tab, pattern = /./) => async (page) => {
  await page.locator('[data-testid=row]:not([hidden])', { hasText: pattern }).first().getByRole('link').click();
  await page.locator(`#tab-${tab}`).click();
  await page.locator(`.tab-panel[data-tab=${tab}]`).waitFor();
};

/** What is photographed: a route of the demo, and what is done there until it is complete. */
const PAGES = {
  overview: ['overview', async (page) => {
    await allPods(page, '.rail-item a[href^="#/pods"] .rail-count');
    await page.locator('.overview-scroll > [role=status]').waitFor({ state: 'detached' });
    await page.locator('[data-testid=warnings] [data-testid=figure]').first().waitFor();
  }],
  pods: ['pods?sort=-restarts', async (page) => {
    await firstRow(page);
    await allPods(page, '[data-testid=count]');
    await allPods(page, '.rail-item a[href^="#/pods"] .rail-count');
  }],
  pod: ['pods?ns=shop&sort=status', async (page) => {
    await openRow('overview', /ImagePullBackOff/)(page);
    await page.getByTestId('owners').getByRole('link').nth(1).waitFor();
  }],
  logs: ['pods?ns=ingress-nginx', async (page) => {
    await openRow('logs')(page);
    await page.getByTestId('full').click();
    await page.locator('.log-line').nth(40).waitFor();
    await page.getByTestId('log-search').fill('upstream');
    await page.locator('.log-line mark').first().waitFor();
  }],
  yaml: ['deployments.apps?ns=payments', async (page) => {
    await openRow('yaml', /payments-api/)(page);
    await page.getByTestId('object-text').filter({ hasText: 'kind: Deployment' }).waitFor();
  }],
  events: ['events', async (page) => page.getByTestId('timeline-row').nth(8).waitFor()],
  nodes: ['nodes', async (page) => {
    await openRow('overview', /worker-b1/)(page);
    await page.getByTestId('relative').first().waitFor();
  }],
  palette: ['pods', async (page) => {
    await firstRow(page);
    await page.keyboard.press('Control+k');
    await page.getByTestId('palette-input').fill('pay');
    await page.getByRole('option').nth(2).waitFor();
  }],
};

await mkdir(environment.shots, { recursive: true });
const served = start(environment.xtask, ['serve', '--dist', environment.dist], {
  env: { ...process.env, KUBECONFIG: '/nonexistent' },
});
const browser = await launch();
try {
  const [, url] = await printed(served, /Masthead is at {2}(\S+)/);
  for (const colorScheme of ['light', 'dark']) {
    for (const [name, [route, arrive]] of Object.entries(PAGES)) {
      await photograph(`${name}-${colorScheme}`, new URL(`/#/${route}${route.includes('?') ? '&' : '?'}demo=1`, url).href, arrive, colorScheme);
    }
  }
} finally {
  await browser.close();
  await end(served);
}

async function photograph(name, address, arrive, colorScheme) {
  const options = { viewport: { width: 1280, height: 800 }, colorScheme, timezoneId: 'UTC', reducedMotion: 'reduce' };
  const page = await open(browser, 'about:blank', options);
  await page.addInitScript(setClock, Date.parse('2026-11-17T09:41:00Z'));
  await page.addInitScript(loadDice);
  await page.goto(address);
  await live(page);
  await arrive(page);
  await page.mouse.move(0, 0);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.screenshot({ path: `${environment.shots}/${name}.png` });
  if (page.complaints.length) throw new Error(`${name}: ${page.complaints.join('\n')}`);
  await page.context().close();
  console.log(`${name}.png`);
}

/** A clock that starts at the same moment in every run, and goes. Runs in the page. */
function setClock(start) {
  const [now, Real] = [Date.now.bind(Date), Date];
  const ahead = start - now();
  globalThis.Date = class extends Real {
    constructor(...parts) {
      super(...(parts.length ? parts : [now() + ahead]));
    }
    static now() {
      return now() + ahead;
    }
  };
}

/** The same chances in every run. Runs in the page. */
function loadDice() {
  let state = 1;
  Math.random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
