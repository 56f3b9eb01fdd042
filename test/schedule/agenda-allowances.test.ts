import { describe, expect, test } from 'vitest';
import { datasetPolicies } from '../../src/datasets/policies.ts';
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
