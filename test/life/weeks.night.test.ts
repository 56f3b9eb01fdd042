import { test } from 'vitest';
import { CountedChecker } from './counted-checker.ts';
import { drawFullDay, drawWeek } from './day-scripts.ts';
import { drawnSeeds, expectKept } from './drawn-lives.ts';
import type { Life } from './script.ts';

const watcherOf = (life: Life) => new CountedChecker(life);

test.each(drawnSeeds(60))(
  'nothing on a page is ever wrong in the random week %d, and every counter is the truth',
  (seed) => expectKept({ option: 'weeks', draw: drawWeek, watcherOf }, seed),
);

test.each(drawnSeeds(300))(
  'nothing on a page is ever wrong in the random day %d, and every counter is the truth',
  (seed) => expectKept({ option: 'days', draw: drawFullDay, watcherOf }, seed),
);
