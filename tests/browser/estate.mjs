// An object or two of every kind that is compared with what kubectl prints, in the states that have a word of their own.

import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { kubectl, uniqueName } from './cluster.mjs';
import { podStates } from './estate_pods.mjs';

const image = 'registry.example/web:1.2';
const labels = { app: 'web', tier: 'front' };
const template = (behaviour, name = 'web', more = {}) => ({
  metadata: { labels: { app: name, tier: 'front', ...(behaviour && { 'masthead.dev/behaviour': behaviour }) } },
  spec: { containers: [{ name, image }, { name: 'log', image: 'registry.example/log:3' }], ...more },
});
const selector = (name = 'web') => ({ matchLabels: { app: name, tier: 'front' } });
const of = (apiVersion, kind) => (name, rest = {}) => ({ apiVersion, kind, metadata: { name }, ...rest });

/** What lies in the namespace. */
function namespaced() {
  const job = of('batch/v1', 'Job');
  const jobSpec = (name, more = {}, behaviour) => ({
    ...more,
    template: { ...template(behaviour, name), spec: { ...template(behaviour, name).spec, restartPolicy: 'Never' } },
  });
  const cron = of('batch/v1', 'CronJob');
  const service = of('v1', 'Service');
  const claim = of('v1', 'PersistentVolumeClaim');
  const autoscaler = of('autoscaling/v2', 'HorizontalPodAutoscaler');
  const budget = of('policy/v1', 'PodDisruptionBudget');
  const ingress = of('networking.k8s.io/v1', 'Ingress');
  const slice = of('discovery.k8s.io/v1', 'EndpointSlice');
  const backend = { service: { name: 'web', port: { number: 80 } } };
  const path = { http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } };
  return [
    of('apps/v1', 'Deployment')('web', { spec: { replicas: 3, selector: selector(), template: template() } }),
    of('apps/v1', 'Deployment')('crashing', { spec: { replicas: 1, selector: selector('crashing'), template: template('crash-loop', 'crashing') } }),
    of('apps/v1', 'Deployment')('no-image', { spec: { replicas: 2, selector: selector('no-image'), template: template('image-pull', 'no-image') } }),
    of('apps/v1', 'StatefulSet')('db', { spec: { replicas: 2, serviceName: 'headless', selector: selector('db'), template: template(undefined, 'db') } }),
    of('apps/v1', 'DaemonSet')('agent', { spec: { selector: selector('agent'), template: template(undefined, 'agent', { nodeSelector: { 'kubernetes.io/os': 'none', disk: 'fast' } }) } }),
    of('v1', 'ReplicationController')('old', { spec: { replicas: 1, selector: { app: 'old', tier: 'front' }, template: template(undefined, 'old') } }),
    of('v1', 'PodTemplate')('mould', { template: template() }),
    job('done', { spec: jobSpec('done', { completions: 2, parallelism: 2 }) }),
    job('broken', { spec: jobSpec('broken', { backoffLimit: 0 }, 'fail') }),
    job('paused', { spec: jobSpec('paused', { suspend: true, completions: 3 }) }),
    job('queue', { spec: jobSpec('queue', { suspend: true, parallelism: 2 }) }),
    cron('nightly', { spec: { schedule: '0 3 * * *', timeZone: 'Europe/Berlin', jobTemplate: { spec: jobSpec('nightly') } } }),
    cron('stopped', { spec: { schedule: '*/5 * * * *', suspend: true, jobTemplate: { spec: jobSpec('stopped') } }, status: { lastScheduleTime: '2026-01-02T03:04:05Z' } }),
    service('web', { spec: { selector: labels, ports: [{ name: 'http', port: 80 }, { name: 'dns', port: 53, protocol: 'UDP' }] } }),
    service('headless', { spec: { clusterIP: 'None', selector: { app: 'db' }, ports: [{ port: 5432 }] } }),
    service('outside', { spec: { type: 'NodePort', externalIPs: ['192.0.2.1', '192.0.2.2'], ports: [{ port: 443, targetPort: 8443 }] } }),
    service('balanced', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] }, status: { loadBalancer: { ingress: [{ ip: '203.0.113.7' }, { hostname: 'lb.example.com' }] } } }),
    service('waiting', { spec: { type: 'LoadBalancer', ports: [{ port: 80 }] } }),
    service('alias', { spec: { type: 'ExternalName', externalName: 'db.example.com' } }),
    slice('by-hand', {
      addressType: 'IPv4',
      endpoints: ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5'].map((address) => ({ addresses: [address] })),
      ports: [{ name: 'a', port: 80 }, { name: 'b', port: 81 }, { name: 'c', port: 82 }, { name: 'd', port: 83 }],
    }),
    slice('no-port', { addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }], ports: [] }),
    ingress('site', {
      spec: { ingressClassName: 'front', tls: [{ hosts: ['a.example.com'], secretName: 'plain' }], rules: ['a', 'b', 'c', 'd'].map((host) => ({ host: `${host}.example.com`, ...path })) },
      status: { loadBalancer: { ingress: [{ ip: '203.0.113.9' }, { hostname: 'lb.example.com' }] } },
    }),
    ingress('any', { spec: { defaultBackend: backend } }),
    of('networking.k8s.io/v1', 'NetworkPolicy')('closed', { spec: { podSelector: { matchLabels: labels, matchExpressions: [{ key: 'role', operator: 'In', values: ['a', 'b'] }] }, policyTypes: ['Ingress'] } }),
    of('networking.k8s.io/v1', 'NetworkPolicy')('all', { spec: { podSelector: {}, policyTypes: ['Egress'] } }),
    of('v1', 'ConfigMap')('words', { data: { a: '1', b: '2' }, binaryData: { c: 'AAEC' } }),
    of('v1', 'ConfigMap')('nothing'),
    of('v1', 'Secret')('plain', { stringData: { user: 'u', password: 'p' } }),
    of('v1', 'Secret')('registry', { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{"auths":{}}' } }),
    of('v1', 'ServiceAccount')('robot', { secrets: [{ name: 'plain' }, { name: 'registry' }] }),
    claim('wanted', { spec: { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], storageClassName: 'estate-none', resources: { requests: { storage: '5Gi' } } } }),
    claim('block', { spec: { accessModes: ['ReadWriteOncePod'], volumeMode: 'Block', storageClassName: 'estate-none', resources: { requests: { storage: '1500M' } } } }),
    autoscaler('simple', {
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas: 2, maxReplicas: 9, metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }] },
    }),
    autoscaler('many', {
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db' },
        maxReplicas: 5,
        metrics: [
          { type: 'Pods', pods: { metric: { name: 'requests' }, target: { type: 'AverageValue', averageValue: '100' } } },
          { type: 'Object', object: { metric: { name: 'hits' }, describedObject: { kind: 'Service', name: 'web', apiVersion: 'v1' }, target: { type: 'Value', value: '2k' } } },
          { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '30' } } },
          { type: 'ContainerResource', containerResource: { name: 'memory', container: 'db', target: { type: 'AverageValue', averageValue: '512Mi' } } },
        ],
      },
    }),
    budget('half', { spec: { minAvailable: '50%', selector: selector() } }),
    budget('one', { spec: { maxUnavailable: 1, selector: selector('db') } }),
    of('v1', 'ResourceQuota')('counts', { spec: { hard: { pods: '500', 'count/configmaps': '9k' } } }),
    of('v1', 'ResourceQuota')('sizes', { spec: { hard: { 'requests.cpu': '20', 'limits.memory': '64Gi' }, scopes: ['NotBestEffort'] } }),
    of('v1', 'LimitRange')('sizes', { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '100Gi' } }] } }),
    of('coordination.k8s.io/v1', 'Lease')('held', { spec: { holderIdentity: 'somebody', leaseDurationSeconds: 15 } }),
    of('coordination.k8s.io/v1', 'Lease')('free', { spec: {} }),
    of('rbac.authorization.k8s.io/v1', 'Role')('look', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] }),
    of('rbac.authorization.k8s.io/v1', 'RoleBinding')('look', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'look' },
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' },
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'bob' },
        { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'team' },
        { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
      ],
    }),
    ...podStates(),
  ];
}

/** What belongs to the whole cluster: names differ from run to run. */
function clusterWide(id, namespace) {
  const volume = of('v1', 'PersistentVolume');
  const local = (more) => ({ capacity: { storage: '10Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' }, ...more });
  const storage = of('storage.k8s.io/v1', 'StorageClass');
  const crd = definition(id);
  return [
    volume(`pv-${id}-claimed`, { spec: local({ storageClassName: 'estate-none', claimRef: { namespace, name: 'wanted' }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }) }),
    volume(`pv-${id}-free`, { spec: local({ persistentVolumeReclaimPolicy: 'Delete', volumeMode: 'Block', accessModes: ['ReadWriteMany', 'ReadOnlyMany'] }) }),
    { ...storage(`fast-${id}`, { provisioner: 'csi.example.com', reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer', allowVolumeExpansion: true }) },
    { ...storage(`usual-${id}`, { provisioner: 'csi.example.com' }), metadata: { name: `usual-${id}`, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } },
    of('scheduling.k8s.io/v1', 'PriorityClass')(`urgent-${id}`, { value: 1000, preemptionPolicy: 'Never' }),
    of('networking.k8s.io/v1', 'IngressClass')(`front-${id}`, { spec: { controller: 'example.com/ingress', parameters: { apiGroup: 'example.com', kind: 'Params', name: 'one' } } }),
    of('networking.k8s.io/v1', 'IngressClass')(`bare-${id}`, { spec: { controller: 'example.com/other' } }),
    of('storage.k8s.io/v1', 'CSIDriver')(`driver-${id}.example.com`, { spec: { attachRequired: false, tokenRequests: [{ audience: 'a' }, { audience: 'b' }] } }),
    of('node.k8s.io/v1', 'RuntimeClass')(`sandbox-${id}`, { handler: 'runsc' }),
    of('rbac.authorization.k8s.io/v1', 'ClusterRole')(`look-${id}`, { rules: [] }),
    of('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding')(`look-${id}`, {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `look-${id}` },
      subjects: [{ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }],
    }),
    crd,
  ];
}

/** A kind with columns of every type. */
function definition(id) {
  const column = (name, type, jsonPath, priority) => ({ name, type, jsonPath, priority });
  return of('apiextensions.k8s.io/v1', 'CustomResourceDefinition')(`ships.${id}.example.com`, {
    spec: {
      group: `${id}.example.com`,
      scope: 'Namespaced',
      names: { kind: 'Ship', plural: 'ships', singular: 'ship', shortNames: [`sh${id.slice(-4)}`] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          additionalPrinterColumns: [
            column('Crew', 'integer', '.spec.crew'),
            column('Speed', 'number', '.spec.speed'),
            column('At Sea', 'boolean', '.spec.atSea'),
            column('Port', 'string', '.spec.port'),
            column('Launched', 'date', '.spec.launched'),
            column('Cargo', 'string', '.spec.cargo[*].name', 1),
            column('Age', 'date', '.metadata.creationTimestamp'),
          ],
        },
      ],
    },
  });
}

function ships(id) {
  const ship = of(`${id}.example.com/v1`, 'Ship');
  return [
    ship('adler', { spec: { crew: 12, speed: 8.5, atSea: true, port: 'Kiel', launched: '2020-05-06T07:08:09Z', cargo: [{ name: 'tea' }, { name: 'coal' }] } }),
    ship('wreck', { spec: {} }),
  ];
}

/** Founds it in a namespace of its own. `close` takes all of it away without waiting for it. */
export async function foundEstate() {
  const namespace = uniqueName('estate');
  const id = namespace.replace('estate-', 'e');
  await kubectl('create', 'namespace', namespace);
  const global = clusterWide(id, namespace);
  const objects = [...global, ...namespaced().map((object) => inside(object, namespace))];
  await file(objects, (name) => kubectl('create', '-f', name));
  await kubectl('wait', '--for=condition=Established', `crd/ships.${id}.example.com`, '--timeout=60s');
  await file(ships(id).map((object) => inside(object, namespace)), (name) => kubectl('create', '-f', name));
  const told = objects.filter((object) => object.status);
  await file(told, (name) => kubectl('replace', '--subresource=status', '-f', name));
  const gone = objects.filter(({ metadata }) => metadata.finalizers).map(({ metadata }) => metadata.name);
  await kubectl('delete', 'pod', '-n', namespace, '--wait=false', ...gone);
  const close = async () => {
    await file(objects.filter(({ metadata }) => metadata.finalizers), (name) => kubectl('patch', '-f', name, '-p', '{"metadata":{"finalizers":null}}'));
    await file([...global, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }], (name) => kubectl('delete', '--wait=false', '-f', name));
  };
  return { namespace, ships: `ships.${id}.example.com`, close };
}

const inside = (object, namespace) => ({ ...object, metadata: { ...object.metadata, namespace } });

/** Hands objects over as a file. */
async function file(objects, use) {
  const name = join(tmpdir(), `${uniqueName('objects')}.json`);
  await writeFile(name, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  try {
    await use(name);
  } finally {
    await rm(name);
  }
}
