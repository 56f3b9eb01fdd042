import { describe, expect, test } from 'vitest';
import { ItemMemory } from '../../../src/state/items/item-memory.ts';
import { OutageCauses } from '../../../src/state/items/outage-causes.ts';
import { checkWith } from '../../support/snapshots.ts';
import { firstTotals } from '../support/shop.ts';

const hour = 3_600;
const outageAt = (fromSeconds: number) => ({ fromSeconds, toSeconds: fromSeconds + 600 });
const both = ['results', 'analyses'] as const;

/** Checks that are up, with the ids 0, 1, 2 …, and the causes of their outages. */
function aLedger(size: number) {
  const checks = new Map(Array.from({ length: size }, (_, id) => [id, aCheck(id)]));
  const check = (id: number) => {
    const one = checks.get(id);
    if (one === undefined) throw new Error('the check has left');
    return one;
  };
  const causes = new OutageCauses({ get: (id) => checks.get(id), records: () => checks.values() });
  /** Reads the next results that are wanted of a check. Returns their range. */
  const readResults = (id: number) => {
    const wanted = causes.wantedResults(check(id));
    if (wanted === undefined) return undefined;
    causes.resultsRead(check(id), wanted);
    return [wanted.fromSeconds, wanted.toSeconds];
  };
  const readAnalyses = (id: number) => {
    const wanted = causes.wantedAnalyses(check(id));
    causes.analysesRead(check(id), wanted?.asked, 0);
    return wanted?.fromSeconds;
  };
  return { causes, checks, readResults, readAnalyses };
}

function aCheck(id: number) {
  const entry = checkWith({ id });
  return Object.assign(new ItemMemory(), {
    entry,
    totals: firstTotals(entry, 40_000),
    details: {},
  });
}

describe('the causes that people ask for', () => {
  test('wait until every dataset is read, and are remembered then', () => {
    const { causes, readResults, readAnalyses } = aLedger(3);
    expect(causes.ask(1, outageAt(50_000), both, 0)).toBe(true);
    expect(causes.stateOf(1, outageAt(50_000))).toBe('waiting');
    expect(causes.stateOf(1, outageAt(60_000))).toBeUndefined();
    expect(causes.stateOf(2, outageAt(50_000))).toBeUndefined();

    // The first failed test may precede the confirmation by an hour.
    expect(readResults(1)).toEqual([50_000 - hour, 50_600]);
    expect(readResults(1)).toBeUndefined();
    expect(causes.stateOf(1, outageAt(50_000))).toBe('waiting');
    expect(readAnalyses(1)).toBe(50_000 - hour);
    expect(causes.stateOf(1, outageAt(50_000))).toBe('answered');
  });

  test('are read one after the other for one check', () => {
    const { causes, readResults } = aLedger(2);
    causes.ask(1, outageAt(50_000), ['results'], 0);
    causes.ask(1, outageAt(90_000), ['results'], 0);
    readResults(1);

    expect(readResults(1)?.[1]).toBe(90_600);
  });

  test('are at most ten, so that they delay no event for long', () => {
    const { causes } = aLedger(12);
    const ask = (id: number, now: number) => causes.ask(id, outageAt(50_000), both, now);
    expect(Array.from({ length: 11 }, (_, id) => ask(id, id * 1_000))).toEqual([
      ...Array.from({ length: 10 }, () => true),
      false,
    ]);
    // The same question again takes no place.
    expect(ask(3, 20_000)).toBe(true);

    // One that could not be read for an hour makes room.
    expect(ask(10, hour * 1_000)).toBe(false);
    expect(ask(10, hour * 1_000 + 1)).toBe(true);
    expect(causes.stateOf(0, outageAt(50_000))).toBeUndefined();
    expect(causes.stateOf(1, outageAt(50_000))).toBe('waiting');
  });

  test('of a check that has left take no place, and are not those of its return', () => {
    const { causes, checks, readResults } = aLedger(12);
    for (let id = 0; id < 10; id++) causes.ask(id, outageAt(50_000), both, 0);
    checks.set(3, aCheck(3));

    expect(causes.stateOf(3, outageAt(50_000))).toBeUndefined();
    expect(readResults(3)).toBeUndefined();
    expect(causes.ask(11, outageAt(50_000), both, 0)).toBe(true);
    checks.delete(4);
    expect(causes.ask(4, outageAt(50_000), both, 0)).toBe(false);
  });

  test('are remembered in a bounded number', () => {
    const { causes, readResults } = aLedger(1_000);
    for (let id = 0; id < 1_000; id++) {
      causes.ask(id, outageAt(50_000), ['results'], 0);
      readResults(id);
    }
    expect(causes.stateOf(0, outageAt(50_000))).toBeUndefined();
    expect(causes.stateOf(999, outageAt(50_000))).toBe('answered');
  });
});

describe('the causes that the report wants', () => {
  test('are requested with the next list, once, and wait with the questions of people', () => {
    const { causes, readResults, readAnalyses } = aLedger(3);
    expect(causes.isWaiting(0)).toBe(false);
    causes.want({ id: 1, outage: outageAt(50_000), datasets: both }, 0);
    causes.ask(2, outageAt(70_000), ['results'], 0);
    expect(causes.isWaiting(0)).toBe(true);
    expect(causes.due(0)).toEqual([
      { dataset: 'results', id: 1 },
      { dataset: 'analyses', id: 1 },
    ]);
    expect(causes.due(0)).toEqual([]);

    readResults(1);
    readResults(2);
    const waiting = causes.questions().map(({ id, datasets }) => [id, ...datasets]);
    expect(waiting).toEqual([[1, 'analyses']]);
    readAnalyses(1);
    expect(causes.isWaiting(0)).toBe(false);
  });

  test('do not wait for one that could not be read for an hour', () => {
    const { causes } = aLedger(3);
    causes.want({ id: 1, outage: outageAt(50_000), datasets: both }, 0);
    expect(causes.isWaiting(hour * 1_000)).toBe(true);
    expect(causes.isWaiting(hour * 1_000 + 1)).toBe(false);
  });
});
