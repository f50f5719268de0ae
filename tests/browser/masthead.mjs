// `cargo xtask serve` on the finished page, and Chromium looking at it.

import { dirname } from 'node:path';

import { chromium } from 'playwright-core';

import { environment } from './environment.mjs';
import { end, printed, start } from './process.mjs';

/** Starts `serve` with these flags. The kubectl it finds is the cluster's own. */
export function startServe(flags, env = {}) {
  const path = `${dirname(environment.kubectl)}:${process.env.PATH}`;
  return start(environment.xtask, ['serve', '--dist', environment.dist, ...flags], {
    env: { ...process.env, PATH: path, KUBECONFIG: '/nonexistent', ...env },
  });
}

/**
 * Starts `serve`, and returns an address with a way to stop it. What `serve` prints opens one page; the code in it is
 * exchanged here, so that `url` opens as many as a test needs.
 */
export async function serve(flags, env) {
  const masthead = await serveOnce(flags, env);
  const { origin, hash } = new URL(masthead.url);
  const code = hash.match(/code=([^&]*)/)?.[1];
  return code ? { ...masthead, url: `${origin}/#/?api=${await exchange(origin, code)}` } : masthead;
}

/** Starts `serve`, and returns the address as it prints it. */
export async function serveOnce(flags, env) {
  const started = startServe(flags, env);
  const [, url] = await printed(started, /Masthead is at {2}(\S+)/);
  return { url, started, stop: () => end(started) };
}

/** The path of the API that a code is good for. */
async function exchange(origin, code) {
  const headers = { Origin: origin, 'Content-Type': 'text/plain' };
  const answer = await fetch(`${origin}/masthead/session`, { method: 'POST', headers, body: code });
  if (answer.status !== 200) throw new Error(`the code was refused: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).api;
}

/** Starts `serve` for the admin of the cluster. */
export function serveAdmin() {
  return serve([], { KUBECONFIG: environment.kubeconfig('admin') });
}

/** Launches Chromium. */
export function launch() {
  return chromium.launch({
    executablePath: environment.chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update'],
  });
}

/** The address of a view: `route` is what stands behind `#/`. The way to the API stays in it. */
export function at(url, route) {
  const address = new URL(url);
  const api = address.hash.match(/(?:api|code)=[^&]*/)?.[0];
  const parts = [api].filter(Boolean);
  address.hash = `#/${route}${parts.length ? (route.includes('?') ? '&' : '?') + parts.join('&') : ''}`;
  return address.href;
}

/** Opens a page that remembers what the browser complained about. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US', ...options });
  // Patience costs only where something fails: machines that build beside their tests are slow.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  page.complaints = [];
  // Who leaves a view closes its watches, some of which may not be open yet; Chromium remarks on that.
  const isLeft = (text) => text.endsWith('WebSocket is closed before the connection is established.');
  page.on('console', (message) => {
    const counts = message.type() === 'error' || message.type() === 'warning';
    if (counts && !isLeft(message.text())) page.complaints.push(message.text());
  });
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  await page.goto(url);
  return page;
}

/** The row of an object, while it is in the DOM. */
export function row(page, name) {
  return page.locator(`[data-testid=row][data-name="${name}"]`);
}

/** A cell of the row of an object. */
export function cell(page, name, column) {
  return row(page, name).locator(`[data-col="${column}"]`);
}

/** The names of the rows in the DOM, from top to bottom. */
export async function names(page) {
  const rows = await page.locator('[data-testid=row]:not([hidden])').evaluateAll((elements) =>
    elements.map((element) => [Number(element.getAttribute('aria-rowindex')), element.dataset.name]),
  );
  return rows.sort(([one], [other]) => one - other).map(([, name]) => name);
}

/** Waits until the connection chip says `state`. */
export async function connection(page, state, seconds = 20) {
  await page.locator(`[data-testid=connection][data-state="${state}"]`).waitFor({ timeout: seconds * 1000 });
}
