import { describe, expect, test } from 'vitest';
import { nameOf } from '../../../src/backfill/command/judge.ts';
import { pastItemSchema } from '../../../src/backfill/series/past-item.ts';

function itemNamed(name: string) {
  const labels = { name };
  const times = { firstSeenSeconds: 1_800_000_000, maintenance: [] };
  return pastItemSchema.parse({ kind: 'check', id: 5, labels, labelsNow: labels, ...times });
}

describe('an item of the backfill', () => {
  test.each([
    ['\u202eevil\u202c', '\ufffdevil\ufffd'],
    ['half \ud83d', 'half \ufffd'],
    ['x'.repeat(2_000), 'x'.repeat(1_000)],
    ['two\nlines "and" \\', 'two\nlines "and" \\'],
  ])('named %j has the label %j, as its live series', (name, label) => {
    expect(itemNamed(name).labels).toEqual({ name: label });
    expect(itemNamed(name).labelsNow).toEqual({ name: label });
  });

  test('is named on the terminal without control characters', () => {
    expect(nameOf(itemNamed('\u001b]0;title\u0007 two\nlines'))).toBe(
      'check 5 (\ufffd]0;title\ufffd two\ufffdlines)',
    );
  });
});
