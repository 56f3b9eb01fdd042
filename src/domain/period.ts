/** A span of time to ask about; UNIX seconds. */
export interface Period {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}
