export interface Output {
  /** Whether it is a terminal, whose last line can be overwritten. */
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** The parts of the process that a command that asks a running exporter uses. */
export interface Terminal {
  readonly stderr: Output;
  /** Resolves with the name of the first signal that asks the process to stop. */
  untilStopped(): Promise<string>;
}
