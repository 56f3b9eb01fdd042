import { expect, test } from 'vitest';
import { whole } from '../../src/lib/whole.ts';
import { counterStarts, hasCounted } from '../../src/tally/check-counters.ts';
import { countEvents } from '../../src/tally/event-tally.ts';
import { countResults } from '../../src/tally/result-tally.ts';

const range = { fromSeconds: 1000, toSeconds: 1060 };

test('checks that start in one second share their counters, and others have their own', () => {
  const start = counterStarts([0.1, 1]);

  const first = start(1000);

  expect(start(1001).results.watermark.atSeconds).toBe(1001);
  expect(start(1000.5)).toBe(first);
});

test('counters have counted nothing until a range was read, or when they start at another time', () => {
  const { results, analyses } = counterStarts([0.1, 1])(1000.5);
  const read = {
    results: countResults(results, range, []),
    analyses: countEvents(analyses, range, []),
  };

  expect([results, analyses].map((tally) => hasCounted(tally, 1000.5))).toEqual([false, false]);
  expect([results, analyses].map((tally) => hasCounted(tally, 999))).toEqual([true, true]);
  expect(Object.values(read).map((tally) => hasCounted(tally, 1000.5))).toEqual([true, true]);
});

test('counters of events after a range that was not read have counted', () => {
  const { results, analyses } = counterStarts([0.1, 1])(1000);
  const counts = { ...results.counts, up: 1 };
  const recent = [{ atSeconds: 999, key: '1' }];
  const watermark = { startSeconds: whole(1000), atSeconds: whole(1000), recent };

  expect(hasCounted({ ...results, counts }, 1000)).toBe(true);
  expect(hasCounted({ ...analyses, watermark }, 1000)).toBe(true);
});
