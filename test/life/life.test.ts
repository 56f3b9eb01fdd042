import { describe, expect, test } from 'vitest';
import { wireText, wireWith } from '../../sandbox/src/wire.ts';
import { casesOf, extent } from '../support/extent.ts';
import { Checker } from './checker.ts';
import { drawScript, shrink } from './random.ts';
import { type Played, play, type Script } from './script.ts';
import { scripts } from './scripts.ts';

const played = (script: Script): Promise<Played> => play(script, (life) => new Checker(life));

/** Every twelfth script; the night plays all. */
const places = scripts.flatMap((_, place) => (place % 12 === 1 ? [place] : []));

describe('a page keeps every promise when', () => {
  test.each(casesOf(scripts, ...places))('%s', async (_, script) => {
    const { broken } = await played(script);
    expect(broken).toEqual([]);
  });
});

/** SEED=n plays other lives. Each is a test of its own, so that its memory is freed after it. */
const firstSeed = Number(process.env.SEED ?? 1);
const seeds = Array.from({ length: extent(1, 300) }, (_, place) => firstSeed + place);

test.each(seeds)('a page keeps every promise in the random life %d', async (seed) => {
  const script = drawScript(seed);
  const { broken } = await played(script);
  if (broken.length === 0) return;
  const smallest = await shrink(script, async (one) => (await played(one)).broken.length > 0);
  const wire = wireText(wireWith(smallest.wire ?? {}));
  const events = JSON.stringify(smallest.events);
  expect.fail(`SEED=${seed}, wire ${wire}, events ${events}: ${broken.join('\n')}`);
});
