import { describe, expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { drawnSeeds, expectKept } from './drawn-lives.ts';
import { MonthChecker, type MonthPromise } from './month-checker.ts';
import { drawEndOfMonth, monthScripts } from './month-scripts.ts';
import { type Life, play } from './script.ts';

const sorted = (promises: Iterable<MonthPromise>) => [...new Set(promises)].sort();

describe('a month keeps its promises, but for those that are listed, when', () => {
  test.each(monthScripts)('%s', async (_, script, stillBroken) => {
    const breaches: MonthPromise[] = [];
    const { broken } = await play(
      script,
      (life) => new MonthChecker(life, { onBroken: (promise) => breaches.push(promise) }),
    );
    expect(sorted(breaches), broken.join('\n')).toEqual(sorted(stillBroken));
  });
});

/** A random life is not asked for what a named one already breaks. */
const ignored = new Set(monthScripts.flatMap(([, , stillBroken]) => stillBroken));
const watcherOf = (life: Life) => new MonthChecker(life, { ignored });

test.each(drawnSeeds(extent(10, 200)))('a month keeps its promises in the random life %d', (seed) =>
  expectKept({ option: 'ends', draw: drawEndOfMonth, watcherOf }, seed),
);
