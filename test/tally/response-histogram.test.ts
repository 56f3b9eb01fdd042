import { expect, test } from 'vitest';
import { emptyHistogram, observe, resumeHistogram } from '../../src/tally/response-histogram.ts';

test('a time on a bound belongs to its bucket, one above all bounds to the last', () => {
  expect(observe(emptyHistogram([0.1, 1]), [0.1, 0.101, 1, 1.001, 30])).toEqual({
    boundsSeconds: [0.1, 1],
    counts: [1, 2, 2],
    sumMilliseconds: 32_202,
  });
});

test.each([
  ['another bound', [0.1, 2]],
  ['one more bound', [0.1, 1, 10]],
  ['one bound less', [0.1]],
  ['no bound', []],
])('a histogram begins again with %s', (_, bounds) => {
  const counted = observe(emptyHistogram([0.1, 1]), [0.05, 0.5, 5]);

  expect(resumeHistogram(counted, bounds)).toEqual({
    boundsSeconds: bounds,
    counts: [...bounds.map(() => 0), 0],
    sumMilliseconds: 0,
  });
});

test('a histogram goes on with the same bounds', () => {
  const counted = observe(emptyHistogram([0.1, 1]), [0.05, 0.5, 5]);

  expect(resumeHistogram(counted, [0.1, 1])).toEqual(counted);
});
