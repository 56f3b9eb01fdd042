/** How many scrapes run at a time. */
export class ScrapeSlots {
  readonly limit: number;
  #taken = 0;

  /** A `limit` of 0 is none. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** The function that gives the slot back, or undefined when all are taken. */
  take(): (() => void) | undefined {
    if (this.limit > 0 && this.#taken >= this.limit) return undefined;
    this.#taken++;
    let held = true;
    return () => {
      if (held) this.#taken--;
      held = false;
    };
  }
}
