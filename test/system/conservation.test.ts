import { expect, test } from 'vitest';
import { CountedChecker } from '../life/counted-checker.ts';
import { drawDays } from '../life/day-scripts.ts';
import { play } from '../life/script.ts';

/** The same day in every run; SEED=n plays another one. The night plays a whole month. */
test('over a day of outages, pauses, faults, droughts, full disks and crashes every counter agrees with the service and none steps back', async () => {
  const script = drawDays({ seed: Number(process.env.SEED ?? 1), days: 1 });
  const { broken } = await play(script, (life) => new CountedChecker(life, { share: 0 }));
  expect(broken).toEqual([]);
});
