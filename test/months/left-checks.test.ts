import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { returnedStates } from '../../src/months/joined-months.ts';
import type { MonthRecord } from '../../src/months/month-record.ts';
import { monthStates } from '../../src/months/month-states.ts';
import { emptyLog } from '../../src/slo/state-log.ts';
import { check } from './support/drawn-life.ts';
import { application, day, monthsOf, record } from './support/october.ts';

const at = (text: string) => Date.parse(text) / 1000;

async function reportOf(month: string, records: readonly MonthRecord[]) {
  const app = request(application([monthsOf('account', records)]));
  const { body } = await app.get(`/report.json?month=${month}`);
  const { text } = await app.get(`/report.txt?month=${month}`);
  return { body, text };
}

describe('a check that left', () => {
  test.each([
    ['2026-10-31T23:59:59Z', '2026-10-31T23:59:59Z'],
    ['2026-11-01T00:00:00Z', undefined],
    ['2026-11-02T03:00:00Z', undefined],
  ])('at %s is shown as removed in that month alone', async (left, shown) => {
    const removed = record(1, 'shop', { removedAtSeconds: at(left) });
    const { body, text } = await reportOf('2026-10', [removed]);
    expect(body.items[0].removed).toBe(shown);
    expect(text.includes('removed')).toBe(shown !== undefined);
  });

  test.each([
    ['in the month', '2026-10-20T00:00:00Z', 'one began on 2026-09-28'],
    ['after the month', '2026-11-02T03:00:00Z', 'going on since 2026-09-28'],
  ])('%s has an outage that lasts no longer than it is known', async (_, left, words) => {
    const [fromSeconds, removedAtSeconds] = [at('2026-09-28T00:00Z'), at(left)];
    const outages = [{ fromSeconds, causes: [], maintenance: 'none' }] as const;
    const removed = record(1, 'shop', { removedAtSeconds, outages });
    const { text } = await reportOf('2026-10', [removed]);
    expect(text).toContain(words);
  });

  test('after the month, of which the rest was not counted, is not waited for', async () => {
    const groups = [{ name: 'all', ratio: 0.999 }];
    const { body, text } = await reportOf('2026-10', [
      record(1, 'shop', {
        ...{ groups, seconds: { up: 19 * day, down: 0, unknown: 0, unmonitored: 0 } },
        countedUntilSeconds: at('2026-10-20T00:00Z'),
        removedAtSeconds: at('2026-11-02T03:00Z'),
      }),
      record(2, 'other', { groups }),
    ]);
    expect(body.groups[0]).not.toHaveProperty('counted_until');
    expect(text).not.toContain('counted until');
  });

  test('after its last test was counted does not end the time until which others are counted', async () => {
    const seconds = (days: number) => ({ up: days * day, down: 0, unknown: 0, unmonitored: 0 });
    const { body, text } = await reportOf('2026-11', [
      record(1, 'shop', { seconds: seconds(3), removedAtSeconds: at('2026-11-04T00:00Z') }),
      record(2, 'other', {
        seconds: seconds(14),
        countedUntilSeconds: at('2026-11-15T00:00Z'),
      }),
    ]);
    expect(body.counted_until).toBe('2026-11-15T00:00:00Z');
    expect(text).toMatch(/^Counted until 2026-11-15 00:00 UTC/m);
    expect(text).not.toContain(', counted until');
  });
});

describe('a check that left and returned', () => {
  const month = { fromSeconds: at('2026-10-01T00:00Z'), toSeconds: at('2026-11-01T00:00Z') };
  const [leftAt, seenAt] = [at('2026-10-08T00:00Z'), at('2026-10-20T00:00Z')];
  const upBetween = (startSeconds: number, horizonSeconds: number) => ({
    states: { startSeconds, horizonSeconds, state: 'up' as const },
  });

  test.each([
    ['created before', month.fromSeconds - day],
    ['without a known creation', undefined],
  ])('was not watched while it was away, %s', (_, createdAtSeconds) => {
    const source = { ...check, createdAtSeconds };
    const known = upBetween(month.fromSeconds - day, leftAt);
    const left = monthStates({ ...source, known, removedAtSeconds: leftAt }, month);
    const returned = { ...source, known: upBetween(seenAt, month.toSeconds) };
    // Nothing of its past was read.
    const notRead = createdAtSeconds === undefined ? {} : { log: emptyLog(seenAt) };
    const later = { ...returned, known: { ...returned.known, ...notRead } };
    const joined = returnedStates(
      left,
      monthStates(later, month),
      monthStates(later, { ...month, toSeconds: leftAt }),
      { logFromSeconds: seenAt, removedAtSeconds: leftAt },
    );
    expect(joined.unwatched).toEqual([{ fromSeconds: leftAt, toSeconds: seenAt }]);
    expect(joined).not.toHaveProperty('firstSeenSeconds');
  });
});
