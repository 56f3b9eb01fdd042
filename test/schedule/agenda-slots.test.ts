import { expect, test } from 'vitest';
import { Agenda, type AgendaTask } from '../../src/schedule/agenda.ts';
import { type Slot, Slots } from '../../src/state/items/slots.ts';
import fc from '../support/fast-check.ts';
import { hour, planOf, plenty, results, second, take } from './support/agenda-with.ts';

/** An agenda of items that come and go, each in the slot that is free. */
function setUp() {
  const slots = new Slots();
  const listed = new Map<number, Slot>();
  const items = { slotOf: (id: number) => listed.get(id) };
  const agenda = new Agenda(() => 0.5, { checks: items, transactions: items });
  agenda.applyPlan(planOf(results), plenty, 0);
  /** The list changes. The agenda learns of it by `reconcile`. */
  const list = (...ids: readonly number[]) => {
    for (const [id, slot] of listed) {
      if (ids.includes(id)) continue;
      listed.delete(id);
      slots.free(slot);
    }
    for (const id of ids) if (!listed.has(id)) listed.set(id, slots.take());
  };
  const reconcile = (now: number) =>
    agenda.reconcile(
      'results',
      Array.from(listed.keys(), (id) => ({ id })),
      now,
    );
  return { agenda, list, reconcile, listed };
}

const dueIn = (agenda: Agenda, id: number, now: number) =>
  agenda.figures.dueInSeconds('results', id, now);

test.each(['before', 'after'] as const)(
  'a response that arrives late, %s the agenda knows of the change, is not that of the item in the slot',
  (when) => {
    const { agenda, list, reconcile, listed } = setUp();
    list(1);
    reconcile(0);
    const late = take(agenda, 0);
    const slot = listed.get(1)?.slot;
    list();
    list(2);
    expect(listed.get(2)?.slot).toBe(slot);

    if (when === 'before') agenda.succeeded(late, 0);
    reconcile(second);
    if (when === 'after') agenda.succeeded(late, 0);

    expect(dueIn(agenda, 1, second)).toBeUndefined();
    expect(dueIn(agenda, 2, second)).toBe(0);
    expect(take(agenda, second)).toMatchObject({ id: 2 });
  },
);

test.each(['failed', 'postponed'] as const)(
  'what has %s and left does not come back in the slot of another item',
  (how) => {
    const { agenda, list, reconcile } = setUp();
    list(1);
    reconcile(0);
    const task = take(agenda, 0);
    if (how === 'failed') agenda.failed(task, 'transient', 0);
    else agenda.postponed(task, 60 * second);
    list();
    list(2);
    reconcile(second);
    agenda.succeeded(take(agenda, second), second);

    expect(agenda.figures.counts()).toMatchObject({ retrying: 0, running: 0 });
    expect(agenda.next(600 * second)).toBeUndefined();
  },
);

test('an item that returns in another slot while it runs is not run twice', () => {
  const { agenda, list, reconcile } = setUp();
  list(1, 2);
  reconcile(0);
  const tasks = [take(agenda, 0), take(agenda, 0)];
  list(3);
  list(3, 2, 1);
  reconcile(second);
  expect(take(agenda, second).id).toBe(3);
  expect(agenda.next(second)).toBeUndefined();

  for (const task of tasks) agenda.succeeded(task, 0);

  expect(dueIn(agenda, 1, second)).toBeGreaterThan(0);
  expect(dueIn(agenda, 2, second)).toBeGreaterThan(0);
});

const act = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ do: 'next' as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('end' as const), how: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), s: fc.nat(1800) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('list' as const), ids: fc.uniqueArray(fc.nat(8)) }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'reconcile' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('raise' as const), id: fc.nat(8) }) },
);

test('for any arrivals and departures, every listed item waits, runs or is retried, once', () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 10, maxLength: 150, size: 'max' }), (acts) => {
      const { agenda, list, reconcile, listed } = setUp();
      const running = new Map<number, AgendaTask>();
      let now = 0;
      for (const step of acts) {
        if (step.do === 'wait') now += step.s * second;
        if (step.do === 'list') list(...step.ids);
        if (step.do === 'raise') agenda.expedite({ dataset: 'results', id: step.id }, now);
        if (step.do === 'reconcile') reconcile(now);
        if (step.do === 'next') {
          const task = agenda.next(now);
          if (task === undefined) continue;
          expect(running.has(Number(task.id))).toBe(false);
          running.set(Number(task.id), task);
        }
        if (step.do === 'end') {
          const [id, task] = [...running][0] ?? [];
          if (id === undefined || task === undefined) continue;
          running.delete(id);
          if (step.how === 0) agenda.succeeded(task, now);
          if (step.how === 1) agenda.failed(task, 'transient', now, { ofService: true });
          if (step.how === 2) agenda.postponed(task, now + second);
          if (step.how === 3) agenda.skipped(task, now);
        }
        expect(agenda.figures.counts().running).toBe(running.size);
      }
      reconcile(now);
      for (const [id, task] of running) {
        agenda.succeeded(task, now);
        running.delete(id);
      }
      agenda.retryNow();
      const { classes, retrying } = agenda.figures.counts();
      expect([classes.background, retrying]).toEqual([listed.size, 0]);
      const read = new Set<number>();
      for (now += 2 * hour; read.size < listed.size; now += hour) {
        for (let task = agenda.next(now); task !== undefined; task = agenda.next(now)) {
          read.add(Number(task.id));
          agenda.succeeded(task, now);
        }
      }
      expect([...read].sort()).toEqual([...listed.keys()].sort());
    }),
    { numRuns: 300 },
  );
});

test('what is read of the account and of the check in the first slot is read apart', () => {
  const slots = new Slots();
  const listed = new Map([[7, slots.take()]]);
  const items = { slotOf: (id: number) => listed.get(id) };
  const agenda = new Agenda(() => 0.5, { checks: items, transactions: items });
  const pasts = { name: 'history', intervalSeconds: 60, items: 2, isDeeper: true } as const;
  agenda.applyPlan(planOf(pasts), plenty, 0);
  agenda.reconcile(
    'history',
    [
      { id: 7, isDeeper: true },
      { id: 'account', isDeeper: true },
    ],
    0,
  );

  const ids = [take(agenda, hour).id, take(agenda, hour).id];
  expect(new Set(ids)).toEqual(new Set([7, 'account']));
});
