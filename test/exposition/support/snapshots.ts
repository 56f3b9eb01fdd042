import type { BudgetView } from '../../../src/budget/budget-view.ts';
import type { Check } from '../../../src/domain/check.ts';
import type { AccountSnapshot } from '../../../src/state/account-snapshot.ts';

export function aCheck(fields: Partial<Check> = {}): Check {
  return { id: 1, name: 'shop', type: 'http', status: 'up', tags: [], ...fields };
}

export function aSnapshot(fields: Partial<AccountSnapshot> = {}): AccountSnapshot {
  return {
    account: 'main',
    apiVersion: '3.1',
    baseUrl: 'https://api.example.com',
    up: true,
    datasets: {
      checks: { intervalSeconds: 60, stale: false },
      credits: { intervalSeconds: 900, stale: false },
    },
    ...fields,
  };
}

/** A budget of which the service has spoken of the short window only. */
export const aBudget: BudgetView = {
  mode: 'headers',
  windows: { short: { limit: 400, remaining: 390, reserve: 80, resetSeconds: 1800.4 } },
  requestsPerSecond: 0.025,
  paused: false,
  inFlight: 2,
};

/** A check with every field set, whose values differ from check to check. */
export function fullCheck(id: number): Check {
  return aCheck({
    id,
    name: `check ${id}`,
    hostname: `host-${id}.example.com`,
    severity: 'high',
    ipv6: false,
    tags: [{ name: 'shop', source: 'user' }],
    resolutionSeconds: 60,
    createdAtSeconds: 1_600_000_000 + id,
    lastTestAtSeconds: 1_700_000_000 + id,
    lastErrorAtSeconds: 1_690_000_000 + id,
    lastDownStartAtSeconds: 1_680_000_000 + id,
    lastDownEndAtSeconds: 1_680_000_600 + id,
    lastResponseTimeSeconds: 0.25 + id / 1000,
  });
}
