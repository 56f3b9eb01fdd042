import { expect, test } from 'vitest';
import { SlotHeap } from '../../src/schedule/slot-heap.ts';
import fc from '../support/fast-check.ts';

test('gives its slots in order, whichever were taken from its middle', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.array(fc.nat(100)), (keys, doomed) => {
      const heap = new SlotHeap((a, b) => (keys[a] ?? 0) < (keys[b] ?? 0));
      for (const slot of keys.keys()) heap.add(slot);
      const gone = new Set(doomed.filter((slot) => slot < keys.length));
      for (const slot of gone) heap.delete(slot);

      const order: (number | undefined)[] = [];
      for (let first = heap.peek(); first >= 0; first = heap.peek()) {
        heap.delete(first);
        order.push(keys[first]);
      }

      const left = keys.filter((_, slot) => !gone.has(slot));
      expect(order).toEqual(left.sort((a, b) => a - b));
      expect(heap.size).toBe(0);
    }),
  );
});

test('holds a slot once and forgets it when it is taken', () => {
  const heap = new SlotHeap(() => false);
  heap.delete(7);
  heap.add(7);
  heap.add(7);
  expect(heap.size).toBe(1);

  heap.delete(7);
  heap.delete(7);

  expect(heap.size).toBe(0);
  expect(heap.peek()).toBe(-1);
});
