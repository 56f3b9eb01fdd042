import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Question, Usage } from './monitor.ts';

const quietMilliseconds = 300;
/** An idle process takes less than this in that time, including the requests of the bench. */
const quietCpuMilliseconds = 15;

interface MeasuredOptions {
  readonly script: string;
  readonly arguments?: readonly string[];
  readonly nodeFlags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Its errors are hidden if they are the log of a server. */
  readonly quiet?: boolean;
}

/** A program in its own process, together with a monitor. */
export class Measured {
  readonly #process: ChildProcess;
  /** Milliseconds of `performance.now()`. */
  readonly startedAt = performance.now();

  constructor(options: MeasuredOptions) {
    const { script, nodeFlags = [], env = {}, quiet = false } = options;
    const monitor = join(import.meta.dirname, 'monitor.js');
    const given = [...nodeFlags, '--import', monitor, script, ...(options.arguments ?? [])];
    this.#process = spawn(process.execPath, given, {
      stdio: ['ignore', 'ignore', quiet ? 'ignore' : 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    });
  }

  /** The first message of a bench server, which it sends when it listens. */
  ready(): Promise<{ readonly port: number }> {
    return this.#answer(undefined);
  }

  /** Sends a message to a bench server. Resolves with its response. */
  tell<T>(message: object | Question): Promise<T> {
    return this.#answer(message);
  }

  async #answer<T>(message: object | Question | undefined): Promise<T> {
    const listening = new AbortController();
    const { signal } = listening;
    const ended = once(this.#process, 'exit', { signal }).then(() => {
      throw new Error('the measured process has ended');
    });
    const answered = once(this.#process, 'message', { signal });
    if (message !== undefined) this.#process.send(message);
    try {
      const [answer] = await Promise.race([answered, ended]);
      return answer;
    } finally {
      ended.catch(() => {});
      answered.catch(() => {});
      listening.abort();
    }
  }

  async usage(question: Question = 'usage'): Promise<Usage> {
    return (await this.tell<{ readonly usage: Usage }>(question)).usage;
  }

  /**
   * CPU and the longest block of the event loop from the start of the work until the process is
   * idle again.
   */
  async during(work: () => Promise<unknown>): Promise<Usage> {
    const before = await this.usage('watch');
    await work();
    await this.quiet();
    const after = await this.usage('end');
    return { ...after, cpuMilliseconds: after.cpuMilliseconds - before.cpuMilliseconds };
  }

  /** Resolves when the process is idle, or after a minute. */
  async quiet(): Promise<void> {
    let before = await this.usage();
    for (let round = 0; round < 200; round++) {
      await setTimeout(quietMilliseconds);
      const after = await this.usage();
      if (after.cpuMilliseconds - before.cpuMilliseconds < quietCpuMilliseconds) return;
      before = after;
    }
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
  }
}
