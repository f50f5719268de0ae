// What an informer is put through, in Node and in a page: it follows the config maps of a namespace and keeps account.

/** Follows; `account` is what its listeners were told, which must come to what is in the copy. */
export async function follow({ connect }, baseUrl, namespace) {
  const k8s = await connect({ baseUrl });
  const informer = k8s.informer({ version: 'v1', resource: 'configmaps', namespace, fields: { colour: 'data.colour' }, indexers: { colour: 'data.colour' } });
  const told = new Map();
  const mistakes = [];
  const tombstones = [];
  const known = (change, expected) => told.has(change.key) === expected || mistakes.push(`${change.type} of ${change.key}`);
  informer.on('add', (change) => known(change, false) && told.set(change.key, change.object.metadata.resourceVersion));
  informer.on('update', (change) => {
    known(change, true);
    if (change.old.metadata.resourceVersion !== told.get(change.key)) mistakes.push(`update of ${change.key} from a state that was not told`);
    told.set(change.key, change.object.metadata.resourceVersion);
  });
  informer.on('delete', (change) => {
    known(change, true);
    told.delete(change.key);
    tombstones.push({ key: change.key, unknown: change.finalStateUnknown, colour: change.object.data?.colour });
  });
  const read = new Map();
  const reading = (async () => {
    for await (const change of informer) {
      if (change.type === 'delete') read.delete(change.key);
      else read.set(change.key, change.object.metadata.resourceVersion);
    }
  })();
  await informer.synced();
  const versions = (entries) => Object.fromEntries([...entries].map(([key, version]) => [key.split('/')[1], version]));
  return {
    /** Three accounts of the same: the copy, the listeners', the reader's. */
    accounts: () => ({
      copy: versions(informer.list().map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.resourceVersion])),
      told: versions(told),
      read: versions(read),
    }),
    mistakes: () => mistakes,
    tombstones: () => tombstones,
    byColour: (colour) => informer.rowsByIndex('colour', colour).map(({ name }) => name).sort(),
    stop: async () => {
      informer.stop();
      await reading;
    },
  };
}
