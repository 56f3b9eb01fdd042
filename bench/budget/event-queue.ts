import { type HeapElement, IndexedHeap } from '../../src/schedule/indexed-heap.ts';

interface Appointment extends HeapElement {
  readonly at: number;
  readonly order: number;
  run(): void;
}

/** The future events outside the exporter, in the order of their times. */
export class EventQueue {
  #order = 0;
  readonly #heap = new IndexedHeap<Appointment>(
    (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order),
  );

  at(at: number, run: () => void): void {
    this.#heap.add({ at, order: this.#order++, run, heapPlace: -1 });
  }

  get nextAt(): number {
    return this.#heap.peek()?.at ?? Number.POSITIVE_INFINITY;
  }

  runNext(): void {
    const next = this.#heap.peek();
    if (next === undefined) return;
    this.#heap.delete(next);
    next.run();
  }
}
