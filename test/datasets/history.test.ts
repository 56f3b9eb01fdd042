import { describe, expect, test } from 'vitest';
import { type DeeperPasts, pastsInTurn } from '../../src/datasets/history.ts';
import type { Check } from '../../src/domain/check.ts';
import type { ItemId } from '../../src/domain/dataset.ts';
import { withTail } from '../../src/slo/log-past.ts';
import { emptyLog } from '../../src/slo/state-log.ts';
import { withCounted } from '../../src/state/items/totals.ts';
import { scriptedReader } from '../support/scripted-reader.ts';
import { historyRefresh } from './support/dataset-refreshes.ts';
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
  const { reader, requests } = scriptedReader(...replies);
  const whileRequested = { happens: async () => {} };
  const { context, clock, state, list, totals } = watchCheck({
    ...reader,
    get: async (request) => {
      await whileRequested.happens();
      return await reader.get(request);
    },
  });
  list(startSeconds, { createdAtSeconds: startSeconds - day, ...entry }, (states) => ({
    states: { ...states, state: entry.status === 'down' ? 'down' : 'up' },
    log: emptyLog(startSeconds),
  }));
  const refresh = historyRefresh(context);
  const ask = async () => {
    await clock.advance(3 * minute * 1000);
    await refresh(checkId, signal);
    const changes = totals()?.log?.changes;
    return (
      changes &&
      [...changes].map(({ state, fromSeconds }) => [state, (fromSeconds - startSeconds) / minute])
    );
  };
  /** The check is counted up to the time at which no report of its past can lag any longer. */
  const settle = async () => {
    await state.totals.commitCheck(checkId, (known) => {
      const toSeconds = startSeconds + 35 * minute;
      const recorded = [{ state: known.states.state, fromSeconds: startSeconds, toSeconds }];
      return withCounted(known, {
        tally: { ...known.states, horizonSeconds: toSeconds },
        recorded,
      });
    });
  };
  return { ask, clock, settle, requests, totals, state, whileRequested };
}

const wholePast = [
  ['up', created],
  ['down', -20],
  ['up', -10],
  ['down', -5],
];

/** What is kept of a report three minutes after first sight that lacks a failure. */
const kept = [
  ['up', created],
  ['unknown', -32],
];

test('of a report that lacks the outage of first sight, what is older than the longest lag is kept', async () => {
  const { ask, settle, requests, state } = firstSeen({ status: 'down' }, [withoutOpen, whole]);

  expect(state.firstSight.pastsLeft).toBe(1);
  expect(await ask()).toEqual(kept);
  expect(state.firstSight.pastsLeft).toBe(0);
  expect(await ask()).toEqual(kept);
  expect(requests).toHaveLength(1);

  // The rest is read once more.
  await settle();
  expect(await ask()).toEqual(wholePast);
  expect(requests[1]?.query).toMatchObject({ from: startSeconds - 152 * minute });
  await ask();
  expect(requests).toHaveLength(2);
});

test('of a report that lacks an outage of which a list has the failed test, the same is kept', async () => {
  const failed = { status: 'up', lastErrorAtSeconds: startSeconds - 11 * minute } as const;
  const { ask, settle } = firstSeen(failed, [report(['up', created, 3]), upAgain]);

  expect(await ask()).toEqual(kept);
  await settle();
  expect(await ask()).toEqual(wholePast.slice(0, 3));
});

test('a failure after first sight may hide one before it, so the same is kept', async () => {
  const failed = { status: 'up', lastErrorAtSeconds: startSeconds + minute } as const;
  const { ask, settle } = firstSeen(failed, [report(['up', created, 3]), upAgain]);

  expect(await ask()).toEqual(kept);
  await settle();
  expect(await ask()).toEqual(wholePast.slice(0, 3));
});

describe('a report that lags', () => {
  const failed = { status: 'up', lastErrorAtSeconds: startSeconds - 11 * minute } as const;
  const past = [...wholePast.slice(0, 2), ['up', -10]];

  test('is used up to its end, and the list shows that nothing failed since', async () => {
    const short = report(['up', created, -20], ['down', -20, -10], ['up', -10, -5]);
    const { ask, settle, requests, totals } = firstSeen(failed, [short]);

    expect(await ask()).toEqual(past);
    expect(totals()?.log?.tail).toBeUndefined();
    await settle();
    await ask();
    expect(requests).toHaveLength(1);
  });

  test('leaves unknown what failed after its end', async () => {
    const short = report(['up', created, -20], ['down', -20, -15]);
    const { ask, settle } = firstSeen(failed, [short, report(['down', -15, -10], ['up', -10, 0])]);

    expect(await ask()).toEqual([...wholePast.slice(0, 2), ['unknown', -15]]);
    await settle();
    expect(await ask()).toEqual(past);
  });

  test('changes nothing where a list has proven the rest while it was requested', async () => {
    const short = report(['up', created, -20], ['down', -20, -15]);
    const { ask, settle, state, whileRequested } = firstSeen(failed, [short, upAgain]);
    await ask();
    await settle();
    whileRequested.happens = async () => {
      const span = { fromSeconds: startSeconds - 15 * minute, toSeconds: startSeconds };
      await state.totals.commitCheck(checkId, ({ log = emptyLog(startSeconds), ...known }) => ({
        ...known,
        log: withTail({ ...known, log }, [{ state: 'up', ...span }]),
      }));
    };

    expect(await ask()).toEqual([...wholePast.slice(0, 2), ['up', -15]]);
  });

  test('of a paused check ends with its last test, and the rest is not monitored', async () => {
    const lastTestAtSeconds = startSeconds - 5 * minute;
    const paused = { ...failed, status: 'paused', lastTestAtSeconds } as const;
    const short = report(['up', created, -20], ['down', -20, -10], ['up', -10, -5]);
    const { ask } = firstSeen(paused, [short]);

    expect(await ask()).toEqual([...past, ['unmonitored', -5]]);
  });

  test('is whole if it has the last test before first sight', async () => {
    const last = report(['up', created, -20], ['down', -20, -10], ['up', -10, -0.5]);
    const { ask, settle, requests } = firstSeen(failed, [last]);

    expect(await ask()).toEqual(past);
    await settle();
    await ask();
    expect(requests).toHaveLength(1);
  });
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
  const failed = { lastErrorAtSeconds: startSeconds - 21 * minute };
  const { ask, clock, totals } = firstSeen(failed, spoilt);
  for (let hours = 0; hours < 24; hours++) {
    await expect(ask()).rejects.toMatchObject({ reason: 'shape' });
    await clock.advance(57 * minute * 1000);
  }

  expect(await ask()).toEqual([
    ['up', created],
    ['unmonitored', -30],
    ['up', -20],
  ]);
  expect(totals()?.log?.givenUp).toEqual([
    { fromSeconds: startSeconds - 30 * minute, toSeconds: startSeconds - 20 * minute },
  ]);
});

test('pasts of several features are read in turn: those of the first that has any left', async () => {
  const read: string[] = [];
  const pastOf = (name: string, left: Set<ItemId>): DeeperPasts => ({
    items: {
      get version() {
        return 10 - left.size;
      },
      ids: () => [...left],
      isOpen: (id) => left.has(id),
      get requests() {
        return 5 * left.size;
      },
    },
    read: async (id) => {
      read.push(`${name} ${id}`);
      left.delete(id);
      return { rejected: [], events: [] };
    },
  });
  const pasts = pastsInTurn([pastOf('job', new Set([1, 2])), pastOf('days', new Set([2]))]);
  const versions = new Set([pasts.items.version]);
  for (let id = pasts.items.ids()[0]; id !== undefined; id = pasts.items.ids()[0]) {
    expect([pasts.items.requests > 0, pasts.items.isOpen(id)]).toEqual([true, true]);
    await pasts.read(id, signal);
    versions.add(pasts.items.version);
  }
  expect(read).toEqual(['job 1', 'job 2', 'days 2']);
  expect([pasts.items.requests, versions.size]).toEqual([0, 4]);
  expect(await pasts.read(2, signal)).toMatchObject({ unrequested: 'nothing left' });
});
