import { expect, test } from 'vitest';
import { Coalescer } from '../../src/lib/coalescer.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

function setUp() {
  const started: (() => void)[] = [];
  const coalescer = new Coalescer(() => new Promise((resolve) => started.push(resolve)), {
    clock: new VirtualClock(),
    minIntervalMilliseconds: 0,
  });
  const finish = async () => {
    started.at(-1)?.();
    await new Promise(setImmediate);
  };
  return { coalescer, started, finish };
}

test('runs once for every time it was asked while nothing ran', async () => {
  const { coalescer, started, finish } = setUp();
  coalescer.ask();
  await finish();
  coalescer.ask();
  await finish();
  expect(started).toHaveLength(2);
});

test('what is asked meanwhile becomes one more run', async () => {
  const { coalescer, started, finish } = setUp();
  for (let times = 0; times < 5; times++) coalescer.ask();
  expect(started).toHaveLength(1);
  await finish();
  expect(started).toHaveLength(2);
  await finish();
  expect(started).toHaveLength(2);
});

test('is idle when the last run has ended', async () => {
  const { coalescer, finish } = setUp();
  let idle = false;
  coalescer.ask();
  coalescer.ask();
  void coalescer.idle().then(() => {
    idle = true;
  });
  await finish();
  expect(idle).toBe(false);
  await finish();
  expect(idle).toBe(true);
});

test('waits from the beginning of one run to the next, and runs at once after a lull', async () => {
  const clock = new VirtualClock();
  const startedAt: number[] = [];
  const coalescer = new Coalescer(
    async () => {
      startedAt.push(clock.monotonic());
    },
    { clock, minIntervalMilliseconds: 1_000 },
  );
  const ask = async (atMilliseconds: number) => {
    await clock.advance(atMilliseconds - clock.monotonic());
    coalescer.ask();
  };
  for (const at of [0, 10, 900, 1_500, 5_000, 5_400]) await ask(at);
  await clock.advance(10_000);
  expect(startedAt).toEqual([0, 1_000, 2_000, 5_000, 6_000]);
  expect(clock.sleepers).toBe(0);
});

test('starts nothing more once it is stopped, and does not wait for the interval', async () => {
  const clock = new VirtualClock();
  let runs = 0;
  const coalescer = new Coalescer(
    async () => {
      runs += 1;
    },
    { clock, minIntervalMilliseconds: 1_000 },
  );
  coalescer.ask();
  coalescer.ask();
  await coalescer.stop();
  coalescer.ask();
  await coalescer.idle();
  expect(runs).toBe(1);
  expect(clock.sleepers).toBe(0);
});

test('flushes what is asked for without a pause, and keeps the interval afterwards', async () => {
  const clock = new VirtualClock();
  let runs = 0;
  const coalescer = new Coalescer(
    async () => {
      runs++;
    },
    { clock, minIntervalMilliseconds: 1_000 },
  );
  coalescer.ask();
  coalescer.ask();
  await coalescer.flush();
  expect(runs).toBe(2);
  coalescer.ask();
  coalescer.ask();
  await clock.advance(999);
  expect(runs).toBe(3);
  await clock.advance(1);
  expect(runs).toBe(4);
});

test.each([
  ['short', 100, 1_000],
  ['long', 200, 1_600],
  ['very long', 300, 2_000],
  ['longer than the highest interval', 2_500, 2_500],
])(
  'begins again after an interval that depends on the last run: %s',
  async (_, takes, interval) => {
    const clock = new VirtualClock();
    const startedAt: number[] = [];
    const coalescer = new Coalescer(
      async () => {
        startedAt.push(clock.monotonic());
        await clock.sleep(takes);
      },
      { clock, minIntervalMilliseconds: 1_000, maxIntervalMilliseconds: 2_000 },
    );
    coalescer.ask();
    coalescer.ask();
    await clock.advance(10_000);
    expect(startedAt).toEqual([0, interval]);
  },
);
