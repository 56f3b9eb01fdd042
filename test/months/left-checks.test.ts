import request from 'supertest';
import { describe, expect, test } from 'vitest';
import type { MonthRecord } from '../../src/months/month-record.ts';
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
