import { expect, test } from 'vitest';
import { expectTheTruthAfterKills } from '../support/kills.ts';

const lanes = 4;
/** KILLS=n for another number. */
const kills = Number(process.env.KILLS ?? 100);

test(`killed ${kills} times at random moments and during reloads, no counter steps back, and in the end all agree with the service`, async () => {
  // Of those that are not in the midst of one.
  expect(await expectTheTruthAfterKills(lanes, Math.ceil(kills / lanes))).toBeGreaterThan(
    kills / 30,
  );
});
