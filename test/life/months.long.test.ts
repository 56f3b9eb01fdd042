import { expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { drawnSeeds, expectKept } from './drawn-lives.ts';
import { MonthChecker } from './month-checker.ts';
import { drawEndOfMonth, longMonthScripts } from './month-scripts.ts';
import { type Life, play } from './script.ts';

const watcherOf = (life: Life) => new MonthChecker(life);

test.each(longMonthScripts)('a month keeps its promises when %s', async (_, script) => {
  const { broken } = await play(script, watcherOf);
  expect(broken).toEqual([]);
});

test.each(drawnSeeds(extent(10, 200)))('a month keeps its promises in the random life %d', (seed) =>
  expectKept({ option: 'ends', draw: drawEndOfMonth, watcherOf }, seed),
);
