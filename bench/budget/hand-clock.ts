/** The monotonic clock of a run. It does not advance while the exporter computes. */
export class HandClock {
  #milliseconds = 0;

  monotonic(): number {
    return this.#milliseconds;
  }

  moveTo(milliseconds: number): void {
    this.#milliseconds = Math.max(this.#milliseconds, milliseconds);
  }
}
