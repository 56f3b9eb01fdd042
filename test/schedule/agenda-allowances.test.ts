import { describe, expect, test } from 'vitest';
import { Agenda, type AgendaTask } from '../../src/schedule/agenda.ts';
import {
  agendaWith,
  checks,
  planOf,
  plenty,
  type Row,
  results,
  slotsById,
} from './support/agenda-with.ts';

describe('what may be sent at once', () => {
  const rows: Row[] = [checks, { ...results, items: 100 }];
  const old = 7200;
  /** The number of refreshes that are sent at this moment. */
  const takeAll = (agenda: Agenda, now: number) => {
    let taken = 0;
    for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
      taken += 1;
      agenda.succeeded(task, now);
    }
    return taken;
  };

  test('is a burst at the first start', () => {
    const agenda = agendaWith(rows, plenty, old);
    expect(agenda.allowances(0)).toEqual({
      status: 5,
      event: 100,
      background: 5,
      firstSight: 0,
    });
    expect(takeAll(agenda, 0)).toBe(1 + 5);
    expect(agenda.allowances(0)).toEqual({
      status: 4,
      event: 100,
      background: 0,
      firstSight: 0,
    });
  });

  test('is half of a burst for requests that can wait', () => {
    const agenda = agendaWith(rows, plenty, old);
    let taken = 0;
    while (agenda.takeSpareEvent(0)) taken += 1;
    expect(taken).toBe(51);
    expect(agenda.takeEvent('results', 0)).toBe(true);
  });

  const deeper = (items: number, intervalSeconds: number): Row => ({
    name: 'history',
    items,
    intervalSeconds,
    isOnce: true,
    isDeeper: true,
  });

  test('is the rest of the credit of first sight for a past beyond 35 days, after all that lacks data', () => {
    const credited = { ...plenty, credit: 240 };
    const agenda = agendaWith([{ ...results, items: 3 }, deeper(10, 36_000)], credited);
    const order: string[] = [];
    for (let task = agenda.next(0); task !== undefined; task = agenda.next(0)) {
      order.push(task.dataset);
      agenda.succeeded(task, 0);
    }
    expect(order).toEqual([...Array(3).fill('results'), ...Array(10).fill('history')]);
    expect(agenda.allowances(0)?.firstSight).toBe(240 - 13);
  });

  test('pays for each part of a past beyond 35 days, one item after the other', () => {
    const agenda = agendaWith([deeper(2, 3_600)], plenty, old);
    const parts = [3, 3];
    const order: unknown[] = [];
    for (let now = 0; now < 36_000_000; now += 60_000) {
      for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
        order.push(task.id);
        const place = Number(task.id);
        parts[place] = (parts[place] ?? 0) - 1;
        agenda.succeeded(task, now, (parts[place] ?? 0) > 0);
      }
    }
    expect(order).toHaveLength(6);
    expect(order.slice(0, 3)).toEqual(Array(3).fill(order[0]));
    expect(new Set(order.slice(3))).toEqual(new Set([1 - Number(order[0])]));
  });

  test('is the planned rate for a past beyond 35 days while other items are always due', () => {
    const always = { ...results, items: 10_000, intervalSeconds: 36_000 };
    const agenda = agendaWith([always, deeper(10, 36_000)], plenty, old);
    let done = 0;
    for (let now = 0; now <= 5 * 3_600_000; now += 60_000) {
      for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
        if (task.dataset === 'history') done += 1;
        agenda.succeeded(task, now);
      }
    }
    expect(done).toBe(5);
  });

  test('is spent on an item again when its past beyond 35 days is wanted after it was read or refused', () => {
    const history = { ...deeper(2, 3_600), intervalSeconds: 60 };
    const agenda = agendaWith([history], plenty, old);
    const read = (now: number) => agenda.next(now)?.id;
    const wanted = [0, 1].map((id) => ({ id, isDeeper: true as const }));
    for (let turn = 0; turn < 2; turn++) {
      const start = turn * 3_600_000;
      const first = agenda.next(start + 600_000);
      const second = agenda.next(start + 1_200_000);
      if (first === undefined || second === undefined) throw new Error('nothing is read');
      agenda.succeeded(first, start + 600_000);
      agenda.skipped(second, start + 1_200_000);
      expect(read(start + 1_800_000)).toBeUndefined();
      // First sight still lacks the item that was refused.
      if (turn === 0) agenda.reconcile('history', [{ id: second.id }], start + 2_400_000);
      agenda.reconcile('history', wanted, start + 2_400_000);
    }
    expect(read(7_200_000)).toBeDefined();
  });

  test('is learnt with the short window, and is whole then', () => {
    const agenda = agendaWith(rows, { requestsPerSecond: 1, burst: 1, isGuess: true }, old);
    expect(agenda.allowances(0)?.event).toBe(1);
    agenda.applyPlan(planOf(...rows), plenty, 1000);
    expect(agenda.allowances(1000)?.event).toBe(100);
    agenda.takeEvent('results', 1000);
    agenda.applyPlan(planOf(...rows), plenty, 1000);
    expect(agenda.allowances(1000)?.event).toBe(99);
  });

  describe('at first sight', () => {
    const past: Row = { name: 'history', intervalSeconds: 36_000, items: 300, isOnce: true };
    const pasts = Array.from({ length: 300 }, (_, id) => ({ dataset: 'history' as const, id }));
    const credited = { ...plenty, credit: 240 };
    const tasks = (agenda: Agenda, now: number) => {
      const taken: AgendaTask[] = [];
      for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
        taken.push(task);
      }
      return taken;
    };

    test('is a credit, in the order that was asked for and behind every event', () => {
      const agenda = agendaWith([...rows, past], credited, 60);
      agenda.placeFirst(pasts.toReversed(), 0);
      expect(agenda.expedite({ dataset: 'results', id: 99 }, 0)).toBe(true);
      const [event, ...first] = tasks(agenda, 0).filter(({ reason }) => reason === 'event');
      expect(event).toMatchObject({ dataset: 'results', id: 99 });
      expect(first).toHaveLength(240);
      expect(first.map(({ id }) => id)).toEqual(first.map((_, place) => 299 - place));
      // Events keep their burst.
      expect(agenda.allowances(0)).toMatchObject({ event: 99, firstSight: 0 });
    });

    test('is given once, and what is read of an outage waits for its report', () => {
      const agenda = agendaWith([...rows, past], credited, 60);
      const [report] = pasts;
      if (report === undefined) throw new Error('there is no past');
      agenda.placeFirst([report, { dataset: 'results', id: 0 }], 0);
      const [task, ...others] = tasks(agenda, 0).filter(({ reason }) => reason === 'event');
      expect(task).toMatchObject(report);
      expect(others).toEqual([]);
      if (task !== undefined) agenda.succeeded(task, 0);
      expect(agenda.next(0)).toMatchObject({ dataset: 'results', id: 0, reason: 'event' });
      agenda.applyPlan(planOf(...rows, past), credited, 1000);
      expect(agenda.allowances(1000)?.firstSight).toBe(238);
    });

    test('gets what the credit left to events, once they have not needed it', () => {
      const agenda = agendaWith([...rows, past], { ...credited, credit: 192, kept: 48 }, 60);
      agenda.placeFirst(pasts, 0);
      const isEvent = ({ reason }: AgendaTask) => reason === 'event';
      expect(tasks(agenda, 0).filter(isEvent)).toHaveLength(192);
      for (const [minute, credit, freed] of [
        [10, 0, 0],
        [30, 24, 24],
        [70, 192, 24],
        [80, 192, 0],
      ] as const) {
        agenda.applyPlan(planOf(...rows, past), { ...credited, credit, kept: 48 }, minute * 60_000);
        expect(tasks(agenda, minute * 60_000).filter(isEvent)).toHaveLength(freed);
      }
    });

    test('gets no more than the present credit, whatever it has not spent', () => {
      const agenda = agendaWith([past], { ...credited, credit: 192, kept: 48 }, 60);
      agenda.applyPlan(planOf(past), { ...credited, credit: 200, kept: 48 }, 0);
      expect(agenda.allowances(0)?.firstSight).toBe(200);
    });

    test('pays for the first data of every dataset once all that it asks for was sent', () => {
      const agenda = agendaWith([{ ...results, items: 100 }], credited);
      expect(tasks(agenda, 0)).toHaveLength(100);
      expect(agenda.allowances(0)?.firstSight).toBe(140);
    });

    test('survives a restart', () => {
      const agenda = new Agenda(() => 1, slotsById);
      agenda.restore({ status: 1, event: 2, background: 0, firstSight: 7 }, 30, 0);
      agenda.applyPlan(planOf(...rows), credited, 0);
      expect(agenda.allowances(0)?.firstSight).toBe(7);
    });

    test('pays after a restart once a refresh has succeeded, first for what it asks for itself', () => {
      const agenda = new Agenda(() => 1, slotsById);
      agenda.restore({ status: 1, event: 2, background: 1, firstSight: 100 }, 0, 0);
      agenda.applyPlan(planOf({ ...results, items: 20 }, past), credited, 0);
      const items = Array.from({ length: 20 }, (_, id) => ({ id }));
      agenda.reconcile('results', items, 0);
      agenda.reconcile('history', items, 0);
      agenda.placeFirst(pasts.slice(0, 20), 0);
      const background = agenda.next(0);
      expect(background).toMatchObject({ dataset: 'results' });
      expect(tasks(agenda, 0)).toEqual([]);
      if (background !== undefined) agenda.succeeded(background, 0);
      const paid = tasks(agenda, 0).map(({ dataset }) => dataset);
      expect(paid.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'history'));
      expect(paid.slice(20)).toEqual(Array.from({ length: 19 }, () => 'results'));
    });

    test('pays again for a report that did not tell all, after ten minutes', () => {
      const agenda = agendaWith([past], credited, 60);
      const [first] = pasts;
      if (first === undefined) throw new Error('there is no past');
      agenda.placeFirst([first], 0);
      const task = agenda.next(0);
      if (task !== undefined) agenda.succeeded(task, 0);
      agenda.placeFirst([first], 599_000);
      expect(agenda.next(599_000)).toBeUndefined();
      agenda.placeFirst([first], 600_000);
      expect(agenda.next(600_000)).toMatchObject(first);
    });

    test('is not spent again on what was refused', () => {
      const agenda = agendaWith([past], credited, 60);
      agenda.placeFirst(pasts.slice(0, 1), 0);
      const task = agenda.next(0);
      expect(task).toMatchObject({ dataset: 'history', id: 0 });
      if (task !== undefined) agenda.skipped(task, 0);
      agenda.placeFirst(pasts.slice(0, 1), 0);
      expect(agenda.next(0)).toBeUndefined();
      expect(agenda.figures.firstSight(0)).toMatchObject({ refused: 1, others: 0 });
    });

    test('is spent once more a week after a refusal, which may have had a passing reason', () => {
      const agenda = agendaWith([past], credited, 60);
      agenda.placeFirst(pasts.slice(0, 1), 0);
      const task = agenda.next(0);
      if (task === undefined) throw new Error('the past is not requested');
      agenda.skipped(task, 0);
      const week = 7 * 86_400_000;

      agenda.placeFirst(pasts.slice(0, 1), week - 1);
      expect(agenda.next(week - 1)).toBeUndefined();
      agenda.placeFirst(pasts.slice(0, 1), week);
      expect(agenda.next(week)).toMatchObject({ dataset: 'history', id: 0 });
    });
  });

  test('is what a previous process has left, and what came in since', () => {
    const agenda = new Agenda(() => 1, slotsById);
    agenda.restore({ status: -1, event: 2, background: 0 }, 30, 0);
    expect(agenda.allowances(0)).toBeUndefined();

    agenda.applyPlan(planOf(...rows), plenty, 0);

    // 30 s bring 30 / 60 requests of the list and 30 / 36 of the results, plus a tenth of each.
    const { status, event, background } = agenda.allowances(0) ?? {};
    expect(status).toBeCloseTo(-0.45);
    expect(event).toBe(32);
    expect(background).toBeCloseTo(0.9167, 3);
    for (const { name, items = 1 } of rows) {
      const known = Array.from({ length: items }, (_, id) => ({ id, ageSeconds: old }));
      agenda.reconcile(name, known, 0);
    }
    expect(takeAll(agenda, 0)).toBe(0);
    expect(agenda.nextDueIn(0)).toBeGreaterThan(0);
    expect(takeAll(agenda, agenda.nextDueIn(0))).toBe(1);
  });
});
