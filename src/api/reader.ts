/** One thing to read from the service. */
export interface ReadRequest {
  /** Name of the operation, as in the `operation` label. */
  readonly operation: string;
  /** Below `/api/{version}/`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly signal: AbortSignal;
}

/** What the operations need of a transport. */
export interface Reader {
  /** Address of the service, free of credentials. */
  readonly baseUrl: string;
  /** The JSON value the service answers with. Rejects with an `ApiError`. */
  get(request: ReadRequest): Promise<unknown>;
}
