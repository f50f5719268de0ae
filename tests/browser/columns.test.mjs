// Every table says what `kubectl get -o wide` says, cell by cell, on the real cluster.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { browsing, realCluster } from './browsing.mjs';
import { kubectl } from './cluster.mjs';
import { foundEstate } from './estate.mjs';
import { agrees, read } from './kubectl_table.mjs';

const NAMESPACED = [
  'pods',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'replicationcontrollers',
  'controllerrevisions.apps',
  'podtemplates',
  'jobs.batch',
  'cronjobs.batch',
  'services',
  'endpoints',
  'endpointslices.discovery.k8s.io',
  'ingresses.networking.k8s.io',
  'networkpolicies.networking.k8s.io',
  'configmaps',
  'secrets',
  'serviceaccounts',
  'persistentvolumeclaims',
  'horizontalpodautoscalers.autoscaling',
  'poddisruptionbudgets.policy',
  'resourcequotas',
  'limitranges',
  'leases.coordination.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
];

const CLUSTER_WIDE = [
  'nodes',
  'namespaces',
  'persistentvolumes',
  'storageclasses.storage.k8s.io',
  'csidrivers.storage.k8s.io',
  'priorityclasses.scheduling.k8s.io',
  'ingressclasses.networking.k8s.io',
  'runtimeclasses.node.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'apiservices.apiregistration.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
];

describe('columns equal those of kubectl', () => {
  const browser = browsing();
  const cluster = realCluster();
  let estate;
  before(async () => (estate = await foundEstate()));
  after(() => estate?.close());

  for (const kind of [...NAMESPACED, ...CLUSTER_WIDE, 'a custom kind']) {
    test(kind, async () => {
      const resource = kind === 'a custom kind' ? estate.ships : kind;
      const scope = CLUSTER_WIDE.includes(kind) ? [] : ['-n', estate.namespace];
      // All rows are in the page at once, so that all of them can be read.
      const viewport = { width: 1440, height: 5000 };
      const route = scope.length ? `${resource}?ns=${estate.namespace}` : resource;
      const page = await cluster.visit(browser, route, { viewport });
      await page.locator('[data-testid=row]:not([hidden])').first().waitFor();
      await showAllColumns(page);
      await agreed(page, () => kubectl('get', resource, '-o', 'wide', ...scope));
      assert.deepEqual(page.complaints, []);
    });
  }
});

/** Turns on every column in the column chooser. */
async function showAllColumns(page) {
  await page.getByTestId('columns').click();
  const menu = page.getByRole('dialog');
  for (const box of await menu.getByRole('checkbox', { disabled: false }).all()) await box.check();
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'hidden' });
}

/** Waits until the page shows what kubectl says just before and just after, and tells the last differences otherwise. */
async function agreed(page, ask) {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const before = sorted(read(await ask()));
    const shown = sorted(await page.getByTestId('grid').evaluate(readGrid));
    const after = sorted(read(await ask()));
    const differences = compare(shown, before, after);
    if (differences.length === 0) return;
    if (Date.now() > deadline) assert.fail(differences.join('\n'));
  }
}

/** A table by its names: the server has an order of its own for some kinds. */
function sorted({ columns, rows }) {
  return { columns, rows: rows.toSorted(([one], [other]) => (one < other ? -1 : 1)) };
}

/** The heads and cells of a table on screen. Runs in the page. */
function readGrid(grid) {
  const texts = (row, selector) => [...row.querySelectorAll(selector)].map((cell) => cell.textContent.trim());
  const rows = [...grid.querySelectorAll('[data-testid=row]:not([hidden])')];
  return { columns: texts(grid, '[role=columnheader]'), rows: rows.map((row) => texts(row, '[role=gridcell]')) };
}

/** A line for each difference. */
function compare(shown, before, after) {
  if (shown.columns.join('|') !== before.columns.join('|')) {
    return [`columns: ${shown.columns.join('|')} and kubectl's ${before.columns.join('|')}`];
  }
  const names = (table) => table.rows.map(([name]) => name).join(' ');
  if (names(shown) !== names(before) || names(before) !== names(after)) {
    return [`rows: ${names(shown)} and kubectl's ${names(before)}, then ${names(after)}`];
  }
  return shown.rows.flatMap((cells, row) =>
    cells.flatMap((cell, at) => {
      const [early, late] = [before.rows[row][at], after.rows[row][at]];
      return agrees(cell, early, late) ? [] : [`${cells[0]} ${shown.columns[at]}: "${cell}" and kubectl's "${early}", then "${late}"`];
    }),
  );
}
