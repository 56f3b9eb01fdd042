import type { SighupHandler } from './signals.ts';

/** The parts of the process that commands may use. */
export interface Terminal {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Resolves with the name of the first signal that asks the process to stop. */
  untilStopped(): Promise<string>;
  readonly sighup: SighupHandler;
}

export interface TextSink {
  write(text: string): unknown;
}
