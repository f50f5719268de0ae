// What every entry of the package has beside `init` and `connect`.

export type { Added, Change, Deleted, Updated } from './change.js';
export type { ApiCatalog, ApiGroup, ApiResource, Discovery, ServerVersion } from './discovery.js';
export type { CompiledModule, WasmSource } from './engine.js';
export { KubernetesError, type StatusCause, type StatusDetails } from './error.js';
export type { Informer, InformerListeners, InformerOptions, StaleObject, Trouble } from './informer.js';
export type { ConnectOptions, Impersonation, Kubernetes } from './kubernetes.js';
export type { Candidacy, LeaderElection, LeaderElectionOptions } from './leader-election.js';
export type { ChangeListeners } from './listeners.js';
export type { LogOptions } from './log.js';
export { keyOf, type KubernetesList, type KubernetesMetadata, type KubernetesObject, type ResourceName } from './object.js';
export type { Abortable } from './pending.js';
export type { EventCounts, EventDetails, Recorder, RecorderOptions } from './recorder.js';
export type {
  ApplyOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchOptions,
  RequestOptions,
  Resource,
  Selection,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './resource.js';
export type { AnyFields, Cell, Row, RowIdentity } from './row.js';
export type { Table, TableCell, TableColumn, TableOptions, TableRow } from './table.js';
export type { AddOptions, WorkItem, WorkQueue, WorkQueueOptions, WorkerOptions } from './workqueue.js';
