/** A monotonic clock that is moved by hand. */
export class HandClock {
  #milliseconds = 5_000_000;

  monotonic(): number {
    return this.#milliseconds;
  }

  advance(seconds: number): void {
    this.#milliseconds += seconds * 1000;
  }
}
