import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { statusJson } from '../src/http/home/status-json.ts';
import { accountsByState, healthySnapshot } from './support/snapshots.ts';

const root = join(import.meta.dirname, '..');
const document = readFileSync(join(root, 'docs', 'http.md'), 'utf8');

test('every name in the status for programs is explained', () => {
  const { snapshot } = accountsByState.stale;
  const json = statusJson({
    accounts: [
      {
        ...accountsByState.ok,
        snapshot: healthySnapshot({
          transactions: [{ id: 1, name: 'x', status: 'failing', kind: 'script', tags: [] }],
          datasets: snapshot.datasets,
        }),
        plan: {
          requestsPerSecond: 1,
          shortfall: { datasets: [], missingPerHour: 1, switchOff: [], enough: true },
        },
      },
      accountsByState.ok,
    ],
    replicas: {
      replica: 'a',
      isDatabaseUp: true,
      accounts: [
        {
          account: 'x',
          isHeld: true,
          holder: 'a',
          url: 'http://a',
          sinceSeconds: 1,
          remainingSeconds: 20,
          number: 1,
        },
      ],
    },
    version: '1.2.3',
    nowSeconds: 0,
  });

  for (const name of namesIn(json)) expect(document).toContain(`\`${name}`);
});

/**
 * The families that every account has, which excludes those that name a dataset, status or state.
 */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    if (name === 'by_status' || name === 'seconds') return [name];
    if (name === 'datasets' && !Array.isArray(item)) return [name, ...namesIn(Object.values(item))];
    return [name, ...namesIn(item)];
  });
}
