import { describe, expect, test } from 'vitest';
import { AskedCauses } from '../../src/state/items/asked-causes.ts';

const hour = 3_600;
const outageAt = (fromSeconds: number) => ({ fromSeconds, toSeconds: fromSeconds + 600 });
const both = ['results', 'analyses'] as const;

describe('the causes that people ask for', () => {
  test('wait until every dataset is read, and are remembered then', () => {
    const asked = new AskedCauses();
    expect(asked.ask(1, outageAt(50_000), both, 0)).toBe(true);
    expect(asked.stateOf(1, outageAt(50_000))).toBe('waiting');
    expect(asked.stateOf(1, outageAt(60_000))).toBeUndefined();
    expect(asked.stateOf(2, outageAt(50_000))).toBeUndefined();

    const results = asked.next(1, 'results');
    // The first failed test may precede the confirmation by an hour.
    expect(results?.range).toEqual({ fromSeconds: 50_000 - hour, toSeconds: 50_600 });
    if (results !== undefined) asked.answered(results, 'results');
    expect(asked.next(1, 'results')).toBeUndefined();
    expect(asked.stateOf(1, outageAt(50_000))).toBe('waiting');
    const analyses = asked.next(1, 'analyses');
    if (analyses !== undefined) asked.answered(analyses, 'analyses');
    expect(asked.stateOf(1, outageAt(50_000))).toBe('answered');
  });

  test('are read one after the other for one check', () => {
    const asked = new AskedCauses();
    asked.ask(1, outageAt(50_000), ['results'], 0);
    asked.ask(1, outageAt(90_000), ['results'], 0);
    const first = asked.next(1, 'results');
    if (first !== undefined) asked.answered(first, 'results');

    expect(asked.next(1, 'results')?.range.toSeconds).toBe(90_600);
  });

  test('are at most ten, so that they delay no event for long', () => {
    const asked = new AskedCauses();
    const ask = (id: number, now: number) => asked.ask(id, outageAt(50_000), both, now);
    expect(Array.from({ length: 11 }, (_, id) => ask(id, id * 1_000))).toEqual([
      ...Array.from({ length: 10 }, () => true),
      false,
    ]);
    // The same question again takes no place.
    expect(ask(3, 20_000)).toBe(true);

    // One that could not be read for an hour makes room.
    expect(ask(10, hour * 1_000)).toBe(false);
    expect(ask(10, hour * 1_000 + 1)).toBe(true);
    expect(asked.stateOf(0, outageAt(50_000))).toBeUndefined();
    expect(asked.stateOf(1, outageAt(50_000))).toBe('waiting');
  });

  test('are remembered in a bounded number', () => {
    const asked = new AskedCauses();
    for (let id = 0; id < 1_000; id++) {
      asked.ask(id, outageAt(50_000), ['results'], 0);
      const next = asked.next(id, 'results');
      if (next !== undefined) asked.answered(next, 'results');
    }
    expect(asked.stateOf(0, outageAt(50_000))).toBeUndefined();
    expect(asked.stateOf(999, outageAt(50_000))).toBe('answered');
  });
});
