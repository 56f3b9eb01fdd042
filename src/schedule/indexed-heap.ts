/** An element knows its place, so it can be in one heap at a time. */
export interface HeapElement {
  /** Its index in the heap that has it; -1 if none has it. */
  heapPlace: number;
}

/** A binary heap from which any element can be removed; every change costs O(log n). */
export class IndexedHeap<T extends HeapElement> {
  readonly #before: (a: T, b: T) => boolean;
  readonly #items: T[] = [];

  /** The order of two elements must not change while they are in the heap. */
  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The elements in no particular order. */
  [Symbol.iterator](): Iterator<T> {
    return this.#items.values();
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  has(item: T): boolean {
    return this.#items[item.heapPlace] === item;
  }

  add(item: T): void {
    if (this.has(item)) return;
    this.#items.push(item);
    this.#rise(item, this.#items.length - 1);
  }

  delete(item: T): void {
    if (!this.has(item)) return;
    const place = item.heapPlace;
    item.heapPlace = -1;
    const last = this.#items.pop();
    if (last === undefined || last === item) return;
    this.#rise(last, place);
    this.#sink(last, last.heapPlace);
  }

  #rise(item: T, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#items[above] as T;
      if (!this.#before(item, parent)) break;
      this.#put(parent, place);
      place = above;
    }
    this.#put(item, place);
  }

  #sink(item: T, from: number): void {
    let place = from;
    for (;;) {
      const below = this.#earlierChild(place);
      if (below === undefined || !this.#before(this.#items[below] as T, item)) break;
      this.#put(this.#items[below] as T, place);
      place = below;
    }
    this.#put(item, place);
  }

  #earlierChild(place: number): number | undefined {
    const left = 2 * place + 1;
    if (left >= this.#items.length) return undefined;
    const right = left + 1;
    if (right >= this.#items.length) return left;
    return this.#before(this.#items[right] as T, this.#items[left] as T) ? right : left;
  }

  #put(item: T, place: number): void {
    this.#items[place] = item;
    item.heapPlace = place;
  }
}
