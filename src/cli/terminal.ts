import type { SighupHandler } from './signals.ts';

/** What a command may use of the process; the entry point fills it in. */
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
