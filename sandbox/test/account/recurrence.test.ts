import { expect, test } from 'vitest';
import { occurrenceSpans, type SandboxRecurrence } from '../../src/account/maintenance-schedule.ts';
import fc from '../support/fast-check.ts';

const day = 86_400;
const at = (text: string) => Date.parse(`${text}Z`) / 1000;
const once = (from: string, to: string): SandboxRecurrence => ({
  from: at(from),
  to: at(to),
  recurrencetype: 'none',
  repeatevery: 0,
  effectiveto: at(to),
});
const starts = (recurrence: SandboxRecurrence) =>
  occurrenceSpans(recurrence).map(({ from }) => new Date(from * 1000).toISOString().slice(0, 16));

test('without recurrence there is one occurrence, however long the window is in effect', () => {
  const window = once('2026-03-01T10:00', '2026-03-01T11:00');

  expect(occurrenceSpans({ ...window, effectiveto: window.to + 90 * day })).toEqual([
    { from: window.from, to: window.to },
  ]);
});

test.each<[string, Partial<SandboxRecurrence>, string, string[]]>([
  [
    'every day',
    { recurrencetype: 'day', repeatevery: 1 },
    '2026-03-03T11:00',
    ['2026-03-01T10:00', '2026-03-02T10:00', '2026-03-03T10:00'],
  ],
  [
    'every day when no number is said',
    { recurrencetype: 'day' },
    '2026-03-02T11:00',
    ['2026-03-01T10:00', '2026-03-02T10:00'],
  ],
  [
    'every third day, but none that ends too late',
    { recurrencetype: 'day', repeatevery: 3 },
    '2026-03-07T10:59',
    ['2026-03-01T10:00', '2026-03-04T10:00'],
  ],
  [
    'every other week',
    { recurrencetype: 'week', repeatevery: 2 },
    '2026-04-01T00:00',
    ['2026-03-01T10:00', '2026-03-15T10:00', '2026-03-29T10:00'],
  ],
  [
    'every month',
    { recurrencetype: 'month', repeatevery: 1 },
    '2026-05-15T00:00',
    ['2026-03-01T10:00', '2026-04-01T10:00', '2026-05-01T10:00'],
  ],
])('%s', (_what, fields, end, expected) => {
  const window = once('2026-03-01T10:00', '2026-03-01T11:00');

  expect(starts({ ...window, ...fields, effectiveto: at(end) })).toEqual(expected);
});

test('a month that is too short gets its last day, and the next long one the right day again', () => {
  const window = once('2027-12-31T23:30', '2028-01-01T00:30');
  const recurrence = { ...window, recurrencetype: 'month', repeatevery: 1 } as const;

  expect(starts({ ...recurrence, effectiveto: at('2028-04-01T00:30') })).toEqual([
    '2027-12-31T23:30',
    '2028-01-31T23:30',
    '2028-02-29T23:30',
    '2028-03-31T23:30',
  ]);
});

const recurrences = fc
  .record({
    from: fc.integer({ min: 1_000_000_000, max: 2_000_000_000 }),
    length: fc.integer({ min: 1, max: 3 * day }),
    recurrencetype: fc.constantFrom('none', 'day', 'week', 'month'),
    repeatevery: fc.nat(12),
    effect: fc.nat(3 * 365 * day),
  })
  .map(({ from, length, effect, ...rest }) => {
    return {
      ...rest,
      from,
      to: from + length,
      effectiveto: from + length + effect,
    } as SandboxRecurrence;
  });

test('occurrences are as long as the first, at its time of day, in order, and end in time', () => {
  fc.assert(
    fc.property(recurrences, (recurrence) => {
      const spans = occurrenceSpans(recurrence);

      expect(spans[0]).toEqual({ from: recurrence.from, to: recurrence.to });
      for (const [position, { from, to }] of spans.entries()) {
        expect(to - from).toBe(recurrence.to - recurrence.from);
        expect((from - recurrence.from) % day).toBe(0);
        expect(to).toBeLessThanOrEqual(recurrence.effectiveto);
        if (position > 0) expect(from).toBeGreaterThan(spans[position - 1]?.from ?? 0);
      }
    }),
  );
});

test('steps of days and weeks are even, those of months stay on their day or the last one', () => {
  fc.assert(
    fc.property(recurrences, (recurrence) => {
      const { recurrencetype, from: first } = recurrence;
      const every = Math.max(1, recurrence.repeatevery);
      const dayOfMonth = (time: number) => new Date(time * 1000).getUTCDate();
      for (const [position, { from }] of occurrenceSpans(recurrence).entries()) {
        if (recurrencetype === 'day') expect(from).toBe(first + position * every * day);
        if (recurrencetype === 'week') expect(from).toBe(first + position * every * 7 * day);
        if (recurrencetype !== 'month') continue;
        const lastDay = dayOfMonth(from + day) === 1;
        expect(dayOfMonth(from) === dayOfMonth(first) || lastDay).toBe(true);
        const date = new Date(from * 1000);
        const start = new Date(first * 1000);
        const months = (each: Date) => 12 * each.getUTCFullYear() + each.getUTCMonth();
        expect(months(date) - months(start)).toBe(position * every);
      }
    }),
  );
});

test('none is left out: the next one would end too late', () => {
  fc.assert(
    fc.property(recurrences, (recurrence) => {
      fc.pre(recurrence.recurrencetype === 'day' || recurrence.recurrencetype === 'week');
      const step =
        Math.max(1, recurrence.repeatevery) * (recurrence.recurrencetype === 'day' ? 1 : 7) * day;
      const last = occurrenceSpans(recurrence).at(-1);

      expect((last?.to ?? 0) + step).toBeGreaterThan(recurrence.effectiveto);
    }),
  );
});
