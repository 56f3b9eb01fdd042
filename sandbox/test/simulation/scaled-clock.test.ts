import { expect, test } from 'vitest';
import { scaledClock } from '../../src/simulation/clocks.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

test('wall and monotonic time run as many times as fast as the scale says', async () => {
  const real = new VirtualClock();
  const scaled = scaledClock(real, 60);
  const wall = real.now();
  const monotonic = scaled.monotonic();

  await real.advance(1000);

  expect(scaled.now() - wall).toBe(60_000);
  expect(scaled.monotonic() - monotonic).toBe(60_000);
});

test('a step of the wall clock is not scaled', () => {
  const real = new VirtualClock();
  const scaled = scaledClock(real, 60);
  const wall = scaled.now();

  real.stepWall(5000);

  expect(scaled.now() - wall).toBe(5000);
});

test('a sleep is as much shorter', async () => {
  const real = new VirtualClock();
  let awake = false;
  const sleeping = scaledClock(real, 10)
    .sleep(10_000)
    .then(() => {
      awake = true;
    });

  await real.advance(999);
  expect(awake).toBe(false);
  await real.advance(1);
  await sleeping;
  expect(awake).toBe(true);
});

test('a scale that is not above 0 is refused', () => {
  for (const scale of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => scaledClock(new VirtualClock(), scale)).toThrow(RangeError);
  }
});
