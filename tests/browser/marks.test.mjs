// Characters that turn text around, or that nobody sees, are shown as marks wherever the page shows what others wrote.

import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';

import { browsing, realCluster } from './browsing.mjs';
import { kubectl, uniqueName } from './cluster.mjs';
import { environment } from './environment.mjs';
import { cell, row } from './masthead.mjs';

describe('characters that turn or hide text', () => {
  const browser = browsing();
  const real = realCluster();
  const namespace = uniqueName('marks');
  const group = `${namespace}.example.com`;

  // An override, an isolate, spaces without width, a mark of order, a tag, a selector, a blank of Braille, a musical control.
  const HIDDEN = '\u202e\u2066\u200b\u2060\ufeff\u{e0041}\ufe00\u2800\u{1d173}\u00ad\u061c';
  const TEXT = `be${HIDDEN}hind`;
  const SHOWN = `be${[...HIDDEN].map((letter) => `⟨U+${letter.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`).join('')}hind`;

  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `turns.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Turn', plural: 'turns', singular: 'turn' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          additionalPrinterColumns: [{ name: TEXT, type: 'string', jsonPath: '.spec.text' }],
        },
      ],
    },
  };

  before(async () => {
    const send = (method, path, body) => real.send(undefined, method, path, body);
    const meta = { name: 'text', annotations: { 'example.com/note': TEXT } };
    const space = `/api/v1/namespaces/${namespace}`;
    await kubectl('create', 'namespace', namespace);
    await send('POST', `${space}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: meta, data: { key: TEXT } });
    await send('POST', `${space}/secrets`, { apiVersion: 'v1', kind: 'Secret', metadata: meta, stringData: { key: TEXT } });
    const spec = { schedulerName: 'nobody', containers: [{ name: 'main', image: 'registry.example/web:1', args: [TEXT] }] };
    const { metadata } = await send('POST', `${space}/pods`, { apiVersion: 'v1', kind: 'Pod', metadata: meta, spec });
    const state = { waiting: { reason: TEXT, message: TEXT } };
    const status = {
      phase: 'Pending',
      reason: TEXT,
      conditions: [{ type: 'example.com/Odd', status: 'True', reason: TEXT, message: TEXT }],
      containerStatuses: [{ name: 'main', image: TEXT, imageID: '', ready: false, restartCount: 0, state }],
    };
    await send('PATCH', `${space}/pods/text/status`, { status });
    const involvedObject = { apiVersion: 'v1', kind: 'Pod', name: 'text', namespace, uid: metadata.uid };
    const time = new Date().toISOString();
    await send('POST', `${space}/events`, {
      apiVersion: 'v1', kind: 'Event', metadata: meta, involvedObject, type: 'Warning', reason: TEXT, message: TEXT,
      source: { component: TEXT }, firstTimestamp: time, lastTimestamp: time, count: 1,
    });
    await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    await kubectl('wait', '--for=condition=Established', `crd/turns.${group}`);
    await send('POST', `/apis/${group}/v1/namespaces/${namespace}/turns`, { apiVersion: `${group}/v1`, kind: 'Turn', metadata: meta, spec: { text: TEXT } });
  });
  after(async () => {
    await kubectl('delete', 'crd', `turns.${group}`, '--wait=false');
    await kubectl('delete', 'namespace', namespace, '--wait=false');
  });

  /** No such character is in a text of the page, or in an attribute that is shown or read aloud. */
  async function clean(page) {
    const found = await page.evaluate((hidden) => {
      const letters = new Set(hidden);
      const has = (text) => [...(text ?? '')].some((letter) => letters.has(letter));
      const read = ['title', 'aria-label', 'placeholder', 'alt', 'aria-description', 'aria-valuetext', 'label'];
      const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
      const wrong = has(document.title) ? ['the title'] : [];
      while (texts.nextNode()) if (has(texts.currentNode.data)) wrong.push(texts.currentNode.parentElement.outerHTML.slice(0, 300));
      for (const element of document.querySelectorAll('*')) {
        for (const name of read) if (has(element.getAttribute(name))) wrong.push(`${name} of ${element.outerHTML.slice(0, 300)}`);
      }
      return wrong;
    }, HIDDEN);
    assert.deepEqual(found, []);
    assert.deepEqual(page.complaints, []);
  }

  const shows = (page, testid) => page.getByTestId(testid).filter({ hasText: SHOWN }).first().waitFor();

  test('are marks in tables, their chips and their columns', async () => {
    const page = await real.visit(browser, `pods?ns=${namespace}`);
    await row(page, 'text').waitFor();
    assert.equal(await cell(page, 'text', 'status').innerText(), SHOWN);
    await shows(page, 'state');
    await clean(page);
    await page.goto(real.at(`turns.${group}?ns=${namespace}`));
    await row(page, 'text').filter({ hasText: SHOWN }).waitFor();
    await page.getByTestId('columns').click();
    await page.getByRole('dialog').waitFor();
    await clean(page);
  });

  test('are marks in every tab of a pod', async () => {
    const page = await real.visit(browser, `pods?ns=${namespace}&open=${namespace}/text`);
    for (const part of ['container', 'conditions', 'annotations']) await shows(page, part);
    await clean(page);
    for (const tab of ['yaml', 'json']) {
      await page.locator(`#tab-${tab}`).click();
      await page.getByTestId('object-text').filter({ hasText: '⟨U+202E⟩' }).waitFor();
      await clean(page);
    }
    await page.locator('#tab-events').click();
    await shows(page, 'event');
    await page.locator('#tab-timeline').click();
    await shows(page, 'timeline-row');
    await clean(page);
  });

  test('are marks in the values of ConfigMaps and Secrets', async () => {
    const page = await real.visit(browser, `configmaps?ns=${namespace}&open=${namespace}/text`);
    await shows(page, 'entries');
    await clean(page);
    await page.goto(real.at(`secrets?ns=${namespace}&open=${namespace}/text`));
    await page.getByTestId('ask-secret').click();
    await page.locator('[data-testid=secret-key][data-name=key]').getByRole('button').first().click();
    await shows(page, 'secret-value');
    await clean(page);
  });

  test('are marks on the events page', async () => {
    const page = await real.visit(browser, `events?ns=${namespace}`);
    await shows(page, 'timeline-row');
    await page.getByTestId('facet-reason').click();
    await page.getByRole('menuitemcheckbox').first().waitFor();
    await clean(page);
  });

  test('are marks in what a link wrote', async () => {
    const text = encodeURIComponent(TEXT);
    const page = await real.visit(browser, `pods?ns=${namespace}&q=${encodeURIComponent(`-${TEXT}=b`)}`);
    await page.getByTestId('filter-mistake').filter({ hasText: 'no label either' }).waitFor();
    await clean(page);
    await page.goto(real.at(`events?q=${encodeURIComponent(`${TEXT}=b`)}`));
    await page.locator('.tl-mistake').filter({ hasText: SHOWN }).waitFor();
    await clean(page);
    await page.goto(real.at(`${text}?ns=${text}`));
    await page.getByTestId('no-kind').waitFor();
    await clean(page);
  });

  test('are marks in a log', async () => {
    await kubectl('run', 'talks', '-n', namespace, '--image=registry.example/web:1');
    await kubectl('wait', '-n', namespace, 'pod/talks', '--for=condition=Ready');
    const page = await real.visit(browser, `pods?ns=${namespace}&open=${namespace}/talks&tab=logs`);
    await page.locator('.log-line').first().waitFor();
    await appendFile(environment.podLog, `${new Date().toISOString()} stdout F \u001b[31m${TEXT}\n`);
    await page.locator('.log-line').filter({ hasText: SHOWN }).first().waitFor();
    await clean(page);
  });
});
