import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const clocks = join(import.meta.dirname, 'controlled-clocks.js');
const keptLines = 2_000;
const restartMilliseconds = 1_000;

interface ReplicaOptions {
  readonly name: string;
  /** `dist/main.js` of the exporter, or of one with a planted fault. */
  readonly main: string;
  readonly flags: readonly string[];
  readonly port: number;
  readonly speed: number;
  /** Wall milliseconds from which on time runs faster. */
  readonly since: number;
}

/** A line of the log, and when it was read, in monotonic milliseconds. */
export interface LogLine {
  readonly at: number;
  readonly text: string;
}

/**
 * One exporter of several, on a machine that can fail: it is started again with the same address.
 */
export class ReplicaProcess {
  readonly #options: ReplicaOptions;
  readonly #onLine: (line: LogLine) => void;
  #child: ChildProcess | undefined;
  #ended: Promise<number | string> = Promise.resolve('never started');
  #aheadMilliseconds = 0;
  /** It is started again when it ends with an error, as a supervisor does. */
  #isWanted = false;
  readonly lines: LogLine[] = [];

  constructor(options: ReplicaOptions, onLine: (line: LogLine) => void) {
    this.#options = options;
    this.#onLine = onLine;
  }

  get name(): string {
    return this.#options.name;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#options.port}`;
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  start(): void {
    this.#isWanted = true;
    if (this.isRunning) return;
    const { main, flags, port, speed, since } = this.#options;
    const address = `--web.listen-address=127.0.0.1:${port}`;
    const child = spawn(process.execPath, [main, 'serve', address, ...flags], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        PATH: process.env.PATH,
        NODE_OPTIONS: `--import=${clocks}`,
        SPEED: `${speed}`,
        SINCE: `${since}`,
        AHEAD: `${this.#aheadMilliseconds}`,
      },
    });
    this.#child = child;
    child.on('error', () => {});
    for (const stream of [child.stdout, child.stderr]) {
      if (stream !== null)
        createInterface({ input: stream }).on('line', (text) => this.#read(text));
    }
    this.#ended = once(child, 'close').then(([code, signal]) => {
      const how: number | string = code ?? signal;
      this.#read(`(${this.name} ended: ${how})`);
      if (typeof how === 'number') setTimeout(() => this.#startAgain(), restartMilliseconds);
      return how;
    });
  }

  async kill(): Promise<void> {
    this.#isWanted = false;
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  /** Asks it to end, and resolves with its exit code or the signal that ended it. */
  async terminate(): Promise<number | string> {
    this.#isWanted = false;
    this.#child?.kill('SIGTERM');
    return this.#ended;
  }

  /** Asks it to read its configuration again. */
  reload(): void {
    this.#child?.kill('SIGHUP');
  }

  suspend(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  /**
   * The machine sleeps: nothing runs and the monotonic clock stands still, while the wall clock
   * goes on.
   */
  async sleep(milliseconds: number): Promise<void> {
    await this.#tell({ frozen: true });
    this.suspend();
    await delay(milliseconds);
    this.resume();
    await this.#tell({ frozen: false });
  }

  /** Sets the wall clock of the machine; it stays so when the exporter is started again. */
  async jump(milliseconds: number): Promise<void> {
    this.#aheadMilliseconds += milliseconds;
    await this.#tell({ jump: milliseconds });
  }

  /** Sets the wall clock right. */
  async setRight(): Promise<void> {
    if (this.#aheadMilliseconds !== 0) await this.jump(-this.#aheadMilliseconds);
  }

  async end(): Promise<void> {
    this.resume();
    await this.kill();
  }

  #startAgain(): void {
    if (this.#isWanted) this.start();
  }

  async #tell(message: object): Promise<void> {
    const child = this.#child;
    if (!this.isRunning || child?.connected !== true) return;
    const heard = once(child, 'message').catch(() => {});
    child.send(message, () => {});
    await Promise.race([heard, this.#ended, delay(5_000, undefined, { ref: false })]);
  }

  #read(text: string): void {
    const line = { at: performance.now(), text };
    this.lines.push(line);
    if (this.lines.length > 2 * keptLines) this.lines.splice(0, keptLines);
    this.#onLine(line);
  }
}
