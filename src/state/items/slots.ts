/**
 * The place of a listed item in arrays that other parts of the program hold. The generation differs
 * for every arrival and is never 0: data in an array are those of the item only if they were written
 * under its generation.
 */
export interface Slot {
  /** A small number. Another item may have it after this one has left. */
  readonly slot: number;
  readonly generation: number;
}

/** Gives each item of a list its slot. */
export class Slots {
  /** The slots of items that have left. */
  readonly #free: number[] = [];
  #size = 0;
  #arrivals = 0;

  take(): Slot {
    this.#arrivals += 1;
    const slot = this.#free.pop() ?? this.#size++;
    return { slot, generation: this.#arrivals };
  }

  free({ slot }: Slot): void {
    this.#free.push(slot);
  }
}
