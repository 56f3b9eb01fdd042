import { expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import { describeWith, promtools } from '../support/promtools.ts';
import { generatedLife } from './generated-life.ts';
import { brokenLaws, live } from './generated-lives.ts';
import { runCases } from './promtool-rules.ts';

/** LIVES=n sets another number. */
const long = Number(process.env.LIVES ?? 40);
const lives = Array.from({ length: extent(3, long) }, (_, seed) => live(generatedLife(seed + 1)));

test.each(lives)('what is to fire keeps the laws in life $life.seed', (one) => {
  expect(brokenLaws(one)).toEqual([]);
});

describeWith(extent(promtools().slice(-1), promtools()))('by promtool $version', ({ path }) => {
  test('what is to fire at each evaluation of each life fires, and nothing else', async () => {
    const outcomes = await runCases(
      path,
      lives.map(({ rules }) => rules),
    );
    const wrong = [...outcomes].filter(([, outcome]) => outcome !== undefined);
    expect(wrong.map(([name, outcome]) => `${name}: ${outcome}`)).toEqual([]);
  });
});
