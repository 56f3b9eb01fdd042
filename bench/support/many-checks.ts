import { checkTypes } from '../../src/domain/check.ts';
import { datasetNames } from '../../src/domain/dataset.ts';
import type { ResultTotals } from '../../src/domain/tally.ts';
import { hashUnit } from '../../src/lib/random.ts';
import type { AccountSnapshot } from '../../src/state/account-snapshot.ts';
import { averageWindows, type CheckRow } from '../../src/state/check-row.ts';

/** Of the response-time histogram, in seconds: eleven finite buckets. */
export const responseTimeBounds = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 2, 5, 10, 30];

const teams = ['shop', 'search', 'payments', 'identity', 'platform', 'data'];
const nowSeconds = 1_767_614_400;

/** Checks as a large account has them, the same at every run: every dataset read, five tags, one in a hundred down. */
export function manyChecks(count: number): CheckRow[] {
  return Array.from({ length: count }, (_, index) => oneCheck(5_000_000 + index * 7, index));
}

/** The same checks one minute later: each was tested again, and its time in each state went on. */
export function testedAgain(checks: readonly CheckRow[]): CheckRow[] {
  return checks.map((check) => ({
    ...check,
    lastTestAtSeconds: (check.lastTestAtSeconds ?? 0) + 60,
    lastResponseTimeSeconds: responseTime(check.id + 1),
    availability: availability(check.id, 60),
  }));
}

/** The checks with those of some places gone down. */
export function withDown(
  checks: readonly CheckRow[],
  isAffected: (index: number) => boolean,
): CheckRow[] {
  return changed(checks, isAffected, {
    status: 'down',
    lastErrorAtSeconds: nowSeconds + 60,
    lastDownStartAtSeconds: nowSeconds + 60,
  });
}

/** The checks with new raw results of those of some places. */
export function withResults(
  checks: readonly CheckRow[],
  isAffected: (index: number) => boolean,
): CheckRow[] {
  return changed(checks, isAffected, { results: results(1) });
}

export function snapshotOf(checks: readonly CheckRow[]): AccountSnapshot {
  return {
    account: 'main',
    apiVersion: '3.1',
    baseUrl: 'https://api.example.com',
    up: true,
    checks,
    credits: { checkLimit: 30_000, checksAvailable: 5_000, smsAvailable: 100 },
    datasets: {
      checks: { stale: false },
      ...Object.fromEntries(datasetNames.map((name) => [name, { stale: false }])),
    },
  };
}

function changed(
  checks: readonly CheckRow[],
  isAffected: (index: number) => boolean,
  fields: Partial<CheckRow>,
): CheckRow[] {
  return checks.map((check, index) => (isAffected(index) ? { ...check, ...fields } : check));
}

function oneCheck(id: number, index: number): CheckRow {
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
      { name: `team:${team}`, source: 'user' },
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
    availability: availability(id, 0),
    results: results(id),
    analyses: index % 3,
    averages: averageWindows.map((window, place) => ({
      window,
      uptimeRatio: 1 - hashUnit(id, 6 + place) / 100,
      responseTimeSeconds: responseTime(id + place),
      byCountry: [],
    })),
    performance: {
      startAtSeconds: nowSeconds - 3600,
      complete: true,
      averageResponseTimeSeconds: responseTime(id + 3),
      upSeconds: 3600,
      downSeconds: 0,
      unmonitoredSeconds: 0,
    },
    settings: {
      responseTimeThresholdSeconds: 30,
      certificateWarningSeconds: 1_209_600,
      recipients: { user: 0, team: 1, integration: 1, contact: 2 },
    },
    maintenance: { active: false },
  };
}

function availability(id: number, laterSeconds: number) {
  const down = Math.floor(hashUnit(id, 9) * 10_000);
  return {
    seconds: { up: 1_000_000 + laterSeconds, down, unknown: 0, unmonitored: 0 },
    outages: Math.floor(down / 600),
    lastOutageDurationSeconds: 600,
  };
}

function results(seed: number): ResultTotals {
  const counts = Array.from({ length: responseTimeBounds.length + 1 }, (_, bucket) =>
    Math.floor(hashUnit(seed, 10 + bucket) * 8),
  );
  return {
    byStatus: { up: 1_400, down: 10, unconfirmed_down: 1, unknown: 0 },
    responseTime: { bounds: responseTimeBounds, counts, sumSeconds: responseTime(seed) * 1_400 },
  };
}

function responseTime(seed: number): number {
  return Math.round(hashUnit(seed, 5) * 2000) / 1000;
}
