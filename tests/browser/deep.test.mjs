// Objects that nest deep, as those of kinds that somebody defined may.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';

import { browsing, realCluster } from './browsing.mjs';
import { kubectl, uniqueName } from './cluster.mjs';
import { row } from './masthead.mjs';
import { answersKeys, measured } from './measure.mjs';

describe('an object that nests deep', () => {
  const browser = browsing();
  const real = realCluster();
  const namespace = uniqueName('deep');
  const group = `${namespace}.example.com`;

  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `wells.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Well', plural: 'wells', singular: 'well' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }],
    },
  };

  /** A well with so many objects in each other. */
  function well(name, levels) {
    let spec = { bottom: 'water' };
    for (let level = 1; level < levels; level += 1) spec = { a: spec };
    return { apiVersion: `${group}/v1`, kind: 'Well', metadata: { name }, spec };
  }

  const make = (object) => real.send(undefined, 'POST', `/apis/${group}/v1/namespaces/${namespace}/wells`, object);

  before(async () => {
    await kubectl('create', 'namespace', namespace);
    await real.send(undefined, 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    await kubectl('wait', '--for=condition=Established', `crd/wells.${group}`);
  });
  after(async () => {
    await kubectl('delete', 'crd', `wells.${group}`, '--wait=false');
    await kubectl('delete', 'namespace', namespace, '--wait=false');
  });

  for (const levels of [127, 1000, 1240]) {
    test(`${levels} levels: is in the table, opens, and is all there as YAML and as JSON`, async (t) => {
      const name = `levels-${levels}`;
      await make(well(name, levels));
      const page = await real.visit(browser, `wells.${group}?ns=${namespace}`);
      await row(page, name).waitFor();
      await measured(t, page, `${levels} levels`, async () => {
        await row(page, name).getByRole('link').click();
        await page.locator('#tab-yaml').click();
        await page.getByTestId('object-text').filter({ hasText: 'kind: Well' }).waitFor();
      });
      for (const tab of ['yaml', 'json']) {
        await page.locator(`#tab-${tab}`).click();
        await page.getByTestId('object-text').filter({ hasText: 'Well' }).waitFor();
        if (levels > 500) await page.getByTestId('show-more').click();
        await page.getByTestId('object-text').locator('.line').filter({ hasText: 'water' }).waitFor();
      }
      assert.equal(await page.getByTestId('object-unread').count(), 0);
      await answersKeys(page);
      assert.deepEqual(page.complaints, []);
    });
  }

  test('3,000 levels: is shown as the server sent it', async () => {
    await make(well('levels-3000', 3000));
    const page = await real.visit(browser, `wells.${group}?ns=${namespace}&open=${namespace}/levels-3000`);
    await page.getByTestId('object-unread').filter({ hasText: 'deeper than 1,250 levels' }).waitFor();
    await row(page, 'levels-3000').waitFor();
    for (const tab of ['yaml', 'json']) {
      await page.locator(`#tab-${tab}`).click();
      await page.getByTestId('object-text').filter({ hasText: `{"apiVersion":"${group}/v1","kind":"Well"` }).waitFor();
      await page.getByText(/^8,192 of [\d,]+ bytes are shown/).waitFor();
    }
    const download = page.waitForEvent('download');
    await page.getByTestId('download-object').click();
    const text = await readFile(await (await download).path(), 'utf8');
    assert.ok(text.includes(`"spec":${'{"a":'.repeat(2999)}{"bottom":"water"}`), 'all of it can be saved');
    await answersKeys(page);
    assert.deepEqual(page.complaints, []);
  });
});
