import { type Check, checkTypes } from '../../src/domain/check.ts';
import { hashUnit } from '../../src/lib/random.ts';
import type { AccountSnapshot } from '../../src/state/account-snapshot.ts';

const teams = ['shop', 'search', 'payments', 'identity', 'platform', 'data'];
const nowSeconds = 1_767_614_400;

/** Checks as a large account has them, the same at every run: all fields set, five tags, one in a hundred down. */
export function manyChecks(count: number): Check[] {
  return Array.from({ length: count }, (_, index) => oneCheck(5_000_000 + index * 7, index));
}

/** The same checks one minute later: each was tested again. */
export function testedAgain(checks: readonly Check[]): Check[] {
  return checks.map((check) => ({
    ...check,
    lastTestAtSeconds: (check.lastTestAtSeconds ?? 0) + 60,
    lastResponseTimeSeconds: responseTime(check.id + 1),
  }));
}

/** The checks with those of some places gone down. */
export function withDown(checks: readonly Check[], isDown: (index: number) => boolean): Check[] {
  return checks.map((check, index) =>
    isDown(index)
      ? {
          ...check,
          status: 'down',
          lastErrorAtSeconds: nowSeconds + 60,
          lastDownStartAtSeconds: nowSeconds + 60,
        }
      : check,
  );
}

export function snapshotOf(checks: readonly Check[]): AccountSnapshot {
  return {
    account: 'main',
    apiVersion: '3.1',
    baseUrl: 'https://api.example.com',
    up: true,
    checks,
    credits: { checkLimit: 30_000, checksAvailable: 5_000, smsAvailable: 100 },
    datasets: {
      checks: { intervalSeconds: 60, stale: false },
      credits: { intervalSeconds: 900, stale: false },
    },
  };
}

function oneCheck(id: number, index: number): Check {
  const team = teams[index % teams.length] ?? 'shop';
  const host = `${team}-${index}.example.com`;
  return {
    id,
    name: `${team} front page ${index} (${host})`,
    type: checkTypes[index % checkTypes.length] ?? 'http',
    status: hashUnit(id) < 0.01 ? 'down' : 'up',
    hostname: host,
    severity: 'high',
    ipv6: false,
    tags: [
      { name: team, source: 'user' },
      { name: `tier-${index % 3}`, source: 'user' },
      { name: 'production', source: 'user' },
      { name: host, source: 'user' },
      { name: 'http', source: 'auto' },
    ],
    resolutionSeconds: 60,
    createdAtSeconds: 1_500_000_000 + index * 60,
    lastTestAtSeconds: nowSeconds - Math.floor(hashUnit(id, 1) * 60),
    lastErrorAtSeconds: nowSeconds - Math.floor(hashUnit(id, 2) * 1e6),
    lastDownStartAtSeconds: nowSeconds - Math.floor(hashUnit(id, 3) * 1e6),
    lastDownEndAtSeconds: nowSeconds - Math.floor(hashUnit(id, 4) * 1e6),
    lastResponseTimeSeconds: responseTime(id),
  };
}

function responseTime(seed: number): number {
  return Math.round(hashUnit(seed, 5) * 2000) / 1000;
}
