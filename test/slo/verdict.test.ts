import { describe, expect, test } from 'vitest';
import {
  jointObjective,
  type RangeSums,
  shownAvailability,
  type Verdict,
  verdictOf,
  verdictSoFar,
} from '../../src/slo/verdict.ts';
import fc from '../support/fast-check.ts';

const objective = 0.99;

function sums(up: number, down: number, awaited = 0, unwatched = 0): RangeSums {
  return { up, down, known: up + down, awaited, unwatched };
}

describe('the verdict on a range that has ended', () => {
  test.each<[name: string, RangeSums, Verdict | undefined]>([
    ['nothing was tested', sums(0, 0), undefined],
    ['nothing is known', sums(0, 0, 0, 100), 'undecided'],
    ['all is known, with little downtime', sums(990, 10), 'met'],
    ['all is known, with more downtime', sums(989, 11), 'missed'],
    ['the unknown rest cannot excuse it', sums(400, 100, 0, 500), 'missed'],
    ['the unknown rest cannot spoil it', sums(995, 0, 0, 5), 'met'],
    ['most was watched, with little downtime', sums(800, 1, 0, 199), 'met_rest'],
    ['most was watched, with more downtime', sums(800, 9, 0, 191), 'missed_rest'],
    ['as much was watched as not', sums(499, 1, 0, 500), 'met_rest'],
    ['less than half was watched', sums(400, 1, 0, 599), 'undecided'],
    ['it was as long down as up', sums(500, 500), 'missed'],
    ['some is awaited', sums(900, 1, 99, 0), 'undecided'],
    ['what is awaited cannot spoil it', sums(995, 0, 5, 0), 'met'],
  ])('if %s', (_, range, verdict) => {
    expect(verdictOf(range, objective)).toBe(verdict);
  });

  test('is met with exactly the downtime that the objective permits', () => {
    expect(verdictOf(sums(750, 250), 0.75)).toBe('met');
    expect(verdictOf(sums(740, 260), 0.75)).toBe('missed');
  });

  test.each([
    [0.9, 259_200],
    [0.95, 129_600],
    [0.98, 51_840],
    [0.9995, 1_296],
  ])('of %s is met with %i seconds down in 30 days, but not with one more', (ratio, down) => {
    const of30Days = (seconds: number) => verdictOf(sums(2_592_000 - seconds, seconds), ratio);
    expect(of30Days(down)).toBe('met');
    expect(of30Days(down + 1)).toBe('missed');
  });

  test('of the known rest is met with exactly the downtime that the objective permits', () => {
    const ofRest = (down: number) => verdictOf(sums(2_592_000 - down, down, 0, 86_400), 0.9);
    expect(ofRest(259_200)).toBe('met_rest');
    expect(ofRest(259_201)).toBe('missed_rest');
  });

  const seconds = fc.nat(1_000);
  const ranges = fc.tuple(seconds, seconds, seconds, seconds);

  test('of all time stays true, whatever the unknown time was like', () => {
    fc.assert(
      fc.property(ranges, fc.double({ min: 0, max: 1, noNaN: true }), (range, share) => {
        const [up, down, awaited, unwatched] = range;
        const verdict = verdictOf(sums(...range), objective);
        if (verdict !== 'met' && verdict !== 'missed') return;
        const laterDown = Math.round(share * (awaited + unwatched));
        const laterUp = awaited + unwatched - laterDown;
        expect(verdictOf(sums(up + laterUp, down + laterDown), objective)).toBe(verdict);
      }),
    );
  });
});

describe('the verdict on a range that goes on', () => {
  test('is within with exactly the downtime that the objective permits', () => {
    expect(verdictSoFar(sums(50, 250), 0.75, 700)).toBe('within');
    expect(verdictSoFar(sums(50, 200, 50), 0.75, 700)).toBe('within');
    expect(verdictSoFar(sums(49, 251), 0.75, 700)).toBe('overspent');
  });

  test.each<[RangeSums, ahead: number, Verdict | undefined]>([
    [sums(0, 0), 1_000, undefined],
    [sums(90, 10), 900, 'within'],
    [sums(89, 11), 900, 'overspent'],
    [sums(89, 11), 0, 'overspent'],
    [sums(89, 11, 1_000), 0, 'undecided'],
    [sums(94, 1, 5), 900, 'within'],
    [sums(94, 1, 15), 900, 'undecided'],
    [sums(74, 1, 0, 25), 900, 'within'],
  ])('of %j with %d s ahead is %s', (range, ahead, verdict) => {
    expect(verdictSoFar(range, objective, ahead)).toBe(verdict);
  });
});

describe('an availability', () => {
  test.each<[RangeSums, number | undefined]>([
    [sums(90, 10), 0.9],
    [sums(90, 10, 1), undefined],
    [sums(90, 10, 0, 1_000), 0.9],
    [sums(0, 0, 0, 5), undefined],
  ])('of %j is %s', (range, share) => {
    expect(shownAvailability(range)).toBe(share);
  });
});

describe('the joint objective of two ranges', () => {
  test('is exactly theirs if it is one', () => {
    for (const ratio of [0.001, 0.9, 0.999]) {
      expect(jointObjective([sums(7, 3), ratio], [sums(7, 0), ratio])).toBe(ratio);
    }
  });

  test('permits the sum of their downtimes', () => {
    expect(jointObjective([sums(100, 0), 0.9], [sums(299, 1), 0.98])).toBeCloseTo(0.96);
    expect(jointObjective([sums(100, 0), 0.9], [sums(0, 0), 0.98, 300])).toBeCloseTo(0.96);
  });

  test('of ranges without any time is that of the later one', () => {
    expect(jointObjective([sums(0, 0), 0.9], [sums(0, 0), 0.98])).toBe(0.98);
  });
});
