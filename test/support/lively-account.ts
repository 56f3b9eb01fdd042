import type { AccountStatus } from '../../src/http/ports.ts';
import { type GroupRow, groupRow } from '../../src/slo/groups.ts';
import type { ItemPast } from '../../src/state/items/item-past.ts';
import type { CheckRow, TransactionRow } from '../../src/state/snapshot.ts';
import { checkWith, datasetWith, healthyAccount, noon, statesBy } from './snapshots.ts';

const [hour, day] = [3_600, 86_400];

interface LivelyOptions {
  /** Ids of the checks that are down. */
  readonly down?: readonly number[];
}

/** An account with all data that a page can show. Check 3 and transaction 501 are down. */
export function livelyAccount(checks: number, { down = [3] }: LivelyOptions = {}): AccountStatus {
  const isDown = new Set(down);
  const rows = Array.from({ length: checks }, (_, place) => row(place + 1, isDown.has(place + 1)));
  return {
    ...healthyAccount({
      checks: rows,
      groups: ['team:1', 'team:2'].map((name) => group(name, rows)),
      transactions: [transaction(501, 'failing'), transaction(502, 'successful')],
      datasets: {
        checks: datasetWith(),
        transactions: datasetWith({ intervalSeconds: 300 }),
        performance: datasetWith({ intervalSeconds: 7_200 }),
      },
    }),
    states: {
      ofCheck: (id) => statesOf(isDown.has(id) ? 2 : 1),
      ofTransaction: (id) => statesOf(id === 501 ? 2 : 1),
    },
    past: {
      ofCheck: (id) => (isDown.has(id) ? failing : steady),
      ofTransaction: (id) => (id === 501 ? failing : steady),
    },
    plan: {
      requestsPerSecond: 0.02,
      datasets: [
        { name: 'checks', requestsPerSecond: 0.016 },
        { name: 'performance', requestsPerSecond: 0.004, intervalSeconds: 2 * hour },
      ],
    },
    nextReadSeconds: () => 40,
    requests: () => [
      {
        path: 'checks',
        code: '200',
        durationSeconds: 0.1,
        responseBytes: 2_000,
        ...{ endedAtSeconds: noon - 25, left: { short: 312, long: 51_840 } },
      },
    ],
  };
}

/** The checks with a tag. The past of the first one of `team:2` is unknown. */
function group(name: string, rows: readonly CheckRow[]): GroupRow {
  const month = { '30d': { up: 2_591_000, down: 1_000 } };
  const members = rows
    .filter(({ tags }) => tags.some((tag) => tag.name === name))
    .map(({ id, status }) => ({
      ...{ id, status, seconds: id === 2 ? {} : month },
      hasOpenOutage: status === 'down',
    }));
  return groupRow(name, members, { ratio: 0.999, reason: 'default' });
}

function row(id: number, isDown: boolean): CheckRow {
  return {
    ...checkWith({
      id,
      status: isDown ? 'down' : 'up',
      tags: [{ name: `team:${id % 5}`, source: 'user' }],
      createdAtSeconds: noon - 100 * day,
      ...(isDown
        ? { lastDownStartAtSeconds: noon - 40 * 60 }
        : { lastResponseTimeSeconds: 0.1 + (id % 7) / 10 }),
    }),
    budget: {
      objective: { ratio: 0.999, reason: 'default' },
      errorRatios: isDown ? { '1d': 0.028, '7d': 0.004, '30d': 0.0009 } : { '30d': 0 },
      burnRates: isDown ? { '1h': 667, '1d': 28 } : {},
      remainingRatio: isDown ? 0.07 : 1,
    },
    settings: { recipients: { user: 2, team: 1 } },
    maintenance: { active: false },
  };
}

function transaction(id: number, status: 'failing' | 'successful'): TransactionRow {
  return {
    ...{ id, name: `journey ${id}`, status, kind: 'recording', tags: [] },
    ...(status === 'failing' && {
      failingStep: 2,
      lastDowntimeStartAtSeconds: noon - 40 * 60,
    }),
    performance: {
      startAtSeconds: noon - 2 * hour,
      complete: true,
      averageResponseTimeSeconds: 1.9,
      steps: [
        { fn: 'wpm_go_to', averageResponseTimeSeconds: 0.7 },
        { fn: 'wpm_click', averageResponseTimeSeconds: 1.2 },
      ],
    },
  };
}

const milliseconds = Uint16Array.from({ length: 168 }, (_, at) => 200 + 90 * Math.sin(at / 4));
const hourlyAverages = {
  startAtSeconds: noon - 168 * hour,
  milliseconds: Buffer.from(milliseconds.buffer).toString('base64'),
};

const horizon = noon - 60;
/** One item that is up, and one that was down nine days ago and is down. */
const statesOf = statesBy({
  1: [{ state: 'up', fromSeconds: noon - 35 * day, toSeconds: horizon }],
  2: [
    { state: 'up', fromSeconds: noon - 35 * day, toSeconds: noon - 9 * day },
    { state: 'down', fromSeconds: noon - 9 * day, toSeconds: noon - 9 * day + 600 },
    { state: 'up', fromSeconds: noon - 9 * day + 600, toSeconds: noon - 40 * 60 },
    { state: 'down', fromSeconds: noon - 40 * 60, toSeconds: horizon },
  ],
});

const steady: ItemPast = { outages: [], hourlyAverages };

const failing: ItemPast = {
  ...steady,
  outages: [
    { fromSeconds: noon - 40 * 60, causes: ['HTTP Error 503'], analysisId: 77 },
    { fromSeconds: noon - 9 * day, toSeconds: noon - 9 * day + 600, causes: [] },
  ],
  quantiles: {
    fromSeconds: noon - 4 * hour,
    toSeconds: noon - hour,
    p50Seconds: 0.21,
    p95Seconds: 0.48,
  },
};
