import { expect, test } from 'vitest';
import { type HeapElement, IndexedHeap } from '../../src/schedule/indexed-heap.ts';
import fc from '../support/fast-check.ts';

interface Item extends HeapElement {
  readonly key: number;
}

test('gives its elements in order, whichever were taken from its middle', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.array(fc.nat(100)), (keys, doomed) => {
      const items = keys.map((key): Item => ({ key, heapPlace: -1 }));
      const heap = new IndexedHeap<Item>((a, b) => a.key < b.key);
      for (const item of items) heap.add(item);
      const gone = new Set(doomed.map((index) => items[index]));
      for (const item of gone) if (item !== undefined) heap.delete(item);

      const order: number[] = [];
      for (let first = heap.peek(); first !== undefined; first = heap.peek()) {
        expect(heap.has(first)).toBe(true);
        heap.delete(first);
        order.push(first.key);
      }

      const left = items.filter((item) => !gone.has(item)).map(({ key }) => key);
      expect(order).toEqual(left.sort((a, b) => a - b));
      expect(heap.size).toBe(0);
    }),
  );
});

test('holds an element once and forgets it when it is taken', () => {
  const heap = new IndexedHeap<Item>((a, b) => a.key < b.key);
  const item = { key: 1, heapPlace: -1 };
  heap.add(item);
  heap.add(item);
  expect(heap.size).toBe(1);

  heap.delete(item);
  heap.delete(item);

  expect(heap.has(item)).toBe(false);
  expect(heap.peek()).toBeUndefined();
});
