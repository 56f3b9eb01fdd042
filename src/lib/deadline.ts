import type { Sleeper } from './clock.ts';

/** The reason of the signal that a deadline aborts. */
export class DeadlineExceededError extends Error {
  override readonly name = 'DeadlineExceededError' as const;

  constructor(deadline: string, milliseconds: number) {
    super(`the ${deadline} deadline of ${milliseconds / 1000} s has passed`);
  }
}

interface DeadlinesOptions {
  readonly clock: Sleeper;
  /** If this signal aborts, the work is aborted with the reason of this signal. */
  readonly parent: AbortSignal;
}

/** Without a reason, `abort` would create an error with a stack for each chunk of a body. */
const cleared = 'the deadline is cleared';

/**
 * Named deadlines for one piece of work, combined with the caller's signal into one signal. After
 * `dispose`, no timer runs and no listener is on the caller's signal, which may live much longer.
 */
export class Deadlines<Name extends string> {
  readonly #clock: Sleeper;
  readonly #parent: AbortSignal;
  readonly #work = new AbortController();
  readonly #timers = new Map<Name, AbortController>();
  readonly #forward = () => this.#work.abort(this.#parent.reason);

  constructor({ clock, parent }: DeadlinesOptions) {
    this.#clock = clock;
    this.#parent = parent;
    if (parent.aborted) this.#forward();
    else parent.addEventListener('abort', this.#forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.#work.signal;
  }

  /** Starts or restarts the deadline. */
  set(name: Name, milliseconds: number): void {
    this.clear(name);
    const timer = new AbortController();
    this.#timers.set(name, timer);
    this.#clock.sleep(milliseconds, timer.signal).then(
      () => this.#work.abort(new DeadlineExceededError(name, milliseconds)),
      () => {}, // a sleep rejects only when the deadline is cleared
    );
  }

  clear(name: Name): void {
    this.#timers.get(name)?.abort(cleared);
    this.#timers.delete(name);
  }

  dispose(): void {
    for (const name of [...this.#timers.keys()]) this.clear(name);
    this.#parent.removeEventListener('abort', this.#forward);
  }
}
