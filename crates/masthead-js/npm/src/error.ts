// What goes wrong, and what the server says of it.

/** One of the causes of a refusal. */
export interface StatusCause {
  /** One word for a program, such as `FieldValueRequired`. */
  readonly reason: string;
  /** A sentence for a person. */
  readonly message: string;
  /** The field it is about, as in `spec.replicas`. */
  readonly field: string;
}

/** What a refusal is about. */
export interface StatusDetails {
  /** The server's own sentence. */
  readonly message: string;
  /** The object's name, when the request named one. */
  readonly name: string;
  /** The API group; empty for core. */
  readonly group: string;
  /** The resource in lower case plural, in spite of its name. */
  readonly kind: string;
  /** What is wrong in particular. */
  readonly causes: readonly StatusCause[];
}

/** What the engine throws, as JSON. */
interface Thrown {
  message: string;
  code: number | null;
  reason: string | null;
  details: StatusDetails | null;
  retryAfter: number | null;
  kinds: string[];
}

/**
 * Every failure of this package: the server's refusal, a network that is not there, or a request that makes no sense.
 *
 * The message names the operation first, as in `list pods: 403 Forbidden: …`. Ask by predicate rather than by code.
 */
export class KubernetesError extends Error {
  override readonly name = 'KubernetesError';
  /** The status code, when the server answered with an error. */
  readonly code: number | undefined;
  /** The server's one word for a program, such as `Forbidden` or `AlreadyExists`. */
  readonly reason: string | undefined;
  /** What the refusal is about. */
  readonly details: StatusDetails | undefined;
  /** How many seconds the server asked to wait. */
  readonly retryAfter: number | undefined;
  readonly #kinds: ReadonlySet<string>;

  private constructor(thrown: Thrown) {
    super(thrown.message);
    this.code = thrown.code ?? undefined;
    this.reason = thrown.reason ?? undefined;
    this.details = thrown.details ?? undefined;
    this.retryAfter = thrown.retryAfter ?? undefined;
    this.#kinds = new Set(thrown.kinds);
  }

  /** The error that something thrown by the engine stands for; other values as they are. @internal */
  static from(thrown: unknown): unknown {
    if (typeof thrown !== 'string' || !thrown.startsWith('{')) return thrown;
    return new KubernetesError(JSON.parse(thrown) as Thrown);
  }

  /** A failure that the engine knows nothing of: a mistake of the caller's, or something that has ended. @internal */
  static of(operation: string, why: string, kind: 'invalidRequest' | 'closed' = 'invalidRequest'): KubernetesError {
    const message = `${operation}: ${why}`;
    return new KubernetesError({ message, code: null, reason: null, details: null, retryAfter: null, kinds: [kind] });
  }

  /** 401: the server does not know who asks. */
  get isUnauthorized(): boolean {
    return this.code === 401;
  }

  /** 403: the server knows who asks, and says no. */
  get isForbidden(): boolean {
    return this.code === 403;
  }

  /** 404: no such object, resource or path. */
  get isNotFound(): boolean {
    return this.code === 404;
  }

  /** 409: the object changed meanwhile, or exists already. */
  get isConflict(): boolean {
    return this.code === 409;
  }

  /** 409 for a creation: an object of this name is there already. */
  get isAlreadyExists(): boolean {
    return this.reason === 'AlreadyExists';
  }

  /** 410: the resource version or continue token is too old. */
  get isGone(): boolean {
    return this.#kinds.has('gone');
  }

  /** 422: the server understood the object and refused it; see `details.causes`. */
  get isInvalid(): boolean {
    return this.code === 422;
  }

  /** 429: the server asks for fewer requests; see `retryAfter`. */
  get isTooManyRequests(): boolean {
    return this.code === 429;
  }

  /** 5xx: the server, or the proxy before it, failed. */
  get isServerFailure(): boolean {
    return this.code !== undefined && this.code >= 500;
  }

  /** No whole answer came: the connection failed, was cut or took too long. */
  get isNetwork(): boolean {
    return this.#kinds.has('network');
  }

  /** No answer came in time. */
  get isTimeout(): boolean {
    return this.#kinds.has('timeout');
  }

  /** What was to be used was stopped before. */
  get isClosed(): boolean {
    return this.#kinds.has('closed') || this.#kinds.has('aborted');
  }

  /** The request made no sense, and nothing was sent. */
  get isInvalidRequest(): boolean {
    return this.#kinds.has('invalidRequest');
  }

  /** Something other than an API server answers at this address. */
  get isNotApiServer(): boolean {
    return this.#kinds.has('notJson');
  }

  /** Discovery knows no such resource or kind. */
  get isNoMatch(): boolean {
    return this.#kinds.has('noMatch');
  }
}

/** Runs what may throw out of the engine. @internal */
export function guarded<R>(run: () => R): R {
  try {
    return run();
  } catch (thrown) {
    throw KubernetesError.from(thrown);
  }
}
