import { expect, test } from 'vitest';
import { runOtherClient } from '../src/other-client.ts';
import { VirtualClock } from './support/virtual-clock.ts';

test('spends a burst, then its pace, until it is stopped', async () => {
  const clock = new VirtualClock();
  const stopped = new AbortController();
  let spent = 0;
  const limits = {
    otherClientSpends: (requests: number) => {
      spent += requests;
    },
  };
  const habits = { burst: 40, burstAfterMilliseconds: 5_000, requestsPerHour: 12 };
  const running = runOtherClient(limits, habits, clock, stopped.signal);

  await clock.advance(4_000);
  expect(spent).toBe(0);
  await clock.advance(2_000);
  expect(spent).toBe(40);
  await clock.advance(3_600_000);
  expect(spent).toBe(52);
  stopped.abort();
  await running;
});
