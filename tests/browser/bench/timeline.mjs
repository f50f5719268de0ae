// `node timeline.mjs URL CHROMIUM`: how long the timeline draws with 100,000 points. One JSON line.

import { chromium } from 'playwright-core';

const url = process.env.MASTHEAD_ADDRESS;
const [executablePath] = process.argv.slice(2);

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
await page.goto(url.replace('#/?', '#/events?'));
await page.locator('canvas').first().waitFor();
const told = await page.evaluate(() => new Promise((resolve) => {
  addEventListener('masthead:timeline-measured', (event) => resolve(event.detail), { once: true });
  dispatchEvent(new CustomEvent('masthead:measure-timeline', { detail: 100_000 }));
}));
await browser.close();
console.log(told);
