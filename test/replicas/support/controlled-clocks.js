// Loaded into a process before its program (--import), it puts the clocks of that process into the
// hands of the process that started it, by messages. All time runs faster by the factor SPEED from
// the wall time SINCE on, sleeps too, in step with a sandbox on a scaled clock.
//   { jump: milliseconds }  the wall clock is set ahead, or back
//   { frozen: true }        the monotonic clock stands still, as while a machine sleeps, and no timer ends
//   { frozen: false }       it goes on from where it stood
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';

const speed = Number(process.env.SPEED ?? 1);
const since = Number(process.env.SINCE ?? 0);
const { now } = Date;
const monotonic = performance.now.bind(performance);
const { setTimeout: startTimer, clearTimeout: endTimer, setInterval: startInterval } = globalThis;

let ahead = Number(process.env.AHEAD ?? 0);
let behind = 0;
let frozenAt;

Date.now = () => Math.round(now() + (now() - since) * (speed - 1) + ahead);
performance.now = () => frozenAt ?? monotonic() * speed - behind;

/**
 * Ends by the monotonic clock of this process, so that one that was due while the clock stood still
 * ends later.
 */
class Timer {
  #real;
  #isReferenced = true;

  constructor(action, milliseconds, args) {
    this.action = action;
    this.milliseconds = Number(milliseconds) > 0 ? Number(milliseconds) : 0;
    this.args = args;
    this.refresh();
  }

  refresh() {
    endTimer(this.#real);
    this.due = performance.now() + this.milliseconds;
    this.#wait(this.milliseconds);
    return this;
  }

  #wait(milliseconds) {
    this.#real = startTimer(() => this.#end(), milliseconds / speed);
    if (!this.#isReferenced) this.#real.unref();
  }

  #end() {
    const left = this.due - performance.now();
    // A real timer may end a little early.
    if (left > 2 * speed) this.#wait(left);
    else this.action(...this.args);
  }

  ref() {
    this.#isReferenced = true;
    this.#real.ref();
    return this;
  }

  unref() {
    this.#isReferenced = false;
    this.#real.unref();
    return this;
  }

  hasRef() {
    return this.#isReferenced;
  }

  close() {
    endTimer(this.#real);
    return this;
  }

  [Symbol.dispose ?? Symbol.for('dispose')]() {
    this.close();
  }
}

globalThis.setTimeout = (action, milliseconds = 0, ...args) =>
  new Timer(action, milliseconds, args);
globalThis.clearTimeout = (timer) => (timer instanceof Timer ? timer.close() : endTimer(timer));
globalThis.setInterval = (action, milliseconds = 0, ...args) =>
  startInterval(action, milliseconds / speed, ...args);
timers.setTimeout = (milliseconds, value, { signal, ref = true } = {}) =>
  new Promise((resolve, reject) => {
    const abort = () => {
      timer.close();
      reject(signal.reason);
    };
    const timer = new Timer(
      () => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      },
      milliseconds,
      [],
    );
    if (!ref) timer.unref();
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
syncBuiltinESMExports();

if (isMainThread && process.channel !== undefined) {
  process.on('message', ({ jump, frozen }) => {
    if (jump !== undefined) ahead += jump;
    if (frozen === true) frozenAt ??= performance.now();
    if (frozen === false && frozenAt !== undefined) {
      behind = monotonic() * speed - frozenAt;
      frozenAt = undefined;
    }
    process.send({ done: true });
  });
  // Whoever started it is gone.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel.unref();
}
