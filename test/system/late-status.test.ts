import { test } from 'vitest';
import { CountedChecker, expectCounted } from '../life/counted-checker.ts';
import { drawDays } from '../life/day-scripts.ts';
import { play } from '../life/script.ts';
import { casesOf, extent } from '../support/extent.ts';

const cases = casesOf(['3.1', '2.1', '2.0'] as const, 2);

test.each(cases)(
  'with API %s, lists that show tests up to 40 seconds before their outcomes leave no wrong second',
  async (version) => {
    const seed = Number(process.env.SEED ?? 3);
    const days = extent(1, Number(process.env.DAYS ?? 4));
    const wire = { lateStatusSeconds: 40 };
    const script = drawDays({ seed, version, days, wire, intervals: [] });
    const share = extent(0.5, 0.1);
    const { watcher } = await play(script, (life) => new CountedChecker(life, { share }));
    expectCounted(watcher);
  },
);
