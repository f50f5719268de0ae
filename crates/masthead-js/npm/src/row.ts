// A few fields of an object, read without decoding the rest.

/**
 * The value at a path: what JSON has there, `null` where there is nothing, an array where a path with `[*]` leads to more
 * than one value. An array or object at the path itself comes as its JSON text.
 */
export type Cell = string | number | boolean | null | readonly Cell[];

/** What rows have unless one declares it. */
export type AnyFields = Record<string, Cell>;

/** What every row has beside its fields. */
export interface RowIdentity {
  /** `namespace/name`, or `name` where there is no namespace. */
  readonly key: string;
  /** Empty where there is none. */
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The fields of one object. Those whose types nobody declared may be anything that a path leads to. */
export type Row<F> = RowIdentity & { readonly [K in keyof F]: unknown extends F[K] ? Cell : F[K] };
