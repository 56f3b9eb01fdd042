/** One thing to read from the service. */
export interface ReadRequest {
  /** Name of the operation, as in the `operation` label. */
  readonly operation: string;
  /** Below `/api/{version}/`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly signal: AbortSignal;
}

/** Removes secrets from what was parsed from a text. */
export type Redact = (text: Buffer, value: unknown) => unknown;

/** Reads the body of a reply in a way of its own; resolves with undefined for one that is to be read as any other. */
export type ReadBody = (body: Buffer, redact: Redact) => Promise<unknown>;

/** What the operations need of a transport. */
export interface Reader {
  /** Address of the service, free of credentials. */
  readonly baseUrl: string;
  /** The JSON value the service answers with, or what `readBody` makes of it. Rejects with an `ApiError`. */
  get(request: ReadRequest, readBody?: ReadBody): Promise<unknown>;
}
