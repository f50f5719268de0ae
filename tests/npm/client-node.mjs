// client-node's informer, put through the same.

import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';

export async function follow(baseUrl, namespace) {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'peer', server: baseUrl, skipTLSVerify: true }],
    users: [{ name: 'peer' }],
    contexts: [{ name: 'peer', cluster: 'peer', user: 'peer' }],
    currentContext: 'peer',
  });
  const api = config.makeApiClient(CoreV1Api);
  const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () => api.listNamespacedConfigMap({ namespace }));
  const errors = [];
  informer.on('error', (error) => errors.push(String(error?.message ?? error)));
  await informer.start();
  return {
    copy: () => Object.fromEntries(informer.list().map(({ metadata }) => [metadata.name, metadata.resourceVersion])),
    errors: () => errors,
    stop: () => informer.stop(),
  };
}
