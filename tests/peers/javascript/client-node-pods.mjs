// client-node's informer of all pods.

import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';

/** An informer of the pods of the server at `url`; starting it gives the promise that it has the list. */
export function podsOf(url) {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: 'peer', server: url, skipTLSVerify: true }],
    users: [{ name: 'peer' }],
    contexts: [{ name: 'peer', cluster: 'peer', user: 'peer' }],
    currentContext: 'peer',
  });
  const api = config.makeApiClient(CoreV1Api);
  let complete;
  const synced = new Promise((resolve, reject) => (complete = { resolve, reject }));
  const informer = makeInformer(config, '/api/v1/pods', async () => {
    const list = await api.listPodForAllNamespaces();
    // It has no event for this. The store is filled before anything else gets a turn.
    setImmediate(complete.resolve);
    return list;
  });
  informer.on('error', complete.reject);
  const start = () => {
    // It settles when the watch is open, which is later.
    informer.start().catch(complete.reject);
    return synced;
  };
  return { informer, start };
}
