import { expect, test } from 'vitest';
import { Alarm } from '../../src/lib/alarm.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

async function isDone(promise: Promise<void>): Promise<boolean> {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await new Promise(setImmediate);
  return done;
}

test('waits for the given time', async () => {
  const clock = new VirtualClock();
  const waiting = new Alarm(clock).wait(1_000);

  await clock.advance(999);
  expect(await isDone(waiting)).toBe(false);
  await clock.advance(1);
  expect(await isDone(waiting)).toBe(true);
});

test('a ring ends the wait and leaves no sleeper behind', async () => {
  const clock = new VirtualClock();
  const alarm = new Alarm(clock);
  const waiting = alarm.wait(1_000);

  alarm.ring();
  await waiting;

  expect(clock.sleepers).toBe(0);
});

test('a ring before the wait is kept for one wait only', async () => {
  const clock = new VirtualClock();
  const alarm = new Alarm(clock);

  alarm.ring();
  alarm.ring();
  await alarm.wait(1_000);

  expect(await isDone(alarm.wait(1_000))).toBe(false);
});
