import { expect, test } from 'vitest';
import { SteppedClock } from '../../src/simulation/clocks.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

test('is behind, moves ahead, and stops at the other clock', () => {
  const real = new VirtualClock();
  const clock = new SteppedClock(real, 60_000);
  const [now, monotonic] = [clock.now(), clock.monotonic()];
  expect(real.now() - now).toBe(60_000);
  clock.step(45_000);
  expect([clock.now() - now, clock.monotonic() - monotonic]).toEqual([45_000, 45_000]);
  clock.step(45_000);
  expect(clock.now()).toBe(real.now());
});

test('a sleeper wakes when a step has made it due, and not before', async () => {
  const clock = new SteppedClock(new VirtualClock(), 60_000);
  let woken = false;
  const sleeping = clock.sleep(30_000).then(() => {
    woken = true;
  });
  clock.step(29_000);
  await Promise.resolve();
  expect(woken).toBe(false);
  clock.step(1_000);
  await sleeping;
  expect(woken).toBe(true);
});

test('a sleep that is aborted rejects', async () => {
  const clock = new SteppedClock(new VirtualClock(), 60_000);
  const aborting = new AbortController();
  const sleeping = clock.sleep(30_000, aborting.signal);
  aborting.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow();
});
