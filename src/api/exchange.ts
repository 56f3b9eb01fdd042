/** One request that was sent, and what became of it. */
export interface Exchange {
  readonly operation: string;
  /** The status code of a response that could be read or is an error, else the `ApiErrorReason` why not. */
  readonly code: string;
  readonly durationSeconds: number;
  /** Size of the body as it arrived, before decompression. */
  readonly responseBytes: number;
  /** The service's clock less ours, to the second; absent when no reply told its date. */
  readonly clockOffsetSeconds?: number;
}
