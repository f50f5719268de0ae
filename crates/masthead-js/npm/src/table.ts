// The server's own view of a kind: the columns and rows that `kubectl get` prints.

import type { KubernetesObject } from './object.js';
import type { ListOptions } from './resource.js';

/** What a cell holds. */
export type TableCell = string | number | boolean | null;

/** What the cells of one place are. */
export interface TableColumn {
  readonly name: string;
  /** `string`, `integer`, `number`, `boolean` or `date`. */
  readonly type: string;
  /** `name` for the column that names the object; often empty. */
  readonly format: string;
  readonly description: string;
  /** 0 is always shown; kubectl shows others with `-o wide`. */
  readonly priority: number;
}

/** What a table says of one object. */
export interface TableRow {
  /** One for each column. */
  readonly cells: readonly TableCell[];
  /** The object: its metadata alone unless all, or nothing, of it was asked for. */
  readonly object: KubernetesObject | undefined;
}

/** One page of a table. */
export interface Table {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  readonly resourceVersion: string;
  /** Where the next page begins; nothing on the last. */
  readonly continue: string | undefined;
  /** How many rows the next pages have, where the server counts them. */
  readonly remainingItemCount: number | undefined;
}

/** What of a table. */
export interface TableOptions extends ListOptions {
  /** How much of each object comes with its row; its metadata unless told otherwise. */
  readonly includeObject?: 'None' | 'Metadata' | 'Object' | undefined;
}

/** What kubectl asks for, less the beta version that no server alive needs. @internal */
export const ACCEPT = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

interface ListMeta {
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}

/** A table, or the objects themselves from a server that makes none. @internal */
export interface TableAnswer {
  kind?: string;
  metadata?: ListMeta;
  columnDefinitions?: TableColumn[] | null;
  rows?: { cells: TableCell[]; object?: KubernetesObject }[] | null;
  items?: (KubernetesObject & { metadata?: { creationTimestamp?: string } })[] | null;
}

/** The columns that servers give kinds about which they know nothing else. */
const PLAIN: readonly TableColumn[] = [
  { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 },
  { name: 'Created At', type: 'date', format: '', description: '', priority: 0 },
];

/** @internal */
export function tableOf(answer: TableAnswer): Table {
  const { resourceVersion = '', continue: next, remainingItemCount } = answer.metadata ?? {};
  const page = { resourceVersion, continue: next || undefined, remainingItemCount };
  if (answer.kind !== 'Table') {
    const rows = (answer.items ?? []).map((object) => ({
      cells: [object.metadata?.name ?? null, object.metadata?.creationTimestamp ?? null],
      object,
    }));
    return { columns: PLAIN, rows, ...page };
  }
  const rows = (answer.rows ?? []).map(({ cells, object }) => ({ cells, object: object ?? undefined }));
  return { columns: answer.columnDefinitions ?? [], rows, ...page };
}
