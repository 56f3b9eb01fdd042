import { describe, expect, test } from 'vitest';
import { datasetPolicies } from '../../src/domain/dataset.ts';
import { Agenda } from '../../src/schedule/agenda.ts';
import { agendaWith, checks, planOf, plenty, type Row, results } from './support/agenda-with.ts';

describe('what may be sent at once', () => {
  const rows: Row[] = [checks, { ...results, items: 100 }];
  const old = 7200;
  /** How much is sent at this moment. */
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
    expect(agenda.allowances(0)).toEqual({ status: 5, event: 100, background: 5 });
    expect(takeAll(agenda, 0)).toBe(1 + 5);
    expect(agenda.allowances(0)).toEqual({ status: 4, event: 100, background: 0 });
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

  test('is half of the burst of events for what is asked for once, and none before an event', () => {
    const past: Row = { name: 'history', intervalSeconds: 36_000, items: 300 };
    const agenda = agendaWith([...rows, past], plenty, 60);
    expect(agenda.expedite({ dataset: 'results', id: 99 }, 0)).toBe(true);
    const taken = Array.from({ length: 300 }, () => agenda.next(0)).flatMap((task) => task ?? []);
    const events = taken.filter(({ reason }) => reason === 'event');
    expect(events[0]).toMatchObject({ dataset: 'results', id: 99 });
    expect(events).toHaveLength(50);
    expect(agenda.allowances(0)?.event).toBe(50);
    expect(agenda.expedite({ dataset: 'results', id: 98 }, 0)).toBe(true);
    expect(agenda.next(0)).toMatchObject({ dataset: 'results', id: 98 });
  });

  test('is not spent again and again on what is asked for once and is refused', () => {
    const past: Row = { name: 'history', intervalSeconds: 36_000, items: 1 };
    const agenda = agendaWith([past], plenty, 60);
    const task = agenda.next(0);
    expect(task).toMatchObject({ dataset: 'history', id: 0 });
    if (task !== undefined) agenda.skipped(task, 0);
    agenda.reconcile('history', [{ id: 0 }], 0);
    expect(agenda.next(0)).toBeUndefined();
  });

  test('is what a former process has left, and what came in since', () => {
    const agenda = new Agenda({ random: () => 1, policies: datasetPolicies });
    agenda.restore({ status: -1, event: 2, background: 0 }, 30, 0);
    expect(agenda.allowances(0)).toBeUndefined();

    agenda.applyPlan(planOf(...rows), plenty, 0);

    // In 30 s come 30 / 60 requests of the list and 30 / 36 of the results, each and a tenth more.
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
