// Pods in every state that kubectl has a word for. Nobody schedules them, so nothing but their status decides.

const ago = (seconds) => new Date(Date.now() - seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');

const container = (name, state, more = {}) => ({
  name,
  image: 'registry.example/app:1',
  imageID: '',
  ready: false,
  restartCount: 0,
  state,
  ...more,
});
const waiting = (reason) => ({ waiting: { reason } });
const running = () => ({ running: { startedAt: ago(900) } });
const terminated = (exitCode, more = {}) => ({ terminated: { exitCode, startedAt: ago(900), finishedAt: ago(400), ...more } });
const condition = (type, status, more = {}) => ({ type, status, lastTransitionTime: ago(300), ...more });

/** A pod with a status of its own. */
function pod(name, status, { spec = {}, ...metadata } = {}) {
  const image = 'registry.example/app:1';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'states' }, ...metadata },
    spec: { schedulerName: 'nobody', containers: [{ name: 'main', image }, { name: 'side', image }], ...spec },
    status,
  };
}

const init = (...names) => ({ spec: { initContainers: names.map((name) => ({ name, image: 'registry.example/init:1' })) } });

/** All of them; those that end in `-gone` are to be deleted and stay, held by a finalizer. */
export function podStates() {
  const main = (state, more) => [container('main', state, more), container('side', running(), { ready: true })];
  const held = { finalizers: ['masthead.dev/held'] };
  return [
    pod('bare'),
    pod('creating', { phase: 'Pending', containerStatuses: [container('main', waiting('ContainerCreating')), container('side', waiting('ContainerCreating'))] }),
    pod('pull', { phase: 'Pending', containerStatuses: main(waiting('ImagePullBackOff')) }),
    pod('init-first', { phase: 'Pending', initContainerStatuses: [container('one', running()), container('two', waiting('PodInitializing'))] }, init('one', 'two')),
    pod('init-second', { phase: 'Pending', initContainerStatuses: [container('one', terminated(0)), container('two', running())] }, init('one', 'two')),
    pod('init-error', { phase: 'Pending', initContainerStatuses: [container('one', terminated(1, { reason: 'Error' }), { restartCount: 2 })] }, init('one')),
    pod('init-signal', { phase: 'Pending', initContainerStatuses: [container('one', terminated(137, { signal: 9 }))] }, init('one')),
    pod('init-exit', { phase: 'Pending', initContainerStatuses: [container('one', terminated(3))] }, init('one')),
    pod('init-crash', { phase: 'Pending', initContainerStatuses: [container('one', waiting('CrashLoopBackOff'), { restartCount: 4, lastState: terminated(1) })] }, init('one')),
    pod(
      'sidecar',
      {
        phase: 'Running',
        initContainerStatuses: [container('proxy', running(), { ready: true, started: true, restartCount: 1, lastState: terminated(2) })],
        containerStatuses: main(running(), { ready: true }),
      },
      { spec: { initContainers: [{ name: 'proxy', image: 'registry.example/proxy:1', restartPolicy: 'Always' }] } },
    ),
    pod('restarts', { phase: 'Running', podIP: '10.9.8.7', containerStatuses: main(running(), { ready: true, restartCount: 3, lastState: terminated(1) }) }),
    pod('crash', { phase: 'Running', containerStatuses: main(waiting('CrashLoopBackOff'), { restartCount: 12, lastState: terminated(1) }) }),
    pod('half', { phase: 'Running', containerStatuses: main(running()) }),
    pod('not-ready', { phase: 'Running', conditions: [condition('Ready', 'False')], containerStatuses: main(terminated(0, { reason: 'Completed' })) }),
    pod('ready-beside', { phase: 'Running', conditions: [condition('Ready', 'True')], containerStatuses: main(terminated(0, { reason: 'Completed' })) }),
    pod('done', { phase: 'Succeeded', containerStatuses: [container('main', terminated(0, { reason: 'Completed' })), container('side', terminated(0, { reason: 'Completed' }))] }),
    pod('failed', { phase: 'Failed', containerStatuses: [container('main', terminated(1, { reason: 'Error' })), container('side', terminated(0, { reason: 'Completed' }))] }),
    pod('killed', { phase: 'Failed', containerStatuses: [container('main', terminated(137, { reason: 'OOMKilled' }))] }),
    pod('signal', { phase: 'Failed', containerStatuses: [container('main', terminated(139, { signal: 11 }))] }),
    pod('exit', { phase: 'Failed', containerStatuses: [container('main', terminated(4))] }),
    pod('evicted', { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' }),
    pod('unknown', { phase: 'Unknown' }),
    pod('gated', undefined, { spec: { schedulingGates: [{ name: 'masthead.dev/wait' }] } }),
    pod(
      'gates',
      { phase: 'Running', nominatedNodeName: 'node-of-hope', conditions: [condition('masthead.dev/one', 'True'), condition('masthead.dev/two', 'False')], containerStatuses: main(running(), { ready: true }) },
      { spec: { readinessGates: [{ conditionType: 'masthead.dev/one' }, { conditionType: 'masthead.dev/two' }] } },
    ),
    pod('running-gone', { phase: 'Running', containerStatuses: main(running(), { ready: true }) }, held),
    pod('done-gone', { phase: 'Succeeded', containerStatuses: [container('main', terminated(0, { reason: 'Completed' }))] }, held),
    pod('lost-gone', { phase: 'Running', reason: 'NodeLost', containerStatuses: main(running()) }, held),
  ];
}
