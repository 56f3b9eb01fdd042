import { test } from 'vitest';
import type { ApiVersion } from '../../src/domain/version.ts';
import { CountedChecker, expectCounted } from '../life/counted-checker.ts';
import { drawDays } from '../life/day-scripts.ts';
import { play } from '../life/script.ts';
import { casesOf, extent } from '../support/extent.ts';

const cases: readonly (readonly [ApiVersion, days: number])[] = [
  ['3.1', extent(1, 20)],
  ['2.1', 8],
  ['2.0', 8],
];

/** SEED=n plays other days. A day takes about 4 s. */
test.each(casesOf(cases, 0))(
  'with API %s every ratio is that of every second through %i days of faults, kills and lost stores',
  async (version, days) => {
    const script = drawDays({
      ...{ seed: Number(process.env.SEED ?? 1), version, days, losesDays: true },
      limits: [400, 72_000],
      ...(version === '3.1' && { intervals: [5, 20, 60, 720, 1440] }),
    });
    const { watcher } = await play(
      script,
      (life) => new CountedChecker(life, { onlyRatios: true }),
    );
    expectCounted(watcher);
  },
);
