import { expect, test } from 'vitest';
import { MonthCalendar } from '../../src/lib/month-calendar.ts';
import type { Mutable } from '../../src/lib/present.ts';
import { NamesOfThen } from '../../src/months/names-of-then.ts';
import { GroupPolicy, type SloPolicy } from '../../src/slo/groups.ts';
import { ObjectivePolicy } from '../../src/slo/objectives.ts';
import type { ListedItem } from '../../src/state/leaving.ts';
import type { Policies } from '../../src/state/standing/policies.ts';
import { SkewedClock } from '../support/skewed-clock.ts';
import { checkWith } from '../support/snapshots.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

const calendar = new MonthCalendar('UTC');
const monthOf = (time: string) => calendar.containing(Date.parse(time) / 1000);
const [october, november] = [monthOf('2026-10-10T00:00Z'), monthOf('2026-11-10T00:00Z')];
const totals = { states: { startSeconds: 0 } };
const before = checkWith({ id: 1, name: 'before' });

function sloOf(defaultRatio: number): SloPolicy {
  const fits = () => false;
  return {
    objectives: new ObjectivePolicy({ defaultRatio, fits }),
    groups: new GroupPolicy({ fits }),
  };
}

function namesAt(seconds: number, defaultRatio = 0.99) {
  const policies = { calendar, slo: sloOf(defaultRatio) } as Mutable<Policies>;
  const serviceClock = new SkewedClock(new VirtualClock(1000 * seconds));
  const names = new NamesOfThen({ policies, serviceClock });
  return { policies, names, serviceClock };
}

test('names stay of a month that ends while the one before it is written', () => {
  const { names } = namesAt(november.toSeconds + 10);
  const item = { entry: { ...before, name: 'after' }, totals, details: {} } as ListedItem;
  const nameIn = (month: typeof november) => names.subjectOf('check', item, month).name;
  names.relabelled('check', [before]);
  names.forget(october.toSeconds);
  expect(nameIn(november)).toBe('before');
  names.forget(november.toSeconds);
  expect(nameIn(november)).toBe('after');
});

test('objectives are those of then at once after a reload, also for a month that is being sealed', () => {
  const { names, policies } = namesAt(october.toSeconds + 10);
  const item = { entry: before, totals, details: {} } as ListedItem;
  const objectiveIn = (month: typeof november) => names.subjectOf('check', item, month).objective;
  policies.slo = sloOf(0.999);
  expect([objectiveIn(october), objectiveIn(november)]).toEqual([0.99, 0.999]);
});

test('objectives are those of then after a restart, also if the clock is set only after it', () => {
  const { names: stored } = namesAt(october.fromSeconds);
  const { names, serviceClock } = namesAt(0, 0.999);
  names.restore(stored.takeChange());
  serviceClock.stepWall(1000 * (october.toSeconds + 10));
  const item = { entry: before, totals, details: {} } as ListedItem;
  expect(names.subjectOf('check', item, october).objective).toBe(0.99);
});
