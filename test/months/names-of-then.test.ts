import { expect, test } from 'vitest';
import { MonthCalendar } from '../../src/lib/month-calendar.ts';
import { NamesOfThen } from '../../src/months/names-of-then.ts';
import { GroupPolicy } from '../../src/slo/groups.ts';
import { ObjectivePolicy } from '../../src/slo/objectives.ts';
import type { ListedItem } from '../../src/state/leaving.ts';
import { checkWith } from '../support/snapshots.ts';

const calendar = new MonthCalendar('UTC');
const [october, november] = ['2026-10-10T00:00Z', '2026-11-10T00:00Z'].map((time) =>
  calendar.containing(Date.parse(time) / 1000),
);

test('names stay of a month that ends while the one before it is written', () => {
  if (october === undefined || november === undefined) throw new Error('no months');
  const fits = () => false;
  const slo = { objectives: new ObjectivePolicy({ fits }), groups: new GroupPolicy({ fits }) };
  const names = new NamesOfThen({ policies: { calendar, slo } as never });
  const before = checkWith({ id: 1, name: 'before' });
  const totals = { states: { startSeconds: 0 } };
  const item = { entry: { ...before, name: 'after' }, totals, details: {} } as ListedItem;
  const nameIn = (month: typeof november) => names.subjectOf('check', item, month).name;
  names.relabelled('check', [before], november.toSeconds + 10);
  names.forget(october.toSeconds);
  expect(nameIn(november)).toBe('before');
  names.forget(november.toSeconds);
  expect(nameIn(november)).toBe('after');
});
