import { expect, test } from 'vitest';
import { ServiceTime } from '../../src/datasets/refresh-context.ts';
import type { Check } from '../../src/domain/check.ts';
import { SkewedClock } from '../support/skewed-clock.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const start = 1_767_225_600;
function timeOf(stored: readonly Check[] = []) {
  const service = new VirtualClock(start * 1000);
  const clock = new SkewedClock(service);
  const records = () => stored.map((entry) => ({ entry }));
  const time = new ServiceTime({ clock, state: { checks: { records } } });
  return { service, clock, time };
}

function tested(lastTestAtSeconds: number, status: Check['status'] = 'up'): Check {
  return { id: 1, name: 'shop', type: 'http', status, tags: [], lastTestAtSeconds };
}

test('without any test the clock of the exporter has to do', () => {
  const { time } = timeOf();

  expect(time.passedSeconds()).toBe(start);
  time.observe([tested(start - 500, 'paused'), tested(start - 2_592_000, 'unknown')]);
  expect(time.passedSeconds()).toBe(start);
});

test('a clock that is a day ahead is held back by the newest test, which time has gone on from', async () => {
  const { service, clock, time } = timeOf();
  clock.stepWall(86_400_000);

  time.observe([tested(start - 30), tested(start - 10)]);
  expect(time.passedSeconds()).toBe(start - 10);
  await service.advance(60_000);
  time.observe([tested(start - 30)]);

  expect(time.passedSeconds()).toBe(start + 50);
});

test('a clock that is behind is trusted: later data are read later', () => {
  const { clock, time } = timeOf();
  clock.stepWall(-100_000);

  time.observe([tested(start - 10)]);

  expect(time.passedSeconds()).toBe(start - 100);
});

test('a test in the far future proves nothing', () => {
  const { time } = timeOf();

  time.observe([tested(start - 10), tested(start + 9_999)]);

  expect(time.passedSeconds()).toBe(start - 10);
});

test('before a list is read, the one that was stored counts', async () => {
  const { service, clock, time } = timeOf([tested(start - 700)]);
  clock.stepWall(86_400_000);

  expect(time.passedSeconds()).toBe(start - 700);
  await service.advance(5_000);
  expect(time.passedSeconds()).toBe(start - 695);
});
