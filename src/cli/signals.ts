/** What hang-up signals need of a process. */
export interface SignalledProcess {
  readonly pid: number;
  on(signal: 'SIGHUP', listener: () => void): unknown;
  off(signal: 'SIGHUP', listener: () => void): unknown;
  kill(pid: number, signal: 'SIGHUP'): unknown;
}

/** The hang-up signals of a process. They do not end it; those that come before anybody listens are remembered. */
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

  /** Calls the listener for every signal, and at once if there has been one. */
  listen(listener: () => void): void {
    this.#listener = listener;
    if (this.#pending) listener();
  }

  /** The signal ends the process again, as does one that has come already. */
  restoreDefault(): void {
    this.#process.off('SIGHUP', this.#onSignal);
    if (this.#pending) this.#process.kill(this.#process.pid, 'SIGHUP');
  }
}
