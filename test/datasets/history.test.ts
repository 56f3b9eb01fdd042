import { expect, test } from 'vitest';
import { refreshHistory } from '../../src/datasets/history.ts';
import type { Check } from '../../src/domain/check.ts';
import { unknownHistory } from '../../src/slo/state-history.ts';
import { scriptedReader } from '../support/scripted-reader.ts';
import { checkId, startSeconds, watchCheck } from './support/watched-check.ts';

const { signal } = new AbortController();
const minute = 60;
const day = 86_400;

type State = readonly [status: 'up' | 'down', fromMinutes: number, toMinutes: number];

/** A report. Its times are minutes after first sight. */
const report = (...states: readonly State[]) => ({
  summary: {
    states: states.map(([status, from, to]) => ({
      status,
      timefrom: startSeconds + from * minute,
      timeto: startSeconds + to * minute,
    })),
  },
});

const created = -day / minute;
const whole = report(['up', created, -20], ['down', -20, -10], ['up', -10, -5], ['down', -5, 3]);
const upAgain = report(['up', created, -20], ['down', -20, -10], ['up', -10, 6]);
const withoutOpen = report(['up', created, -20], ['down', -20, -10], ['up', -10, 3]);

/** A check that was created a day ago, and was first seen as it is given. */
function firstSeen(entry: Partial<Check>, replies: readonly unknown[]) {
  const { reader } = scriptedReader(...replies);
  const { context, clock, list, totals } = watchCheck(reader);
  const inOutage = entry.status === 'down';
  list(startSeconds, { createdAtSeconds: startSeconds - day, ...entry }, (states) => ({
    states: { ...states, state: inOutage ? 'down' : 'up', inOutage },
    history: { ...unknownHistory, knownFromSeconds: startSeconds },
  }));
  const refresh = refreshHistory(context);
  const ask = async () => {
    await clock.advance(3 * minute * 1000);
    await refresh(checkId, signal);
    return totals()?.history?.changes.map(({ state: status, fromSeconds }) => [
      status,
      (fromSeconds - startSeconds) / minute,
    ]);
  };
  return { ask, clock };
}

const wholePast = [
  ['up', created],
  ['down', -20],
  ['up', -10],
  ['down', -5],
];

test('a report that lacks the outage of first sight is not believed', async () => {
  const { ask } = firstSeen({ status: 'down' }, [withoutOpen, whole]);

  expect(await ask()).toEqual([]);
  expect(await ask()).toEqual(wholePast);
});

test('a report that lacks an outage of which a list has the failed test is not believed', async () => {
  const failed = { status: 'up', lastErrorAtSeconds: startSeconds - 11 * minute } as const;
  const { ask } = firstSeen(failed, [report(['up', created, 3]), upAgain]);

  expect(await ask()).toEqual([]);
  expect(await ask()).toEqual(wholePast.slice(0, 3));
});

test('a failure after first sight may hide one before it, so its report is awaited', async () => {
  const failed = { status: 'up', lastErrorAtSeconds: startSeconds + minute } as const;
  const { ask, clock } = firstSeen(failed, [report(['up', created, 3]), upAgain]);

  expect(await ask()).toEqual([]);
  await clock.advance(35 * minute * 1000);
  expect(await ask()).toEqual(wholePast.slice(0, 3));
});

test('a failed test without an outage is believed when no report lags as long', async () => {
  const failed = { status: 'up', lastErrorAtSeconds: startSeconds - 11 * minute } as const;
  const { ask, clock } = firstSeen(failed, [report(['up', created, 40])]);
  await clock.advance(35 * minute * 1000);

  expect(await ask()).toEqual([['up', created]]);
});

test('a report with a state that cannot be read fails for a day, and then the rest of it is used', async () => {
  const states = [
    ...report(['up', created, -30]).summary.states,
    { status: 'down', timefrom: 'earlier', timeto: startSeconds - 20 * minute },
    ...report(['up', -20, 4_000]).summary.states,
  ];
  const spoilt = Array.from({ length: 30 }, () => ({ summary: { states } }));
  const { ask, clock } = firstSeen({ lastErrorAtSeconds: startSeconds - 21 * minute }, spoilt);
  for (let hours = 0; hours < 24; hours++) {
    await expect(ask()).rejects.toMatchObject({ reason: 'shape' });
    await clock.advance(57 * minute * 1000);
  }

  expect(await ask()).toEqual([
    ['up', created],
    ['unmonitored', -30],
    ['up', -20],
  ]);
});
