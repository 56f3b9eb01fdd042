import { expect, test } from 'vitest';
import { expectTheTruthAfterKills } from '../support/kills.ts';

const lanes = 4;
/** KILLS=n sets another number. */
const kills = Number(process.env.KILLS ?? 100);

test(`killed after ${kills} random writes and during reloads, no counter steps back, and in the end all agree with the service`, async () => {
  // The number of reloads that ended before a kill.
  expect(await expectTheTruthAfterKills(lanes, Math.ceil(kills / lanes))).toBeGreaterThan(
    kills / 30,
  );
});
