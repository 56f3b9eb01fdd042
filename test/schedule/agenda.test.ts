import { describe, expect, test } from 'vitest';
import type { ItemId } from '../../src/domain/dataset.ts';
import { hashUnit } from '../../src/lib/random.ts';
import type { AgendaTask } from '../../src/schedule/agenda.ts';
import { extent } from '../support/extent.ts';
import fc from '../support/fast-check.ts';
import {
  agendaWith,
  checks,
  hour,
  planOf,
  plenty,
  results,
  second,
  take,
} from './support/agenda-with.ts';

const outages = { name: 'outages', intervalSeconds: 86_400, items: 1000 } as const;

describe('the status datasets', () => {
  test('come first at the start and then once in each interval', () => {
    const agenda = agendaWith([results, checks]);

    const first = take(agenda, 0);
    expect(first).toEqual({ dataset: 'checks', id: 'account', reason: 'status' });
    agenda.succeeded(first, 0);

    expect(take(agenda, 59 * second).dataset).toBe('results');
    expect(take(agenda, 60 * second).dataset).toBe('checks');
  });

  test('keep their beat although requests come late', () => {
    const agenda = agendaWith([checks]);
    agenda.succeeded(take(agenda, 0), 0);
    agenda.succeeded(take(agenda, 70 * second), 70 * second);

    expect(agenda.nextDueIn(70 * second)).toBe(50 * second);
  });

  test('start a new beat after a long delay', () => {
    const agenda = agendaWith([checks]);
    agenda.succeeded(take(agenda, 0), 0);
    agenda.succeeded(take(agenda, 500 * second), 500 * second);

    expect(agenda.nextDueIn(500 * second)).toBe(60 * second);
  });

  test('keep their beat beside a dear one', () => {
    const transactions = { name: 'transactions', intervalSeconds: 300, cost: 14 } as const;
    const agenda = agendaWith([checks, transactions]);
    const taken = { checks: 0, transactions: 0 };
    for (let now = 0; now < hour; now += second) {
      for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
        taken[task.dataset === 'checks' ? 'checks' : 'transactions'] += 1;
        agenda.succeeded(task, now);
      }
    }

    expect(taken).toEqual({ checks: 60, transactions: 12 });
  });

  test('are not starved by any number of events', () => {
    const agenda = agendaWith([outages, checks], { requestsPerSecond: 100, burst: 1000 });
    agenda.succeeded(take(agenda, 0), 0);
    for (let id = 0; id < 1000; id++) agenda.expedite({ dataset: 'outages', id }, 0);

    const taken = Array.from({ length: 500 }, () => take(agenda, 30 * second));
    expect(taken.every((task) => task.reason === 'event')).toBe(true);
    expect(take(agenda, 60 * second).dataset).toBe('checks');
  });
});

describe('events', () => {
  test('go ahead of what is in turn, the first raised first', () => {
    const agenda = agendaWith([outages, results], plenty, 7200);
    agenda.expedite({ dataset: 'outages', id: 7 }, 0);
    agenda.expedite({ dataset: 'outages', id: 3 }, 1);

    expect(take(agenda, 2)).toEqual({ dataset: 'outages', id: 7, reason: 'event' });
    expect(take(agenda, 2)).toEqual({ dataset: 'outages', id: 3, reason: 'event' });
    expect(take(agenda, 2).dataset).toBe('results');
  });

  test('with patience let those without go first, and others by their patience', () => {
    const detail = { name: 'detail', intervalSeconds: 86_400, items: 10 } as const;
    const agenda = agendaWith([outages, results, detail], plenty, 0);
    agenda.expedite({ dataset: 'detail', id: 1 }, 0);
    agenda.expedite({ dataset: 'results', id: 1 }, 60 * second);
    agenda.expedite({ dataset: 'outages', id: 1 }, 60 * second);
    agenda.expedite({ dataset: 'outages', id: 2 }, 5 * hour);
    agenda.expedite({ dataset: 'results', id: 2 }, 5 * hour);

    const order = [1, 2, 3, 4, 5].map(() => take(agenda, 5 * hour));

    expect(order.map(({ dataset, id }) => [dataset, id])).toEqual([
      ['outages', 1],
      ['outages', 2],
      ['results', 1],
      ['detail', 1],
      ['results', 2],
    ]);
  });

  test('come before what an item lacks from an absence', () => {
    const agenda = agendaWith([outages, results], plenty, 3600);
    const late = take(agenda, 0);
    agenda.succeeded(late, 0, true);
    agenda.expedite({ dataset: 'results', id: 5 }, hour);

    const order = [take(agenda, hour), take(agenda, hour)];

    expect(late.dataset).toBe('results');
    expect(order.map(({ reason, id }) => [reason, id])).toEqual([
      ['event', 5],
      ['event', late.id],
    ]);
  });

  test('have their own deadline for an item that lacks something from an absence', () => {
    const agenda = agendaWith([outages, results], plenty, 3600);
    const late = take(agenda, 0);
    agenda.succeeded(late, 0, true);
    agenda.expedite(late, 0);
    agenda.expedite({ dataset: 'results', id: 5 }, second);

    expect([take(agenda, second).id, take(agenda, second).id]).toEqual([late.id, 5]);
  });

  test.each([0, 1, 2])('go first for whichever item lacks something: %i', (place) => {
    const agenda = agendaWith([results], plenty, 3600);
    const late = [0, 1, 2].map(() => take(agenda, 0));
    late.forEach((task, index) => {
      if (index === 1) agenda.unrequested(task, 0, true);
      else agenda.succeeded(task, 0, true);
    });
    const ids = late.map(({ id }) => id);
    agenda.expedite({ dataset: 'results', id: ids[place] ?? 'account' }, second);

    const order = [0, 1, 2].map(() => take(agenda, second).id);
    expect(order[0]).toBe(ids[place]);
    expect(new Set(order)).toEqual(new Set(ids));
  });

  test('spend no more than their burst at once and their rate after it', () => {
    const agenda = agendaWith([outages], { requestsPerSecond: 0.1, burst: 5 }, 0);
    for (let id = 0; id < 100; id++) agenda.expedite({ dataset: 'outages', id }, 0);
    const served = (now: number) => {
      let count = 0;
      while (agenda.next(now) !== undefined) count += 1;
      return count;
    };

    expect(served(0)).toBe(5);
    expect(agenda.nextDueIn(0)).toBe(10 * second);
    expect(served(100 * second)).toBe(5);
    expect(served(130 * second)).toBe(3);
  });

  test('that repeat each other are one', () => {
    const agenda = agendaWith([outages], plenty, 0);
    agenda.expedite({ dataset: 'outages', id: 1 }, 0);
    agenda.expedite({ dataset: 'outages', id: 1 }, 1);

    agenda.succeeded(take(agenda, 2), 2);

    expect(agenda.next(2)).toBeUndefined();
    expect(agenda.figures.counts().classes.event).toBe(0);
  });

  test('for an item under way are served after it, never beside it', () => {
    const agenda = agendaWith([outages], plenty, 0);
    agenda.expedite({ dataset: 'outages', id: 1 }, 0);
    const task = take(agenda, 0);
    agenda.expedite({ dataset: 'outages', id: 1 }, 1 * second);

    expect(agenda.next(2 * second)).toBeUndefined();
    agenda.succeeded(task, 0);

    expect(take(agenda, 2 * second)).toMatchObject({ id: 1, reason: 'event' });
  });

  test('survive the failure of their request', () => {
    const agenda = agendaWith([outages], plenty, 0);
    agenda.expedite({ dataset: 'outages', id: 1 }, 0);

    agenda.failed(take(agenda, 0), 'transient', 0);

    expect(agenda.next(59 * second)).toBeUndefined();
    expect(take(agenda, 60 * second)).toMatchObject({ id: 1, reason: 'event' });
  });

  test('for something the account does not have are refused', () => {
    const agenda = agendaWith([outages]);

    expect(agenda.expedite({ dataset: 'outages', id: 5000 }, 0)).toBe(false);
    expect(agenda.expedite({ dataset: 'teams', id: 'account' }, 0)).toBe(false);
  });

  test('count in the rate of events for six hours or so', () => {
    const agenda = agendaWith([outages], plenty, 0);
    expect(agenda.eventRate(0)).toBe(0);
    for (let id = 0; id < 60; id++) {
      agenda.expedite({ dataset: 'outages', id }, 0);
      take(agenda, 0);
    }

    expect(agenda.eventRate(0) * 3600).toBeCloseTo(10, 6);
    expect(agenda.eventRate(6 * hour) * 3600).toBeCloseTo(10 / Math.E, 6);
  });
});

describe('what is in turn', () => {
  test('is spread evenly over its interval, with no bursts', () => {
    const items = 100;
    const agenda = agendaWith([{ name: 'results', intervalSeconds: 36_000, items }]);
    const perHour = Array.from({ length: 50 }, () => 0);
    for (let now = 0; now < 50 * hour; now += 10 * second) {
      for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
        agenda.succeeded(task, now);
        const index = Math.floor(now / hour);
        perHour[index] = (perHour[index] ?? 0) + 1;
      }
    }

    // After the first round: ten an hour, with the variation of a hash.
    for (const count of perHour.slice(12)) {
      expect(count).toBeGreaterThanOrEqual(2);
      expect(count).toBeLessThanOrEqual(18);
    }
  });

  test.each([
    ['once a second, if it is due each minute', 60, 180, second, 5],
    ['every two seconds, if it is due every two minutes', 120, 360, 2 * second, 8],
    ['every five seconds, if it is due after a longer time', 1_200, 3_600, 5 * second, 20],
    ['as soon as no more can be saved up, where that takes less', 120, 9_000, 242, 20],
  ])('starts together, %s', (_, intervalSeconds, items, leastGap, most) => {
    const row = { name: 'results', intervalSeconds, items } as const;
    const agenda = agendaWith([row], plenty, intervalSeconds);
    const batches = new Map<number, number>();
    const end = intervalSeconds * second;
    for (let now = 0; now < end; now += Math.max(1, agenda.nextDueIn(now))) {
      for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
        agenda.succeeded(task, now);
        batches.set(now, (batches.get(now) ?? 0) + 1);
      }
    }

    const started = [...batches.values()].reduce((sum, count) => sum + count, 0);
    expect(started).toBeGreaterThanOrEqual(items);
    expect(Math.max(...batches.values())).toBeLessThanOrEqual(most);
    const times = [...batches.keys()];
    const gaps = times.slice(1).map((time, place) => time - (times[place] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(leastGap);
  });

  test('goes on with a batch whose refreshes have to wait for each other', () => {
    const agenda = agendaWith([{ name: 'results', intervalSeconds: 60, items: 180 }], plenty, 60);
    for (let first = 0; first < 5; first++) agenda.succeeded(take(agenda, 0), 0);

    expect(take(agenda, 400).dataset).toBe('results');
    expect(agenda.next(410)).toBeUndefined();
    expect(agenda.nextDueIn(410)).toBe(590);
    expect(take(agenda, 1_000).dataset).toBe('results');
  });

  test('keeps its place from interval to interval', () => {
    const agenda = agendaWith([{ ...results, items: 3 }]);
    const turns = new Map<ItemId, number[]>();
    for (let now = 0; now < 40 * hour; now += second) {
      const task = agenda.next(now);
      if (task === undefined) continue;
      agenda.succeeded(task, now);
      turns.set(task.id, [...(turns.get(task.id) ?? []), now]);
    }

    for (const times of turns.values()) {
      const gaps = times.slice(2).map((time, index) => time - (times[index + 1] ?? 0));
      expect(Math.min(...gaps)).toBeGreaterThan(0.9 * hour);
      expect(Math.max(...gaps)).toBeLessThan(1.1 * hour);
    }
  });

  test('with stored data waits until they are as old as the interval', () => {
    const agenda = agendaWith([{ ...results, items: 1 }], plenty, 3000);

    expect(agenda.next(599 * second)).toBeUndefined();
    expect(agenda.nextDueIn(0)).toBe(600 * second);
    expect(take(agenda, 600 * second).dataset).toBe('results');
  });

  test('serves the relatively latest first', () => {
    const agenda = agendaWith(
      [
        { name: 'credits', intervalSeconds: 1000 },
        { name: 'teams', intervalSeconds: 100 },
      ],
      plenty,
      0,
    );

    expect(take(agenda, 1500 * second).dataset).toBe('teams');
    expect(take(agenda, 1500 * second).dataset).toBe('credits');
  });

  test('follows a new plan at once', () => {
    const agenda = agendaWith([results], plenty, 0);

    agenda.applyPlan(planOf({ ...results, intervalSeconds: 600 }), plenty, 0);

    expect(agenda.nextDueIn(0)).toBe(600 * second);
  });

  test('first read while the past is read, is due again after half to one and a half of the lasting interval', () => {
    const items = 100;
    const slowed = { intervalSeconds: 5 * 3600, lastingIntervalSeconds: 3600 };
    const agenda = agendaWith([{ ...results, ...slowed, items }]);
    const readAt = new Map<ItemId, number>();
    for (let now = 0; readAt.size < items; now += second) {
      const task = agenda.next(now);
      if (task === undefined) continue;
      agenda.succeeded(task, now);
      readAt.set(task.id, now);
    }

    agenda.applyPlan(planOf({ ...results, items }), plenty, 0);

    for (const [id, at] of readAt) {
      const dueIn = agenda.figures.dueInSeconds('results', id, at);
      expect(dueIn).toBeGreaterThanOrEqual(1800);
      expect(dueIn).toBeLessThan(5400);
    }
  });

  test('stops when there is nothing to spend', () => {
    const agenda = agendaWith(
      [{ ...results, intervalSeconds: Number.POSITIVE_INFINITY }],
      plenty,
      0,
    );

    expect(agenda.next(1e9)).toBeUndefined();
    expect(agenda.nextDueIn(1e9)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('failures', () => {
  test('come back later and later', () => {
    const agenda = agendaWith([checks]);
    const delays: number[] = [];
    let now = 0;
    for (let failure = 0; failure < 5; failure++) {
      agenda.failed(take(agenda, now), 'transient', now);
      delays.push(agenda.nextDueIn(now) / second);
      now += agenda.nextDueIn(now);
    }

    expect(delays).toEqual([60, 120, 240, 300, 300]);
  });

  test('that only a person can end come back rarely', () => {
    const agenda = agendaWith([checks]);
    agenda.failed(take(agenda, 0), 'persistent', 0);

    expect(agenda.nextDueIn(0)).toBe(300 * second);
  });

  test('of the credentials are over for the check list once anything else succeeds', () => {
    const agenda = agendaWith([outages, checks], { requestsPerSecond: 100, burst: 1000 }, 0);
    const now = 60 * second;
    agenda.expedite({ dataset: 'outages', id: 1 }, now);
    agenda.failed(take(agenda, now), 'persistent', now, { ofService: true });
    const other = take(agenda, now);
    expect(other.dataset).toBe('outages');
    expect(agenda.figures.dueInSeconds('checks', 'account', now)).toBe(300);

    agenda.succeeded(other, now);

    expect(take(agenda, now)).toMatchObject({ dataset: 'checks', reason: 'status' });
  });

  test('of one dataset alone keep their back-off, whatever the others do', () => {
    const agenda = agendaWith([outages, checks], { requestsPerSecond: 100, burst: 1000 }, 0);
    for (let id = 0; id < 100; id++) agenda.expedite({ dataset: 'outages', id }, 0);
    let tries = 0;
    for (let now = 0; now < hour; now += second) {
      const task = agenda.next(now);
      if (task === undefined) continue;
      if (task.dataset === 'checks') {
        tries += 1;
        agenda.failed(task, 'transient', now, { ofService: true });
      } else agenda.succeeded(task, now);
    }

    expect(tries).toBeLessThan(20);
  });

  test('of a background item are over with a reload, however often it has failed', () => {
    const agenda = agendaWith([{ name: 'average', intervalSeconds: 7200 }], plenty, 7200);
    let now = 0;
    for (let failure = 0; failure < 4; failure++) {
      now += agenda.nextDueIn(now);
      agenda.failed(take(agenda, now), 'transient', now);
    }
    expect(agenda.nextDueIn(now)).toBeGreaterThan(60 * second);

    agenda.retryNow();

    expect(take(agenda, now).dataset).toBe('average');
  });

  test('let other events go first from the third one on, until the item succeeds', () => {
    const agenda = agendaWith([outages, results], plenty, 0);
    const failing = { dataset: 'outages', id: 1 } as const;
    agenda.expedite(failing, 0);
    let now = 0;
    const order: unknown[] = [];
    const askForBoth = () => {
      agenda.expedite(failing, now);
      agenda.expedite({ dataset: 'results', id: 5 }, now);
      for (let turn = 0; turn < 2; turn++) {
        const task = take(agenda, now);
        agenda.succeeded(task, now);
        order.push(task.dataset);
      }
    };
    for (let failure = 0; failure < 3; failure++) {
      agenda.failed(take(agenda, now), 'transient', now);
      now += agenda.nextDueIn(now);
    }
    askForBoth();
    askForBoth();

    expect(order).toEqual(['results', 'outages', 'outages', 'results']);
  });

  test('take no turn from the check list', () => {
    const maintenance = { name: 'maintenance', intervalSeconds: 300, isStatus: true } as const;
    const agenda = agendaWith([checks, maintenance], undefined, 0);
    for (const seconds of [60, 120, 240]) {
      const task = take(agenda, seconds * second);
      expect(task.dataset).toBe('checks');
      agenda.failed(task, 'transient', seconds * second);
    }

    expect(take(agenda, 480 * second).dataset).toBe('checks');
  });

  test('cost an item no turn if there are one or two of them', () => {
    const average = { name: 'average', intervalSeconds: 3600 } as const;
    const agenda = agendaWith([average, { ...results, intervalSeconds: 7200 }], plenty, 14_400);
    let now = 0;
    for (let failure = 0; failure < 2; failure++) {
      const task = take(agenda, now);
      expect(task.dataset).toBe('average');
      agenda.failed(task, 'transient', now);
      now += 60 * second * 2 ** failure;
    }

    expect(take(agenda, now).dataset).toBe('average');
  });

  test.each([
    ['a day of data with a longer interval', { name: 'detail', intervalSeconds: 30 * 86_400 }, 24],
    [
      'two hours of data whose interval is longer only while the past is read',
      { name: 'detail', intervalSeconds: 86_400, lastingIntervalSeconds: 7_200 },
      2,
    ],
    ['an hour of a past', { name: 'history', intervalSeconds: 86_400, isOnce: true }, 1],
    ['an hour of a report', { name: 'outages', intervalSeconds: 86_400 }, 1],
  ] as const)('are followed by another attempt within %s', (_, row, hours) => {
    const agenda = agendaWith([row], plenty, 60 * 86_400);
    agenda.expedite({ dataset: row.name, id: 0 }, 0);
    let now = 0;
    for (let failures = 0; failures < 20; ) {
      const task = agenda.next(now);
      if (task === undefined) now += Math.max(second, agenda.nextDueIn(now));
      else {
        agenda.failed(task, 'transient', now);
        failures += 1;
      }
    }

    expect(agenda.figures.dueInSeconds(row.name, 0, now)).toBe(hours * 3600);
  });

  test('of everything hold all but the status datasets back', () => {
    const agenda = agendaWith([outages, checks], { requestsPerSecond: 100, burst: 1000 }, 0);
    agenda.succeeded(take(agenda, 60 * second), 60 * second);
    for (let id = 0; id < 100; id++) agenda.expedite({ dataset: 'outages', id }, 60 * second);
    let now = 60 * second;
    for (let failure = 0; failure < 3; failure++)
      agenda.failed(take(agenda, now), 'transient', now);

    expect(agenda.next(now)).toBeUndefined();
    expect(agenda.nextDueIn(now)).toBe(60 * second);
    now += 60 * second;
    const status = take(agenda, now);
    expect(status.reason).toBe('status');
    expect(agenda.next(now)).toBeUndefined();
    agenda.succeeded(status, now);
    expect(take(agenda, now).reason).toBe('event');
    expect(take(agenda, now).reason).toBe('event');
  });

  test('an item that could not be tried comes back without a failure, and what it would have cost', () => {
    const agenda = agendaWith([outages], { requestsPerSecond: 0, burst: 1 }, 0);
    agenda.expedite({ dataset: 'outages', id: 1 }, 0);

    agenda.postponed(take(agenda, 0), 5 * second);

    expect(agenda.figures.counts()).toMatchObject({ retrying: 1, running: 0 });
    expect(take(agenda, 5 * second)).toMatchObject({ id: 1, reason: 'event' });
  });
});

describe('the inventory', () => {
  test('drops what is gone and adds what is new', () => {
    const agenda = agendaWith([results], plenty, 0);

    agenda.reconcile('results', [{ id: 9 }, { id: 10, ageSeconds: 0 }, { id: 11 }], 0);

    expect(agenda.figures.counts().classes.background).toBe(3);
    expect(take(agenda, 1)).toMatchObject({ id: 11 });
    expect(agenda.next(1)).toBeUndefined();
  });

  test('never has an item under way twice, though it is dropped and comes back meanwhile', () => {
    const agenda = agendaWith([{ ...results, items: 1 }]);
    const task = take(agenda, 0);
    agenda.reconcile('results', [], 0);
    agenda.reconcile('results', [{ id: 0 }], 0);

    expect(agenda.next(hour)).toBeUndefined();
    agenda.succeeded(task, hour);
    expect(take(agenda, 3 * hour).id).toBe(0);
  });

  test('asks again for what the service refuses at its next turn, however often it is listed', () => {
    const agenda = agendaWith([{ ...results, items: 1 }]);
    agenda.skipped(take(agenda, 0), 0);

    agenda.reconcile('results', [{ id: 0 }], 1);
    expect(agenda.next(1)).toBeUndefined();
    expect(take(agenda, agenda.nextDueIn(0)).id).toBe(0);
  });

  test('asks again for what the service refuses when an event wants it', () => {
    const agenda = agendaWith([{ ...results, items: 1 }]);
    agenda.skipped(take(agenda, 0), 0);

    agenda.expedite({ dataset: 'results', id: 0 }, 1);

    expect(take(agenda, 1)).toMatchObject({ id: 0, reason: 'event' });
  });

  test('drops a dataset that is not in the plan any more', () => {
    const agenda = agendaWith([results, checks]);

    agenda.applyPlan(planOf(checks), plenty, 0);

    expect(agenda.figures.counts()).toEqual({
      classes: { status: 1, event: 0, background: 0 },
      running: 0,
      retrying: 0,
    });
  });

  test('tells for how long the oldest item has been due', () => {
    const agenda = agendaWith([results], plenty, 0);

    expect(agenda.figures.oldestDueSeconds(hour)).toBe(0);
    expect(agenda.figures.oldestDueSeconds(hour + 90 * second)).toBe(90);
  });

  test('tells for how long the item that has waited longest has been due, by dataset', () => {
    const agenda = agendaWith([results, outages], plenty, 0);
    const overdue = (at: number) => agenda.figures.overdueSeconds(at)[results.name];

    expect(overdue(hour)).toBe(0);
    // One item of several has just been read; another still waits.
    const task = agenda.next(hour + 90 * second);
    if (task === undefined) throw new Error('something is due');
    agenda.succeeded(task, hour + 90 * second);
    expect(Object.keys(agenda.figures.overdueSeconds(0)).sort()).toEqual(
      [outages.name, results.name].sort(),
    );
    expect(overdue(hour + 90 * second)).toBe(90);
  });

  test('tells for how long an event has waited behind a more urgent one', () => {
    const agenda = agendaWith([results, outages], plenty, 0);
    agenda.expedite({ dataset: 'results', id: 0 }, 0);
    agenda.expedite({ dataset: 'outages', id: 0 }, 40 * second);

    expect(agenda.figures.oldestDueSeconds(50 * second)).toBe(50);
  });

  test('knows when an item is due, and nothing about unknown items', () => {
    const agenda = agendaWith([results], plenty, 0);

    expect(agenda.figures.dueInSeconds(results.name, -1, 0)).toBeUndefined();
    const task = agenda.next(hour);
    if (task === undefined) throw new Error('something is due');
    agenda.succeeded(task, hour);
    const due = agenda.figures.dueInSeconds(task.dataset, task.id, hour) ?? 0;
    expect(due).toBeGreaterThan(0);
    expect(
      agenda.figures.dueInSeconds(task.dataset, task.id, hour + (due + 30) * second),
    ).toBeCloseTo(-30);
  });
});

const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('next' as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('end' as const), failed: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), s: fc.nat(900) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('raise' as const), id: fc.nat(12) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('list' as const), ids: fc.uniqueArray(fc.nat(12)) }),
  },
);

test('for any course of events, no item runs twice at once, and nextDueIn is the time until next has something', () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 10, maxLength: 200, size: 'max' }), (acts) => {
      const agenda = agendaWith(
        [checks, { ...results, items: 6 }, { name: 'average', intervalSeconds: 900, cost: 3 }],
        { requestsPerSecond: 0.01, burst: 3 },
      );
      const running = new Map<string, AgendaTask>();
      let now = 0;
      for (const step of acts) {
        if (step.do === 'wait') now += step.s * second;
        if (step.do === 'raise') agenda.expedite({ dataset: 'results', id: step.id }, now);
        if (step.do === 'list')
          agenda.reconcile(
            'results',
            step.ids.map((id) => ({ id })),
            now,
          );
        if (step.do === 'next') {
          const due = agenda.nextDueIn(now);
          const task = agenda.next(now);
          expect(task === undefined).toBe(due > 0);
          if (task === undefined) continue;
          const key = `${task.dataset} ${task.id}`;
          expect(running.has(key)).toBe(false);
          running.set(key, task);
        }
        if (step.do === 'end') {
          const [key, task] = [...running][0] ?? [];
          if (key === undefined || task === undefined) continue;
          running.delete(key);
          if (step.failed) agenda.failed(task, 'transient', now);
          else agenda.succeeded(task, now);
        }
        expect(agenda.figures.counts().running).toBe(running.size);
      }
    }),
    { numRuns: extent(150, 500) },
  );
});

test('with requests to spare, items that are new come at half of their rate on top of the planned one', () => {
  const rows = [{ name: 'detail', intervalSeconds: 86_400, items: 100 } as const];
  const taken = (spareRequestsPerSecond: number) => {
    const agenda = agendaWith(rows);
    agenda.applyPlan({ ...planOf(...rows), spareRequestsPerSecond }, plenty, 0);
    let tasks = 0;
    for (let now = 0; now <= 100 * second; now += second) {
      for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
        agenda.succeeded(task, now);
        tasks += 1;
      }
    }
    return tasks;
  };

  expect(taken(0)).toBe(5);
  expect(taken(1)).toBe(5 + 50);
});

test('no item starves, whatever events do and whichever requests fail', () => {
  const datasets = [
    { name: 'results', intervalSeconds: 3600, items: 12 },
    { name: 'average', intervalSeconds: 7200, items: 12, cost: 3 },
    { name: 'detail', intervalSeconds: 40_000, items: 12 },
  ] as const;
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const agenda = agendaWith([checks, outages, ...datasets], {
        requestsPerSecond: 0.005,
        burst: 20,
      });
      let drawn = 0;
      const draw = () => Math.floor(hashUnit(seed, drawn++) * 1000);
      const last = new Map<string, number>();
      for (let now = 0; now < 48 * hour; now += 30 * second) {
        if (draw() < 300) agenda.expedite({ dataset: 'outages', id: draw() }, now);
        for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
          if (draw() < 50) agenda.failed(task, 'transient', now);
          else {
            agenda.succeeded(task, now);
            last.set(`${task.dataset} ${task.id}`, now);
          }
        }
        if (now < 40_000 * second) continue;
        for (const { name, intervalSeconds, items } of datasets) {
          for (let id = 0; id < items; id++) {
            const age = now - (last.get(`${name} ${id}`) ?? 0);
            if (age > 2.5 * intervalSeconds * second) throw new Error(`${name} ${id} starves`);
          }
        }
      }
    }),
    { numRuns: 10 },
  );
});

describe('a dataset whose every refresh fails', () => {
  test('takes no turns of the others', () => {
    const datasets = [
      { name: 'results', intervalSeconds: 4 * 3600, items: 100 },
      { name: 'performance', intervalSeconds: 6 * 3600, items: 100 },
    ] as const;
    const failing = { name: 'average', intervalSeconds: 16 * 3600, items: 100, cost: 3 } as const;
    const agenda = agendaWith([checks, ...datasets, failing], undefined, 0);
    const last = new Map<string, number>();
    for (let now = 0; now < 10 * 24 * hour; now += 30 * second) {
      for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
        if (task.dataset === failing.name) agenda.failed(task, 'transient', now);
        else {
          agenda.succeeded(task, now);
          last.set(`${task.dataset} ${task.id}`, now);
        }
      }
      if (now % hour !== 0) continue;
      for (const { name, intervalSeconds, items } of datasets) {
        for (let id = 0; id < items; id++) {
          const intervals = (now - (last.get(`${name} ${id}`) ?? 0)) / (intervalSeconds * second);
          if (intervals > 2.5) throw new Error(`${name} ${id} waits after ${now / hour} h`);
        }
      }
    }
  });

  test('does not slow the check list down', () => {
    const list = { name: 'checks', intervalSeconds: 100 } as const;
    const failing = { name: 'maintenance', intervalSeconds: 800, cost: 2, isStatus: true } as const;
    const agenda = agendaWith([list, failing], undefined, 0);
    let lists = 0;
    for (let now = 0; now < 10 * hour; now += second) {
      const task = agenda.next(now);
      if (task?.dataset === 'maintenance') agenda.failed(task, 'transient', now);
      else if (task !== undefined) {
        agenda.succeeded(task, now);
        lists += 1;
      }
    }

    expect(lists).toBeGreaterThan(350);
  });

  test('does not slow the check list down either if there are several', () => {
    const failing = [
      { name: 'maintenance', intervalSeconds: 300, cost: 2, isStatus: true },
      { name: 'average', intervalSeconds: 3600, items: 40, cost: 3 },
      { name: 'performance', intervalSeconds: 3600, items: 40 },
    ] as const;
    const agenda = agendaWith([checks, ...failing], undefined, 3600);
    let lists = 0;
    for (let now = 0; now < 4 * hour; now += second) {
      for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
        if (task.dataset === 'checks') {
          agenda.succeeded(task, now);
          lists += 1;
        } else agenda.failed(task, 'transient', now, { ofService: true });
      }
    }

    expect(lists).toBeGreaterThan(235);
  });

  test('is read for events after all others', () => {
    const analyses = { name: 'analyses', intervalSeconds: 7 * 86_400, items: 100 } as const;
    const rate = { requestsPerSecond: 16 / 3600, burst: 20 };
    const agenda = agendaWith([checks, { ...outages, items: 100 }, analyses], rate, 0);
    const waiting = new Map<ItemId, number>();
    for (let now = 0; now < 10 * 24 * hour; now += 30 * second) {
      if (now % (2 * hour) === 0) {
        const id = (now / (2 * hour)) % 100;
        waiting.set(id, now);
        for (const dataset of ['analyses', 'outages'] as const)
          agenda.expedite({ dataset, id }, now);
      }
      for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
        if (task.dataset === 'analyses') agenda.failed(task, 'transient', now);
        else {
          agenda.succeeded(task, now);
          if (task.dataset === 'outages') waiting.delete(task.id);
        }
      }
      for (const [id, since] of waiting) {
        if (now - since > 600 * second) throw new Error(`${id} waits after ${now / hour} h`);
      }
    }
  });
});
