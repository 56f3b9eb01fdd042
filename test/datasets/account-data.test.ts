import { expect, test } from 'vitest';
import { createService } from '../../src/api/versions.ts';
import { accountDataRefreshes } from '../../src/datasets/account-data.ts';
import { scriptedReader } from '../support/scripted-reader.ts';
import { SkewedClock } from '../support/skewed-clock.ts';
import { startSeconds, watchCheck } from './support/watched-check.ts';

test('the offset of the clock of an account of API 2.x is that of this machine', async () => {
  const none = [{ subscriptions: [] }, { public: [] }, { shared: { banners: [] } }];
  const { reader } = scriptedReader({ servertime: startSeconds }, ...none);
  const { context, clock, state } = watchCheck(reader);
  const machineClock = new SkewedClock(clock);
  machineClock.stepWall(-90_000);

  const service = createService('2.1', reader);
  await accountDataRefreshes({ ...context, service, machineClock }).account(
    0,
    new AbortController().signal,
  );

  expect(state.accountData.clockOffsetSeconds).toBe(90);
});
