// Chromium, for pages that may ask a server of another origin: the API of a plain proxy says nothing about origins.

import { chromium } from '../browser/node_modules/playwright-core/index.mjs';
import { environment } from '../browser/environment.mjs';

export function launch() {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-web-security'];
  return chromium.launch({ executablePath: environment.chromium, args });
}

/** Opens a page, and collects what it complains of. */
export async function open(browser, url) {
  const page = await browser.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(url);
  return { page, complaints };
}

/** What the page says it found, or what it complained of. */
export async function result({ page, complaints }, seconds = 30) {
  try {
    const handle = await page.waitForFunction(() => globalThis.result, undefined, { timeout: seconds * 1000 });
    return await handle.jsonValue();
  } catch (error) {
    throw new Error(`${error.message}\n${complaints.join('\n')}`);
  }
}
