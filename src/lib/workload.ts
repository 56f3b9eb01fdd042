/** Is told what the process is about to do, and prepares it, as `src/cli/v8-settings.ts` does. */
export interface Workload {
  /** A worker thread has started. */
  threadStarted(): void;
  /**
   * Takes the size of an account's records, or of a large response, before it is decoded. Sizes are
   * added up until the next `showing`, which also ends the preparation for them.
   */
  decoding(bytes: number): void;
  /** Takes the number of checks of all accounts once their rows and texts are made. */
  showing(checks: number): void;
}
