import type { BudgetView } from '../../../src/budget/budget-view.ts';
import { datasetNames } from '../../../src/domain/dataset.ts';
import type { AccountView, ScheduleView } from '../../../src/exposition/catalogue/family.ts';
import { checkCounts } from '../../../src/state/check-counts.ts';
import type {
  AccountSnapshot,
  CheckRow,
  DatasetStatuses,
  TransactionRow,
} from '../../../src/state/snapshot.ts';

/** Down for ten minutes within the last hour. */
const aBudgetRow = {
  budget: {
    objective: { ratio: 0.9995, reason: 'tag slo-99-95' },
    errorRatios: { '1h': 0.25, '30d': 0.000_25 },
    burnRates: { '1h': 500, '30d': 0.5 },
    remainingRatio: 0.5,
  },
  outage: {
    importance: 'high',
    hostname: 'shop.example.com',
    open: true,
    sinceSeconds: 1_699_999_000,
    flapping: true,
  },
  lastOutageStartSeconds: 1_699_990_000,
} as const satisfies Partial<CheckRow>;

export function aCheck(fields: Partial<CheckRow> = {}): CheckRow {
  return { id: 1, name: 'shop', type: 'http', status: 'up', tags: [], ...fields };
}

export function aTransaction(fields: Partial<TransactionRow> = {}): TransactionRow {
  return { id: 1, name: 'buy', status: 'successful', kind: 'script', tags: [], ...fields };
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
    ...(fields.checks && { checkCounts: checkCounts(fields.checks.map((entry) => ({ entry }))) }),
    ...fields,
  };
}

/** Every dataset, either all too old or none. */
export function everyDataset(stale = false): DatasetStatuses {
  const statuses = datasetNames.map((name) => [name, { intervalSeconds: 600, stale }]);
  return { checks: { stale }, ...Object.fromEntries(statuses) };
}

/** An account with a sufficient budget and no due data. */
const aSchedule: ScheduleView = {
  demandRequestsPerSecond: 0.5,
  missingRequestsPerSecond: { checks: 0 },
  items: { status: 1, event: 0, background: 0 },
  oldestDueSeconds: 0,
  overdueSeconds: {},
};

/** A budget for which the service has reported only the short window. */
export const aBudget: BudgetView = {
  mode: 'headers',
  windows: { short: { limit: 400, remaining: 390, reserve: 80, resetSeconds: 1800.4 } },
  requestsPerSecond: 0.025,
  paused: false,
  inFlight: 2,
};

/** An account that works, as the exporter sees it at a scrape. */
export function aView(snapshot: AccountSnapshot = aSnapshot()): AccountView {
  return { snapshot, budget: aBudget, schedule: aSchedule, failure: 'none' };
}

/** A check with every field of the list set. Values differ from check to check. */
export function fullCheck(id: number): CheckRow {
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

/** A check with data of every dataset. */
export function fullRow(id: number): CheckRow {
  return {
    ...fullCheck(id),
    ...aBudgetRow,
    availability: {
      seconds: { up: 8_000 + id, down: 600, unknown: 30, unmonitored: 0 },
      outages: 2,
      lastOutageDurationSeconds: 300,
      maintenanceSeconds: { up: 100, down: 20, unknown: 0, unmonitored: 0 },
    },
    results: {
      byStatus: { up: 90, down: 8, unconfirmed_down: 1, unknown: 1 },
      responseTime: { bounds: [0.1, 1, 2.5], counts: [40, 45, 5, 2], sumSeconds: 61.5 },
      byCountry: [
        { countryIso: 'SE', results: 60, responseTimes: 55, responseTimeSumSeconds: 30.5 },
        { countryIso: 'US', results: 40, responseTimes: 37, responseTimeSumSeconds: 31 },
      ],
    },
    analyses: 3,
    averages: [
      {
        window: '24h',
        uptimeRatio: 0.75,
        responseTimeSeconds: 0.4,
        byCountry: [{ countryIso: 'SE', responseTimeSeconds: 0.35 }],
      },
      { window: '30d', uptimeRatio: 1, responseTimeSeconds: 0.5, byCountry: [] },
    ],
    performance: {
      startAtSeconds: 1_699_999_200,
      complete: true,
      averageResponseTimeSeconds: 0.45,
      upSeconds: 3_000,
      downSeconds: 500,
      unmonitoredSeconds: 100,
    },
    hoursOfDay: [
      { hour: 0, responseTimeSeconds: 0.3 },
      { hour: 23, responseTimeSeconds: 0.6 },
    ],
    settings: {
      responseTimeThresholdSeconds: 30,
      certificateWarningSeconds: 864_000,
      recipients: { user: 1, team: 2, integration: 0, contact: 4 },
    },
    activeProbes: 12,
    maintenance: { active: true, endAtSeconds: 1_700_050_000, nextStartAtSeconds: 1_700_100_000 },
  };
}

/** A transaction with data of every dataset. */
export function fullTransaction(id: number): TransactionRow {
  return aTransaction({
    ...aBudgetRow,
    id,
    name: `journey ${id}`,
    status: 'failing',
    kind: 'recording',
    active: true,
    region: 'eu',
    severity: 'low',
    tags: [{ name: 'team-payments', source: 'user' }],
    intervalSeconds: 600,
    createdAtSeconds: 1_600_000_000,
    modifiedAtSeconds: 1_650_000_000,
    lastDowntimeStartAtSeconds: 1_690_000_000,
    lastDowntimeEndAtSeconds: 1_690_000_900,
    availability: { seconds: { up: 7_000, down: 900, unknown: 0, unmonitored: 60 }, outages: 1 },
    failingStep: 2,
    performance: {
      startAtSeconds: 1_699_999_200,
      complete: true,
      averageResponseTimeSeconds: 4.5,
      upSeconds: 2_700,
      downSeconds: 900,
      unmonitoredSeconds: 0,
      steps: [
        { fn: 'go_to', averageResponseTimeSeconds: 1.5 },
        { fn: 'click' },
        { fn: 'fill', averageResponseTimeSeconds: 0.25 },
      ],
    },
    maintenance: { active: false },
  });
}

/** An account with all data, so that every family has series. */
export function fullSnapshot(fields: Partial<AccountSnapshot> = {}): AccountSnapshot {
  return aSnapshot({
    listedChecks: 3,
    checks: [fullRow(1), aCheck({ id: 2, status: 'paused' })],
    transactions: [fullTransaction(7), aTransaction({ id: 8 })],
    groupsLeftOut: [],
    groups: [
      {
        name: 'team:payments',
        statuses: new Map([['up', 2]]),
        outagesOpen: 1,
        budget: aBudgetRow.budget,
        worst: { '1h': 0.5, '30d': 0.000_5 },
        checkIds: [1, 2],
        unknownIds: [],
      },
    ],
    endedChecks: [
      aCheck({
        id: 3,
        name: 'gone',
        outage: { importance: 'low', hostname: 'gone.example.com', open: false, flapping: false },
      }),
    ],
    openCheckOutages: 1,
    openTransactionOutages: 1,
    recentOutages: [
      {
        kind: 'transaction',
        id: 7,
        name: 'Order',
        fromSeconds: 1_767_268_800,
        beganBefore: true,
        causes: [],
        maintenance: 'part',
      },
      {
        kind: 'check',
        id: 1,
        name: 'Say "hi"',
        fromSeconds: 1_767_225_600,
        toSeconds: 1_767_225_780,
        maintenance: 'none',
        causes: ['Timeout (> 30s)', 'HTTP error 503 '.repeat(10)],
      },
    ],
    credits: {
      checkLimit: 10,
      checksAvailable: 4,
      defaultChecksUsed: 6,
      transactionChecksUsed: 2,
      smsAvailable: 50,
      smsTestsAvailable: 5,
      smsAutofillEnabled: true,
      smsAutofillAmount: 100,
      smsAutofillThreshold: 20,
      smsOverageLimit: 30,
      rumSitesAvailable: 1,
      rumSitesUsed: 2,
      rumFiltersLimit: 3,
      rumPageviewsLimit: 100_000,
    },
    probes: [
      {
        id: 33,
        name: 'Stockholm 2',
        country: 'Sweden',
        countryIso: 'SE',
        city: 'Stockholm',
        region: 'EU',
        active: true,
      },
      { id: 34, name: 'Nowhere' },
    ],
    maintenance: {
      windows: [
        {
          id: 5,
          description: 'say "hi"\\\nand leave',
          recurrence: 'week',
          startAtSeconds: 1_600_000_000,
          endAtSeconds: 1_600_003_600,
          checkIds: [1],
          transactionIds: [],
        },
        {
          id: 6,
          recurrence: 'none',
          startAtSeconds: 1_710_000_000,
          endAtSeconds: 1_710_003_600,
          checkIds: [],
          transactionIds: [],
        },
      ],
      next: new Map([
        [5, { id: 1, maintenanceId: 5, fromSeconds: 1_700_000_000, toSeconds: 1_700_003_600 }],
      ]),
      activeIds: new Set([5]),
    },
    alertsSent: [
      { checkId: 1, checkName: 'check 1', via: 'email', status: 'sent', count: 4 },
      { checkId: 1, checkName: 'check 1', via: 'sms', status: 'no_credits', count: 1 },
    ],
    contacts: [
      {
        id: 1,
        type: 'user',
        paused: false,
        owner: true,
        targets: [
          { medium: 'email', severity: 'high', count: 2 },
          { medium: 'sms', severity: 'high', count: 1 },
        ],
      },
      {
        id: 2,
        type: 'contact',
        paused: true,
        targets: [{ medium: 'email', severity: 'high', count: 1 }],
      },
    ],
    teams: [
      { id: 11, name: 'on "call"\n\\', memberCount: 3 },
      { id: 12, name: 'empty' },
    ],
    clockOffsetSeconds: -2,
    emailReports: [{ id: 1, frequency: 'weekly' }],
    publicReports: [{ checkId: 1 }, { checkId: 2 }],
    sharedReports: [{ checkId: 1, type: 'uptime' }],
    datasets: everyDataset(),
    ...fields,
  });
}
