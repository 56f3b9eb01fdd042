/** A binary heap of slots, from which any can be removed; every change costs O(log n). */
export class SlotHeap {
  readonly #before: (a: number, b: number) => boolean;
  #heap = new Int32Array(0);
  /** By slot: 1 + its index in the heap, or 0. */
  #places = new Int32Array(0);
  #size = 0;

  /** The order of two slots must not change while they are in the heap. */
  constructor(before: (a: number, b: number) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#size;
  }

  /** -1 without slots. */
  peek(): number {
    return this.#size === 0 ? -1 : (this.#heap[0] as number);
  }

  add(slot: number): void {
    if (slot >= this.#places.length) {
      this.#places = grown(new Int32Array(roomFor(slot + 1)), this.#places);
    }
    if (this.#places[slot] !== 0) return;
    if (this.#size === this.#heap.length) {
      this.#heap = grown(new Int32Array(roomFor(this.#size + 1)), this.#heap);
    }
    this.#rise(slot, this.#size++);
  }

  delete(slot: number): void {
    const place = (this.#places[slot] ?? 0) - 1;
    if (place < 0) return;
    this.#places[slot] = 0;
    this.#size -= 1;
    const last = this.#heap[this.#size] as number;
    if (last === slot) return;
    this.#rise(last, place);
    this.#sink(last, (this.#places[last] as number) - 1);
  }

  #rise(slot: number, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#heap[above] as number;
      if (!this.#before(slot, parent)) break;
      this.#put(parent, place);
      place = above;
    }
    this.#put(slot, place);
  }

  #sink(slot: number, from: number): void {
    let place = from;
    for (;;) {
      const below = this.#earlierChild(place);
      if (below < 0 || !this.#before(this.#heap[below] as number, slot)) break;
      this.#put(this.#heap[below] as number, place);
      place = below;
    }
    this.#put(slot, place);
  }

  #earlierChild(place: number): number {
    const left = 2 * place + 1;
    if (left >= this.#size) return -1;
    const right = left + 1;
    if (right >= this.#size) return left;
    return this.#before(this.#heap[right] as number, this.#heap[left] as number) ? right : left;
  }

  #put(slot: number, place: number): void {
    this.#heap[place] = slot;
    this.#places[slot] = place + 1;
  }
}

/** The elements of `from` in `to`, whose further elements are 0. */
export function grown<A extends { set(from: A): void }>(to: A, from: A): A {
  to.set(from);
  return to;
}

/** The length of an array for `size` elements, so that it seldom grows. */
export function roomFor(size: number): number {
  return Math.ceil(size * 1.2);
}
