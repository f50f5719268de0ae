// Chromium and a served page for the tests of one file.

import { after, afterEach, before } from 'node:test';

import { proxy } from './cluster.mjs';
import { at, launch, open, serve } from './masthead.mjs';
import { end } from './process.mjs';

/** Chromium for all tests of a file. What a test opened is closed when it ends. */
export function browsing() {
  let browser;
  before(async () => (browser = await launch()));
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
  after(() => browser?.close());
  return { open: (url, options) => open(browser, url, options) };
}

/** The real cluster as a user sees it: the page on that user's proxy, and the API for whoever changes what is seen. */
export function realCluster(user = 'admin') {
  let upstream, masthead;
  before(async () => {
    upstream = await proxy(user);
    masthead = await serve(['--proxy', upstream.url]);
  });
  after(async () => {
    await masthead?.stop();
    if (upstream) await end(upstream.started);
  });
  return {
    name: 'the real cluster',
    at: (route) => at(masthead.url, route),
    /** Opens a view of it. */
    visit: (browser, route, options) => browser.open(at(masthead.url, route), options),
    /** Sends a request to its API and returns what it answers. */
    async send(_page, method, path, body) {
      const headers = body && { 'Content-Type': contentType(method) };
      const answer = await fetch(upstream.url + path, { method, headers, body: body && JSON.stringify(body) });
      return checked(method, path, answer.status, await answer.text());
    },
  };
}

/** The demo: every page has a cluster of its own, which is asked through the page. */
export function demoCluster() {
  let masthead;
  before(async () => (masthead = await serve([])));
  after(() => masthead?.stop());
  const address = (route) => new URL(`/#/${route}${route.includes('?') ? '&' : '?'}demo=1`, masthead.url).href;
  return {
    name: 'the demo',
    at: address,
    async visit(browser, route, options) {
      const page = await browser.open('about:blank', options);
      await page.addInitScript(keepDemo);
      await page.goto(address(route));
      await page.waitForFunction(() => globalThis.demoOfTest);
      return page;
    },
    async send(page, method, path, body) {
      const request = { method, path, type: contentType(method), body: body && JSON.stringify(body) };
      const [code, text] = await page.evaluate(askDemo, request);
      return checked(method, path, code, text);
    },
  };
}

function contentType(method) {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}

function checked(method, path, code, text) {
  if (code >= 300) throw new Error(`${method} ${path}: ${code} ${text}`);
  return JSON.parse(text);
}

/** Keeps the demo that the page founds where a test finds it. Runs in the page, before it starts. */
function keepDemo() {
  let found;
  Object.defineProperty(globalThis, 'mastheadDemo', {
    set: (begin) => (found = async () => (globalThis.demoOfTest = await begin())),
    get: () => found,
  });
}

/** Asks the page's demo. Runs in the page. */
async function askDemo({ method, path, type, body }) {
  const bytes = body && new TextEncoder().encode(body);
  const answer = await globalThis.demoOfTest.send(method, `http://demo${path}`, ['Content-Type', type], bytes);
  let text = '';
  const decoder = new TextDecoder();
  for (let chunk = await answer.next(); chunk; chunk = await answer.next()) text += decoder.decode(chunk, { stream: true });
  return [answer.code, text];
}
