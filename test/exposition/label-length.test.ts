import { describe, expect, it } from 'vitest';
import { LabelPolicy } from '../../src/exposition/labels/label-policy.ts';
import type { CheckRow } from '../../src/state/snapshot.ts';
import { parseExposition } from '../support/openmetrics-parser.ts';
import { anExposition, textOf } from './support/exposing.ts';
import { aRenderer, parsePage } from './support/rendering.ts';
import { everyDataset, fullRow, fullSnapshot, fullTransaction } from './support/snapshots.ts';

/** Replaces every text of an object, at any depth, by a long one that begins with it. */
function lengthened<T>(value: T): T {
  if (typeof value === 'string') return `${value}${'—'.repeat(400)}` as T;
  if (Array.isArray(value)) return value.map(lengthened) as T;
  if (value === null || typeof value !== 'object' || value instanceof Map || value instanceof Set)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, lengthened(field)]),
  ) as T;
}

/** Every text is long, except those that decide what is shown. */
function longSnapshot() {
  const { datasets: _, ...snapshot } = lengthened(fullSnapshot());
  const checks: CheckRow[] = [{ ...lengthened(fullRow(1)), status: 'down', type: 'http' }];
  const transactions = [{ ...lengthened(fullTransaction(7)), status: 'failing' as const }];
  const tags = Array.from({ length: 50 }, (_, place) => `team:${place}${'ß'.repeat(30)}`);
  checks.push({ ...fullRow(2), tags: tags.map((name) => ({ name, source: 'user' })) });
  return {
    ...snapshot,
    apiVersion: '3.1' as const,
    checks,
    transactions,
    datasets: everyDataset(),
  };
}

describe('label values', () => {
  it('have at most 1,000 bytes in every family, and the longest are cut', async () => {
    const labels = new LabelPolicy({
      promote: [{ from: 'hostname' }, { from: 'team:*', as: 'owner' }],
    });
    const page = await aRenderer({ labels }).render([longSnapshot()]);
    const own = parseExposition(
      await textOf(await anExposition([longSnapshot()]).read('openmetrics', 'gzip')),
      'openmetrics',
    );

    const values = [...parsePage(page), ...own].flatMap(({ samples }) =>
      samples.flatMap((sample) => Object.values(sample.labels)),
    );

    const lengths = new Set(values.map((value) => Buffer.byteLength(value)));
    expect(Math.max(...lengths)).toBe(1_000);
    expect(values.filter((value) => value.includes('\ufffd'))).toEqual([]);
  });
});
