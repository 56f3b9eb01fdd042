import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Order, Report } from './protocol.ts';

/** A process of its own, so that its CPU and memory are apart from those of the one that asks. */
export class Child {
  readonly #process: ChildProcess;

  constructor() {
    this.#process = fork(join(import.meta.dirname, 'measured-process.js'), {
      execArgv: ['--expose-gc'],
    });
  }

  tell(order: Order): Promise<Report> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error(`the measured process ended at: ${order.order}`));
      this.#process.once('exit', ended);
      this.#process.once('message', (report) => {
        this.#process.off('exit', ended);
        resolve(report as Report);
      });
      this.#process.send(order);
    });
  }

  async end(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill();
    await ended;
  }
}
