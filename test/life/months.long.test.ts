import { expect, test } from 'vitest';
import { casesOf, extent } from '../support/extent.ts';
import { drawnSeeds, expectKept } from './drawn-lives.ts';
import { MonthChecker } from './month-checker.ts';
import { drawEndOfMonth, longMonthScripts } from './month-scripts.ts';
import { type Life, play } from './script.ts';

const watcherOf = (life: Life) => new MonthChecker(life);

test.each(casesOf(longMonthScripts, 0, 4, 5, 8))(
  'a month keeps its promises when %s',
  async (_, script) => {
    const { broken } = await play(script, watcherOf);
    expect(broken).toEqual([]);
  },
);

test.each(drawnSeeds(extent(4, 200)))('a month keeps its promises in the random life %d', (seed) =>
  expectKept({ option: 'ends', draw: drawEndOfMonth, watcherOf }, seed),
);
