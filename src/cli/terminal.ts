import { constants } from 'node:os';
import type { Workload } from '../lib/workload.ts';
import type { Output } from '../remote/terminal.ts';

/** The parts of the process that commands may use. */
export interface Terminal {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Resolves with the name of the first signal that asks the process to stop. */
  untilStopped(): Promise<string>;
  readonly sighup: SighupHandler;
  readonly workload?: Workload;
}

/** The part of a process that SIGHUP handling needs. */
interface SignalledProcess {
  readonly pid: number;
  on(signal: 'SIGHUP', listener: () => void): unknown;
  off(signal: 'SIGHUP', listener: () => void): unknown;
  kill(pid: number, signal: 'SIGHUP'): unknown;
}

/** Keeps SIGHUP from ending the process. A signal that arrives before `listen` is remembered. */
export class SighupHandler {
  readonly #process: SignalledProcess;
  #pending = false;
  #listener = () => {
    this.#pending = true;
  };
  readonly #onSignal = () => this.#listener();

  constructor(process: SignalledProcess) {
    this.#process = process;
    process.on('SIGHUP', this.#onSignal);
  }

  /** Calls the listener for every signal, and at once if one was received before. */
  listen(listener: () => void): void {
    this.#listener = listener;
    if (this.#pending) listener();
  }

  /** Lets SIGHUP end the process again. A signal that was received before ends it now. */
  restoreDefault(): void {
    this.#process.off('SIGHUP', this.#onSignal);
    if (this.#pending) this.#process.kill(this.#process.pid, 'SIGHUP');
  }
}

const stopSignals = ['SIGTERM', 'SIGINT'] as const;
type StopSignal = (typeof stopSignals)[number];

/** The part of a process that the handling of stop signals needs. */
interface StoppableProcess {
  readonly pid: number;
  on(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  once(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  off(signal: StopSignal, listener: (signal: StopSignal) => void): unknown;
  exit(code: number): unknown;
}

/**
 * Signals end the process, except for the first one that a command waits for. In a container the
 * process has the id 1, and the kernel ignores signals for which that process has no handler.
 */
export class StopSignals {
  readonly #process: StoppableProcess;
  readonly #end = (signal: StopSignal) => this.#process.exit(128 + constants.signals[signal]);

  constructor(process: StoppableProcess) {
    this.#process = process;
    for (const signal of stopSignals) this.#endOn(signal);
  }

  /** Resolves with the first signal. A second one of the same name ends the process. */
  received(): Promise<string> {
    return new Promise((resolve) => {
      for (const signal of stopSignals) {
        this.#process.off(signal, this.#end);
        this.#process.once(signal, () => {
          this.#endOn(signal);
          resolve(signal);
        });
      }
    });
  }

  #endOn(signal: StopSignal): void {
    if (this.#process.pid === 1) this.#process.on(signal, this.#end);
  }
}
