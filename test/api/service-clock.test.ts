import { expect, test } from 'vitest';
import { ServiceClock } from '../../src/api/service-clock.ts';

const start = Date.UTC(2026, 0, 5, 12);

/** A service whose time follows a monotonic clock; this machine's wall clock has an error. */
function setUp(wallError = 0) {
  let monotonic = 7_000_000;
  let [serviceOffset, speed] = [start - monotonic, 1];
  let wall = wallError;
  const service = () => serviceOffset + monotonic;
  const clock = new ServiceClock({ now: () => service() + wall, monotonic: () => monotonic });
  const pass = (milliseconds: number) => {
    monotonic += milliseconds;
    serviceOffset += milliseconds * (speed - 1);
  };
  const reply = (there = 30, back = 50, lie = 0) => {
    const sentAt = monotonic;
    pass(there);
    const date = Math.floor((service() + lie) / 1000) * 1000;
    pass(back);
    clock.responded({ date, sentAt, receivedAt: monotonic });
  };
  return {
    clock,
    service,
    pass,
    reply,
    runAt: (factor: number) => {
      speed = factor;
    },
    step: (milliseconds: number) => {
      serviceOffset += milliseconds;
      wall -= milliseconds;
    },
    stepWall: (milliseconds: number) => {
      wall += milliseconds;
    },
    behind: () => service() - clock.now(),
  };
}

test('before the first response, the clock of this machine is used', () => {
  const { clock, service } = setUp(-1_200_000);
  expect(clock.now()).toBe(service() - 1_200_000);
  expect(clock.offsetSeconds).toBeUndefined();
});

test.each([-1_200_000, 0, 600_000, 40 * 365 * 86_400_000])(
  'with a wall clock that is %i ms wrong it is right from the first response on, never ahead',
  (wallError) => {
    const { clock, pass, reply, behind, stepWall } = setUp(wallError);
    for (let replies = 0; replies < 200; replies++) {
      reply(30 + replies * 3, 50 + (replies % 7) * 400);
      expect(behind()).toBeGreaterThanOrEqual(0);
      expect(behind()).toBeLessThan(replies > 20 ? 1_100 : 4_000);
      pass(61_234);
      if (replies === 100) stepWall(86_400_000);
    }
    expect(clock.offsetSeconds).toBeCloseTo(-(wallError + 86_400_000) / 1000, -1);
  },
);

test('one response with an absurd date changes nothing, two that agree do', () => {
  const { clock, pass, reply, behind, step } = setUp();
  reply();
  for (const lie of [86_400_000, -86_400_000, 60 * 365 * 86_400_000, -60 * 365 * 86_400_000]) {
    pass(60_000);
    reply(30, 50, lie);
    expect(Math.abs(behind())).toBeLessThan(1_100);
    reply();
  }
  step(3_600_000);
  reply();
  reply();
  expect(behind()).toBeLessThan(1_100);
  expect(behind()).toBeGreaterThanOrEqual(0);
  expect(clock.offsetSeconds).toBeCloseTo(3600, -1);
});

test.each([60, 5, 0.5])(
  'a service whose time runs %d times as fast is followed, never overtaken',
  (factor) => {
    const { pass, reply, behind, runAt } = setUp();
    runAt(factor);
    for (let replies = 0; replies < 200; replies++) {
      reply();
      // Between two responses it advances with this machine's clock.
      expect(behind()).toBeGreaterThanOrEqual(-1);
      expect(behind()).toBeLessThan(2 * 61_000 * factor + 1_100);
      pass(60_000);
    }
  },
);

test('another clock of the same service goes on with what is known, until a response says better', () => {
  const { clock, reply, pass, service } = setUp(18_000_000);
  const next = new ServiceClock({
    now: () => service() + 18_000_000,
    monotonic: clock.monotonic.bind(clock),
  });
  next.continueFrom(clock);
  expect(next.now() - service()).toBe(18_000_000);
  reply();
  next.continueFrom(clock);
  pass(60_000);
  expect(Math.abs(next.now() - service())).toBeLessThan(1_100);
  for (const _ of [1, 2]) {
    const at = clock.monotonic();
    next.responded({ date: service() - 120_000, sentAt: at, receivedAt: at });
  }
  expect(next.now() - service()).toBeCloseTo(-120_000, -4);
});
