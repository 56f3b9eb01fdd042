import { describe, expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { MonthChecker, type MonthPromise } from './month-checker.ts';
import { drawEndOfMonth, monthScripts } from './month-scripts.ts';
import { play, type Script } from './script.ts';

async function played(script: Script): Promise<MonthChecker> {
  const checkers: MonthChecker[] = [];
  await play(script, (life) => {
    const checker = new MonthChecker(life);
    checkers.push(checker);
    return checker;
  });
  const [checker] = checkers;
  if (checker === undefined) throw new Error('the script was not played');
  return checker;
}

const sorted = (promises: Iterable<MonthPromise>) => [...new Set(promises)].sort();

describe('a month keeps its promises, but for those that are listed, when', () => {
  test.each(monthScripts)('%s', async (_, script, stillBroken) => {
    const { breaches, broken } = await played(script);
    const promises = sorted(breaches.map(({ promise }) => promise));
    expect(promises, broken.join('\n')).toEqual(sorted(stillBroken));
  });
});

/** A random life is not asked for what a named one already breaks. */
const known = new Set(monthScripts.flatMap(([, , stillBroken]) => stillBroken));
/** SEED=n plays other lives. */
const firstSeed = Number(process.env.SEED ?? 1);
const seeds = Array.from({ length: extent(10, 200) }, (_, place) => firstSeed + place);

test.each(seeds)('a month keeps its promises in the random life %d', async (seed) => {
  const { breaches } = await played(drawEndOfMonth(seed));
  expect(breaches.filter(({ promise }) => !known.has(promise))).toEqual([]);
});
