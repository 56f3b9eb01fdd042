import { describe, expect, test } from 'vitest';
import { casesOf, extent } from '../support/extent.ts';
import { Checker } from './checker.ts';
import { drawnSeeds, expectKept } from './drawn-lives.ts';
import { drawScript } from './random.ts';
import { type Life, play } from './script.ts';
import { scripts } from './scripts.ts';

const watcherOf = (life: Life) => new Checker(life);

/** Every twentieth script; the night plays all. */
const places = scripts.flatMap((_, place) => (place % 20 === 1 ? [place] : []));

describe('a page keeps every promise when', () => {
  test.each(casesOf(scripts, ...places))('%s', async (_, script) => {
    const { broken } = await play(script, watcherOf);
    expect(broken).toEqual([]);
  });
});

test.each(drawnSeeds(extent(1, 300)))('a page keeps every promise in the random life %d', (seed) =>
  expectKept({ option: 'pages', draw: drawScript, watcherOf }, seed),
);
