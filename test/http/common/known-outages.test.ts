import { describe, expect, test } from 'vitest';
import type { StateSpan } from '../../../src/domain/interval.ts';
import { firstSightText } from '../../../src/http/common/first-sight-text.ts';
import { itemsOf } from '../../../src/http/common/items.ts';
import {
  lastOutagesOf,
  noOutagesOfItemText,
  noOutagesText,
} from '../../../src/http/common/known-outages.ts';
import { lastOutages } from '../../../src/slo/last-outages.ts';
import { healthySnapshot, noon, statesBy } from '../../support/snapshots.ts';
import { accountOf, unread } from '../support/account-of-checks.ts';

const hour = 3_600;

describe('the last outages', () => {
  test('are those that are known, however many failed since', () => {
    const rows = Array.from({ length: 30 }, (_, id) => ({ id, lastDownStartAtSeconds: noon - id }));
    const known = { outages: [{ fromSeconds: noon - 29, toSeconds: noon, causes: [] }] };
    const { items } = accountOf(rows, (id) => (id === 29 ? known : unread));
    expect(lastOutagesOf(items, 8).map(({ item }) => item.id)).toEqual([29]);
  });

  test('are in the order in which they began, also where the service tells no beginning', () => {
    const rows = Array.from({ length: 9 }, (_, id) => ({ id, lastErrorAtSeconds: noon - id }));
    // The later a check failed, the earlier its outage began.
    const { items } = accountOf(rows, (id) => ({
      outages: [{ fromSeconds: noon - 1_000 + id, causes: [] }],
    }));
    expect(lastOutagesOf(items, 3).map(({ item }) => item.id)).toEqual([8, 7, 6]);
  });
});

test('all outages of the last day are counted, also if more are known than have causes', () => {
  const begins = Array.from({ length: 40 }, (_, place) => noon - 36 * hour + place * hour);
  const spans = begins.flatMap((at): StateSpan[] => [
    { state: 'down', fromSeconds: at, toSeconds: at + 60 },
    { state: 'up', fromSeconds: at + 60, toSeconds: at + hour },
  ]);
  const states = statesBy({ 1: spans })(1);
  if (states === undefined) throw new Error('there are no states');
  const past = { outages: lastOutages(states) };
  const { status } = accountOf([{ id: 1, lastErrorAtSeconds: noon }], () => past);
  const counted = { ofCheck: () => states, ofTransaction: () => undefined };
  const [last] = lastOutagesOf(itemsOf([{ ...status, states: counted }]), 8);
  expect(last?.outage.fromSeconds).toBe(begins.at(-1));
  expect(last?.others).toBe(23);
});

test('an open outage is not denied where its start is not known', () => {
  const [item] = accountOf([{ id: 1, status: 'down' }], () => ({ outages: [] })).items;
  expect(item && noOutagesOfItemText(item, noon)).toBe('The open outage has not been read yet.');
});

describe('where no outage is known', () => {
  const { status, items } = accountOf([{ id: 1 }], () => unread);
  const reading = {
    ...status,
    firstSight: { pastsLeft: 133, pausesLeft: 0, isRead: true, doneInSeconds: 9_000 },
  };

  test('there was none only when every past has been read', () => {
    expect(noOutagesText([status], noon)).toBe('No known outages in the last 35 days.');
    expect(noOutagesText([reading], noon)).toBe(
      'No outage is known yet. The past of 133 checks is being read, done about 14:30 UTC.',
    );
    expect(noOutagesText([reading, status], noon)).toBe(
      'No outage is known yet. Account main: The past of 133 checks is being read, done about 14:30 UTC.',
    );
    const off = { ...status, firstSight: { pastsLeft: 1, pausesLeft: 0, isRead: false } };
    expect(noOutagesText([off], noon)).toBe(
      'No outage is known yet. The past of 1 check is not known: the dataset history is switched off.',
    );
    const refused = {
      ...off,
      firstSight: { pastsLeft: 1, pausesLeft: 0, isRead: false, isRefused: true } as const,
    };
    expect(noOutagesText([refused], noon)).toBe(
      'No outage is known yet. The past of 1 check is not known: the service refuses to report it.',
    );
    const { checks: _, ...unlisted } = healthySnapshot();
    expect(noOutagesText([{ ...status, snapshot: unlisted }], noon)).toBe(
      'No outage is known yet. A list of the account main is unread or too old: newer outages are not known.',
    );
  });

  test('reports of an absence are not a past that is read, and have no forecast', () => {
    const absent = { ...status, firstSight: { pastsLeft: 0, pausesLeft: 2, isRead: true } };
    const text =
      '2 checks may have been paused while no list was read: their counters wait for a report, for 25 minutes at most.';
    expect(firstSightText(absent, noon)).toBe(text);
    const both = { ...reading, firstSight: { ...reading.firstSight, pausesLeft: 2 } };
    expect(firstSightText(both, noon)).toBe(
      `The past of 133 checks is being read, done about 14:30 UTC. ${text}`,
    );
  });

  test('a time on another day has its date', () => {
    const later = {
      ...status,
      firstSight: { pastsLeft: 2, pausesLeft: 0, isRead: true, doneInSeconds: 86_400 },
    };
    expect(noOutagesText([later], noon)).toContain('done about 2026-01-06 12:00 UTC');
  });

  test('a time days away is a range, as it depends on the outages until then', () => {
    const [done, latest] = [15 * 86_400, 77 * 86_400];
    const textOf = (doneInSeconds: number, doneAtLatestInSeconds: number) =>
      noOutagesText(
        [
          {
            ...status,
            firstSight: { ...reading.firstSight, doneInSeconds, doneAtLatestInSeconds },
          },
        ],
        noon,
      );
    expect(textOf(done, latest)).toBe(
      'No outage is known yet. The past of 133 checks is being read, done between 2026-01-20 and 2026-03-23: the more outages, the later.',
    );
    expect(textOf(done, 1.1 * done)).toContain('done about 2026-01-20 12:00 UTC.');
    expect(textOf(9_000, 9_500)).toContain('done about 14:30 UTC.');
    expect(textOf(9_000, 50_000)).toContain(
      'done between 14:30 UTC and 2026-01-06 01:54 UTC: the more outages, the later.',
    );
    expect(textOf(1_800, 50_000)).toContain('done about 12:30 UTC.');
    // A year has a date; what a budget of nearly nothing forecasts has none.
    expect(textOf(done, 1e13)).toContain(
      'done between 2026-01-20 and a year from now, or later: the more outages, the later.',
    );
    expect(textOf(1e13, 1e14)).toContain('is being read, not done within a year.');
  });

  test('the page of a check says so of its own past', () => {
    const [item] = items;
    if (item === undefined) throw new Error('there is no item');
    expect(noOutagesOfItemText({ ...item, status: reading }, noon)).toBe(
      'No outage is known yet: the past of this check has not been read, done about 14:30 UTC.',
    );
    const whole = accountOf([{ id: 1 }], () => ({ outages: [] })).items[0];
    if (whole === undefined) throw new Error('there is no item');
    expect(noOutagesOfItemText(whole, noon)).toBe('No known outages in the last 35 days.');
    const { checks } = status.snapshot.datasets;
    const datasets = { checks: { ...checks, stale: true } };
    const snapshot = { ...whole.status.snapshot, datasets };
    const stale = { ...whole, status: { ...whole.status, snapshot } };
    expect(noOutagesOfItemText(stale, noon)).toBe(
      'No outage was known when the list was last read.',
    );
  });
});
