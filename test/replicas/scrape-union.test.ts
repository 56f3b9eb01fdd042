import { describe, expect, test } from 'vitest';
import { ScrapeUnion } from './support/scrape-union.ts';

/** A page with one counter, its lease and a counter of the exporter itself. */
function page(value: number, { epoch = 1, own = 0 } = {}): string {
  return [
    '# TYPE uptime_check_outages_total counter',
    `uptime_check_outages_total{account="a",check_id="1",name="n"} ${value}`,
    '# TYPE uptime_exporter_lease_epoch gauge',
    `uptime_exporter_lease_epoch{account="a"} ${epoch}`,
    '# TYPE uptime_exporter_requests_total counter',
    `uptime_exporter_requests_total{account="a"} ${own}`,
  ].join('\n');
}

/** Adds scrapes: replica, begin, end, value, epoch. */
function fallsOf(
  scrapes: readonly (readonly [string, number, number, number, number?])[],
  union = new ScrapeUnion(),
) {
  for (const [replica, begin, end, value, epoch = 1] of scrapes) {
    union.add({ replica, begin, end, page: page(value, { epoch, own: -value }) });
  }
  return union.falls.map(({ sample, from, to }) => ({
    sample: sample.replace(/\{.*/, ''),
    from,
    to,
  }));
}

const fall = { sample: 'uptime_check_outages_total', from: 5, to: 4 };

describe('the union of all scrapes', () => {
  test('accepts counters that rise across replicas, while those of the exporter fall', () => {
    const scrapes = [['a', 0, 1, 4] as const, ['b', 2, 3, 4] as const, ['a', 4, 5, 6] as const];
    expect(fallsOf(scrapes)).toEqual([]);
  });

  test('notices a replica that shows less than another one has shown', () => {
    expect(
      fallsOf([
        ['b', 0, 1, 5],
        ['a', 2, 3, 4],
      ]),
    ).toEqual([fall]);
  });

  test('notices an older value that a slow response brings after a scrape that had ended before', () => {
    expect(
      fallsOf([
        ['b', 0, 1, 5],
        ['b', 3, 4, 5],
        ['a', 2, 9, 4],
      ]),
    ).toEqual([fall]);
  });

  test('drops a sample that is out of order, as Prometheus does', () => {
    expect(
      fallsOf([
        ['a', 1, 2, 4],
        ['b', 0, 3, 5],
        ['a', 4, 5, 5],
      ]),
    ).toEqual([]);
  });

  test('notices a lower value of an overlapping scrape that is appended', () => {
    expect(
      fallsOf([
        ['b', 0, 2, 5],
        ['a', 1, 3, 4],
      ]),
    ).toEqual([fall]);
  });

  test('notices the number of a lease that is older than one that was shown', () => {
    const scrapes = [
      ['a', 0, 1, 4, 7] as const,
      ['b', 2, 3, 4, 8] as const,
      ['a', 4, 5, 4, 7] as const,
    ];
    expect(fallsOf(scrapes)).toEqual([{ sample: 'uptime_exporter_lease_epoch', from: 8, to: 7 }]);
  });
});

describe('after a restore', () => {
  const restored = (at: number) => {
    const union = new ScrapeUnion();
    union.allowReset(at, (end) => (end - at) / 10);
    return union;
  };

  test('a counter may begin again at 0', () => {
    const scrapes = [['a', 0, 1, 500, 3] as const, ['b', 20, 30, 2, 1] as const];
    expect(fallsOf(scrapes, restored(10))).toEqual([]);
  });

  test('a counter does not go back to the value of the dump', () => {
    const scrapes = [['a', 0, 1, 500] as const, ['b', 20, 30, 400] as const];
    expect(fallsOf(scrapes, restored(10))).toEqual([{ ...fall, from: 500, to: 400 }]);
  });

  test('a counter does not fall twice', () => {
    const scrapes = [
      ['a', 0, 1, 500] as const,
      ['b', 20, 30, 2] as const,
      ['b', 31, 40, 3] as const,
      ['a', 41, 50, 2] as const,
    ];
    expect(fallsOf(scrapes, restored(10))).toEqual([{ ...fall, from: 3, to: 2 }]);
  });

  test('a counter that was not shown before does not fall once', () => {
    const scrapes = [['a', 20, 30, 2] as const, ['b', 31, 40, 1] as const];
    expect(fallsOf(scrapes, restored(10))).toEqual([{ ...fall, from: 2, to: 1 }]);
  });
});
