// Verbs, watches, queues, events and elections on the real cluster, in Node.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { connect, KubernetesError } from 'masthead';

import { kubectl, uniqueName } from '../browser/cluster.mjs';
import { brittleProxy } from './remote.mjs';

const CONFIG_MAPS = { version: 'v1', resource: 'configmaps' };
const namespace = uniqueName('client');

let k8s, proxy;
before(async () => {
  await kubectl('create', 'namespace', namespace);
  proxy = await brittleProxy('admin');
  k8s = await connect({ baseUrl: proxy.url });
});
after(() => kubectl('delete', 'namespace', namespace, '--wait=false'));

const map = (name, data) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });

test('every verb does what it says', async () => {
  const maps = k8s.resource(CONFIG_MAPS).namespace(namespace);
  const made = await maps.create(map('verbs', { a: '1' }));
  assert.equal(made.data.a, '1');
  const updated = await maps.update({ ...made, data: { a: '2' } });
  assert.notEqual(updated.metadata.resourceVersion, made.metadata.resourceVersion);
  const patched = await maps.patch('verbs', { data: { b: '3' } });
  assert.deepEqual(patched.data, { a: '2', b: '3' });
  const removed = await maps.patch('verbs', [{ op: 'remove', path: '/data/a' }], { type: 'json' });
  assert.deepEqual(removed.data, { b: '3' });
  const applied = await maps.apply(map('verbs', { c: '4' }), { fieldManager: 'tests' });
  assert.deepEqual(applied.data, { b: '3', c: '4' });
  assert.deepEqual((await maps.get('verbs')).data, applied.data);
  const dry = await maps.create(map('dry', {}), { dryRun: true });
  assert.equal(dry.metadata.name, 'dry');
  const page = await maps.list({ limit: 1, labelSelector: '!absent' });
  assert.equal(page.items.length, 1);
  assert.ok(page.metadata.continue, 'kube-root-ca.crt and verbs are two');
  await maps.delete('verbs', { preconditions: { uid: made.metadata.uid } });
  await maps.create(map('one', { of: 'two' }));
  await maps.deleteCollection({ fieldSelector: 'metadata.name=one' });
  const left = await maps.list();
  assert.ok(left.items.every(({ metadata }) => !['verbs', 'dry', 'one'].includes(metadata.name)));
});

test('a refusal is a KubernetesError that says what the server said', async () => {
  const maps = k8s.resource(CONFIG_MAPS).namespace(namespace);
  const refused = async (attempt, predicate) => {
    const error = await attempt.then(() => assert.fail('not refused'), (error) => error);
    assert.ok(error instanceof KubernetesError && error instanceof Error, String(error));
    assert.equal(error[predicate], true, `${predicate}: ${error.message}`);
    return error;
  };
  const absent = await refused(maps.get('absent'), 'isNotFound');
  assert.deepEqual([absent.code, absent.reason, absent.details.name], [404, 'NotFound', 'absent']);
  assert.match(absent.message, /^get configmaps: 404 NotFound: configmaps "absent" not found$/);
  await maps.create(map('there', {}));
  await refused(maps.create(map('there', {})), 'isAlreadyExists');
  const stale = { ...(await maps.get('there')), data: { x: '1' } };
  await maps.patch('there', { data: { y: '1' } });
  await refused(maps.update(stale), 'isConflict');
  const invalid = await refused(maps.create(map('Not A Name', {})), 'isInvalid');
  assert.equal(invalid.details.causes[0].field, 'metadata.name');
  await refused(maps.update({ data: {} }), 'isInvalidRequest');
  await refused(maps.get(''), 'isInvalidRequest');
  const nobody = await connect({ baseUrl: (await brittleProxy('nobody')).url });
  await refused(nobody.resource(CONFIG_MAPS).list(), 'isForbidden');
  for (const [informer, predicate] of [
    [nobody.informer(CONFIG_MAPS), 'isForbidden'],
    [k8s.informer({ version: 'v1', resource: 'unheardof' }), 'isNotFound'],
  ]) {
    await refused(informer.synced(), predicate);
    informer[Symbol.dispose]();
    assert.throws(() => informer.list(), (error) => error.isClosed);
  }
  await assert.rejects(connect({ baseUrl: 'nowhere' }), (error) => error.isInvalidRequest);
});

test('a signal ends whatever takes time', async () => {
  const reason = new Error('enough');
  const aborted = AbortSignal.abort(reason);
  const maps = k8s.resource(CONFIG_MAPS).namespace(namespace);
  await assert.rejects(maps.list({ signal: aborted }), reason);
  const soon = () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 50);
    return controller.signal;
  };
  const watched = async () => {
    for await (const event of maps.watch({ signal: soon() })) assert.ok(event.type);
  };
  await assert.rejects(watched(), reason);
  const informer = k8s.informer({ ...CONFIG_MAPS, namespace, signal: soon() });
  await informer.synced();
  for await (const change of informer) assert.equal(change.type, 'add');
  assert.ok(informer.size > 0, 'the copy stays');
  await assert.rejects(k8s.workqueue().get({ signal: soon() }), reason);
  const election = k8s.leaderElection({ namespace, name: 'abort', identity: 'a' });
  const lead = (leading) => new Promise((resolve) => leading.addEventListener('abort', resolve));
  await assert.rejects(election.run(lead, { signal: soon() }), reason);
  assert.equal(election.isLeader, false, 'given up');
});

test('a watch tells of changes from a version on', async () => {
  const maps = k8s.resource(CONFIG_MAPS).namespace(namespace);
  const { metadata } = await maps.list();
  await maps.create(map('watched', { n: '1' }));
  await maps.patch('watched', { data: { n: '2' } });
  await maps.delete('watched');
  const seen = [];
  for await (const { type, object } of maps.watch({ resourceVersion: metadata.resourceVersion })) {
    seen.push(`${type} ${object.data?.n}`);
    if (type === 'DELETED') break;
  }
  assert.deepEqual(seen, ['ADDED 1', 'MODIFIED 2', 'DELETED 2']);
});

test('an informer transforms, indexes by functions, and knows what cannot be transformed', async (t) => {
  const maps = k8s.resource(CONFIG_MAPS).namespace(namespace);
  for (const [name, colour] of [['x1', 'red'], ['x2', 'red'], ['bad', 'none']]) await maps.create(map(name, { colour }));
  const troubles = [];
  let reentered = 0;
  const informer = k8s.informer({
    ...CONFIG_MAPS,
    namespaces: [namespace, 'default'],
    fields: { colour: 'data.colour' },
    indexers: { letters: ({ metadata }) => [...metadata.name].slice(0, 1) },
    transform: (object) => {
      if (object.metadata.name === 'bad') throw new Error('not this one');
      reentered = informer.size;
      return { metadata: object.metadata, data: { colour: `${object.data?.colour}dish` } };
    },
  });
  t.after(() => informer[Symbol.dispose]());
  informer.on('error', (trouble) => troubles.push(trouble));
  await informer.synced();
  assert.deepEqual(informer.byIndex('letters', 'x').map(({ data }) => data.colour), ['reddish', 'reddish']);
  assert.equal(informer.row(`${namespace}/x1`).colour, 'reddish');
  assert.equal(informer.get(`${namespace}/bad`), undefined);
  assert.ok(informer.indexValues('letters').includes('k'), 'kube-root-ca.crt of both namespaces');
  assert.match(String(troubles.find(({ during }) => during === 'stale').error), new RegExp(`${namespace}/bad.*not this one`));
  assert.deepEqual(informer.stale().map(({ key }) => key), [`${namespace}/bad`]);
  assert.match(String(informer.stale()[0].error), /not this one/);
  assert.ok(reentered >= 0);
  const written = await maps.patch('x1', { data: { colour: 'blu' } });
  await informer.has(written, { signal: AbortSignal.timeout(10_000) });
  assert.equal(informer.row(`${namespace}/x1`).colour, 'bludish');
  await maps.delete('bad');
  while (informer.stale().length > 0) await pause(20);
  assert.throws(() => informer.byIndex('absent', ''), (error) => error.isInvalidRequest);
});

test('a listener that comes late is told everything, one that throws harms nobody, and one that leaves hears nothing', async (t) => {
  const informer = k8s.informer({ version: 'v1', resource: 'namespaces' });
  t.after(() => informer[Symbol.dispose]());
  await informer.synced();
  const [late, troubles] = [[], []];
  informer.on('error', (trouble) => troubles.push(trouble));
  const leave = informer.on('add', () => assert.fail('it left'));
  leave();
  informer.on('add', () => {
    throw new Error('a mistake');
  });
  await new Promise((resolve) => {
    informer.on('add', (change) => {
      late.push(change);
      if (late.length === informer.size) resolve();
    });
  });
  assert.ok(late.every(({ initial }) => initial));
  assert.equal(troubles.length, late.length);
  assert.ok(troubles.every(({ during, error }) => during === 'listener' && error.message === 'a mistake'));
});

test('a slow reader is told of every object once, in its latest state, and of nothing that came and went', async (t) => {
  const maps = k8s.resource(CONFIG_MAPS).namespace(namespace);
  for (const name of ['s-doomed', 's-reborn']) await maps.create(map(name, { n: '0' }));
  const informer = k8s.informer({ ...CONFIG_MAPS, namespace });
  t.after(() => informer[Symbol.dispose]());
  await informer.synced();
  const reader = informer.changes();
  for (let left = informer.size; left > 0; left -= 1) assert.equal((await reader.next()).value.initial, true);
  await maps.create(map('s-new', { n: '1' }));
  await maps.patch('s-new', { data: { n: '2' } });
  await maps.create(map('s-brief', {}));
  await maps.delete('s-brief');
  await maps.patch('s-doomed', { data: { n: '1' } });
  await maps.delete('s-doomed');
  await maps.delete('s-reborn');
  await maps.create(map('s-reborn', { n: '1' }));
  await informer.has(await maps.create(map('s-zz', {})), { signal: AbortSignal.timeout(10_000) });
  // What is in the copy is told in the same turn or the next.
  await pause(50);
  const seen = [];
  for await (const { type, key, object, old } of reader) {
    seen.push(`${type} ${key.split('/')[1]} ${old?.data?.n ?? ''}>${object.data?.n ?? ''}`);
    if (key.endsWith('s-zz')) break;
  }
  assert.deepEqual(seen, ['add s-new >2', 'delete s-doomed >1', 'update s-reborn 0>1', 'add s-zz >']);
});

test('a stopped informer leaves no connection, whatever was collected meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  const own = await brittleProxy('admin');
  const informer = (await connect({ baseUrl: own.url })).informer({ ...CONFIG_MAPS, namespace });
  await informer.synced();
  while ((await own.connections()) === 0) await pause(10);
  for (let round = 0; round < 5; round += 1) {
    await pause(20);
    collect();
  }
  informer[Symbol.dispose]();
  // Node keeps a connection for the next request for some seconds.
  const deadline = Date.now() + 30_000;
  while ((await own.connections()) > 0) {
    assert.ok(Date.now() < deadline, 'the watch is still open');
    await pause(100);
  }
});

test('discovery finds resources by what people call them', async () => {
  assert.match((await k8s.discovery.version()).gitVersion, /^v1\.36/);
  const { group, version, resource, kind, namespaced } = await k8s.discovery.find('deploy');
  assert.deepEqual({ group, version, resource, kind, namespaced }, { group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment', namespaced: true });
  assert.equal((await k8s.discovery.findKind('', 'Node')).namespaced, false);
  await assert.rejects(k8s.discovery.find('unheardof'), (error) => error.isNoMatch);
  const { resources, failed } = await k8s.discovery.preferredResources();
  assert.ok(resources.some(({ resource }) => resource === 'pods') && failed.length === 0);
  assert.ok((await k8s.discovery.groups()).some(({ name }) => name === 'apps'));
});

test('a work queue gives each key to one worker, and tries again what failed', async () => {
  const queue = k8s.workqueue({ base: 0.001 });
  for (const key of ['a', 'b', 'a', 'c']) queue.add(key);
  assert.equal(queue.size, 3);
  const [attempts, errors] = [[], []];
  const work = queue.run(
    async (key) => {
      attempts.push(key);
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (key === 'b' && attempts.filter((one) => one === 'b').length < 3) throw new Error('not yet');
      if (key === 'c') queue.add('d');
      if (key === 'd') setTimeout(() => queue.shutDown(), 50);
    },
    { concurrency: 2, onError: (error, key, retries) => errors.push(`${key} ${retries}`) },
  );
  await work;
  assert.deepEqual([...attempts].sort(), ['a', 'b', 'b', 'b', 'c', 'd']);
  assert.deepEqual(errors, ['b 0', 'b 1']);
  assert.equal(queue.requeues('b'), 0);
  const other = k8s.workqueue();
  other.add('x');
  const item = await other.get();
  assert.equal(item.key, 'x');
  item[Symbol.dispose]();
  assert.equal(other.size, 1, 'what nobody finished goes back');
  (await other.get()).done();
  assert.equal(await other.drain({ limit: 1 }), 0);
});

test('a queue with priorities hands out the higher ones first, and keeps them when a key is tried again', async () => {
  const queue = k8s.workqueue({ priority: true, base: 0.001 });
  queue.add('resync', { priority: -100 });
  queue.add('change');
  queue.add('urgent', { priority: 5 });
  queue.add('resync', { priority: -1 });
  assert.equal(queue.size, 3);
  const order = [];
  while (queue.size > 0) {
    const item = await queue.get();
    order.push(`${item.key} ${item.priority}`);
    item.done();
  }
  assert.deepEqual(order, ['urgent 5', 'change 0', 'resync -1']);
  queue.addAfter('later', 0.01, { priority: 7 });
  const enough = new AbortController();
  await queue.run(() => Promise.reject(new Error('not yet')), { signal: enough.signal, onError: () => enough.abort() });
  const again = await queue.get();
  assert.deepEqual([again.key, again.priority, queue.requeues('later')], ['later', 7, 1]);
  again.done();
  assert.equal(await queue.drain({ limit: 1 }), 0);
  assert.equal(await queue.get(), undefined, 'shut down');
  assert.throws(() => k8s.workqueue().add('x', { priority: 1 }), (error) => error.isInvalidRequest && /priority: true/.test(error.message));
});

test('a table has the columns and cells that kubectl prints', async () => {
  const namespaces = k8s.resource({ version: 'v1', resource: 'namespaces' });
  const table = await namespaces.table({ fieldSelector: 'metadata.name=kube-system' });
  assert.deepEqual(table.columns.map(({ name, priority }) => [name, priority]), [['Name', 0], ['Status', 0], ['Age', 0]]);
  const printed = await kubectl('get', 'namespace', 'kube-system', '--no-headers');
  assert.deepEqual(table.rows.map(({ cells }) => cells.slice(0, 2)), [printed.trim().split(/\s+/).slice(0, 2)]);
  assert.equal(table.rows[0].object.metadata.name, 'kube-system');
  assert.equal(table.rows[0].object.spec, undefined, 'its metadata alone');
  const bare = await namespaces.table({ limit: 1, includeObject: 'None' });
  assert.deepEqual([bare.rows.length, bare.rows[0].object], [1, undefined]);
  assert.ok(bare.continue && bare.remainingItemCount > 0);
  const whole = await namespaces.table({ limit: 1, includeObject: 'Object', continue: bare.continue });
  assert.ok(whole.rows[0].object.spec);
});

test('logs come line by line, to their end or for as long as somebody reads', async () => {
  const pods = k8s.resource({ version: 'v1', resource: 'pods', namespace });
  const spec = { containers: [{ name: 'main', image: 'registry.k8s.io/pause' }], terminationGracePeriodSeconds: 0 };
  await pods.create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'talker' }, spec });
  await kubectl('--namespace', namespace, 'wait', '--for=condition=Ready', 'pod/talker', '--timeout=60s');
  const said = (await kubectl('--namespace', namespace, 'logs', 'talker', '--tail=3')).trimEnd().split('\n');
  assert.equal(said.length, 3);
  const read = [];
  for await (const line of pods.logs('talker', { container: 'main', tailLines: 3 })) read.push(line);
  assert.deepEqual(read, said);
  for await (const line of pods.logs('talker', { tailLines: 1, timestamps: true })) assert.match(line, /^\d{4}-\d\d-\d\dT\S+Z /);
  const controller = new AbortController();
  const follow = async () => {
    for await (const line of pods.logs('talker', { tailLines: 1, follow: true, signal: controller.signal })) {
      assert.equal(line, said[2]);
      controller.abort(new Error('enough'));
    }
  };
  await assert.rejects(follow(), /enough/);
  await assert.rejects(pods.logs('absent').next(), (error) => error.isNotFound);
});

test('a recorder of events.k8s.io names the action and makes a series of repetitions', async (t) => {
  const maps = k8s.resource(CONFIG_MAPS).namespace(namespace);
  const [about, related] = [await maps.create(map('modern', {})), await maps.create(map('other', {}))];
  const recorder = k8s.recorder({ component: 'example.com/tests', host: 'here', api: 'events.k8s.io/v1' });
  t.after(() => recorder[Symbol.dispose]());
  for (let time = 0; time < 2; time += 1) recorder.event(about, 'Normal', 'Moved', 'it was moved', { action: 'Moving', related });
  recorder.event(about, 'Normal', 'Rested', 'it rests');
  await recorder.flushed();
  const events = k8s.resource({ group: 'events.k8s.io', version: 'v1', resource: 'events', namespace });
  const { items } = await events.list({ fieldSelector: 'regarding.name=modern' });
  const shown = items.map((event) => [event.reason, event.action, event.note, event.reportingController, event.related?.name, event.series?.count]);
  assert.deepEqual(shown.sort(), [
    ['Moved', 'Moving', 'it was moved', 'example.com/tests', 'other', 2],
    ['Rested', 'Rested', 'it rests', 'example.com/tests', undefined, undefined],
  ]);
  assert.deepEqual([recorder.counts.lost, recorder.counts.pending], [0, 0]);
});

test('a recorder writes events that kubectl shows, equal ones counted', async (t) => {
  const maps = k8s.resource(CONFIG_MAPS).namespace(namespace);
  const about = await maps.create(map('eventful', {}));
  const recorder = k8s.recorder({ component: 'tests' });
  t.after(() => recorder[Symbol.dispose]());
  for (let time = 0; time < 3; time += 1) recorder.event(about, 'Warning', 'Tried', 'it was tried');
  await recorder.flushed();
  const fields = ['--output=jsonpath={range .items[*]}{.type} {.reason} {.source.component} {.count}{end}'];
  const printed = await kubectl('--namespace', namespace, 'get', 'events', '--field-selector=involvedObject.name=eventful', ...fields);
  assert.equal(printed, 'Warning Tried tests 3');
  const { lost, pending, written, merged } = recorder.counts;
  assert.deepEqual({ lost, pending, all: written + merged }, { lost: 0, pending: 0, all: 3 });
  assert.throws(() => recorder.event({ metadata: { name: 'x' } }, 'Normal', 'A', 'b'), (error) => error.isInvalidRequest);
});

test('of two candidates one leads, and the other once the first is through', async () => {
  const candidate = (identity) => k8s.leaderElection({ namespace, name: 'lease', identity, leaseDuration: 2, renewDeadline: 1.5, retryPeriod: 0.2 });
  const [first, second] = [candidate('first'), candidate('second')];
  const order = [];
  const leaders = [];
  let through;
  const leading = new Promise((resolve) => (through = resolve));
  const one = first.run(async (signal) => {
    order.push('first');
    assert.equal(signal.aborted, false);
    through();
    await new Promise((resolve) => setTimeout(resolve, 500));
    return 'result';
  });
  await leading;
  const two = second.run(async () => void order.push('second'), { onLeader: (name) => leaders.push(name) });
  assert.equal(await one, 'result');
  await two;
  assert.deepEqual(order, ['first', 'second']);
  assert.deepEqual(leaders, ['first', 'second']);
  assert.equal(second.isLeader, false, 'given up');
  await assert.rejects(candidate('third').run(() => Promise.reject(new Error('no good'))), /no good/);
  assert.throws(() => k8s.leaderElection({ namespace, name: 'x', identity: '' }), (error) => error.isInvalidRequest);
});
