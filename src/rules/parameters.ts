import type { RuleSet } from './rule-sets.ts';

export const severities = ['critical', 'warning', 'info'] as const;
type Severity = (typeof severities)[number];

type ThresholdUnit = 'share' | 'number' | 'count';

interface Threshold {
  readonly value: number;
  readonly unit: ThresholdUnit;
  readonly description: string;
}

const share = (value: number, description: string) =>
  ({ value, unit: 'share', description }) satisfies Threshold;
const number = (value: number, description: string) =>
  ({ value, unit: 'number', description }) satisfies Threshold;
const count = (value: number, description: string) =>
  ({ value, unit: 'count', description }) satisfies Threshold;

/** Every threshold: the one source of the defaults, the schema and the documentation. */
const thresholdTable = {
  many_down: {
    checks: count(5, 'UptimeManyChecksDown: at least this many checks are down …'),
    share: share(0.2, '… and at least this share of the checks that are not paused.'),
  },
  missing: {
    share: share(
      0.5,
      'UptimeChecksMissing: less than this share of the checks within the last hour is listed.',
    ),
  },
  budget_left: {
    share: share(
      0.25,
      'UptimeCheckErrorBudgetBurn and its likes: less of the 30-day budget is left.',
    ),
  },
  slow: {
    share_of_limit: share(
      0.8,
      'UptimeCheckSlow: share of the response time at which the service counts the check as down.',
    ),
    times_usual: number(2, 'UptimeCheckSlow: times the average of the last 7 days …'),
    seconds: number(1, '… and at least this many seconds; both forms.'),
  },
  transaction_slow: {
    times_usual: number(1.5, 'UptimeTransactionSlow: times the average of the day before …'),
    slower_by_seconds: number(1, '… and at least this many seconds slower.'),
  },
  maintenance: {
    ending_seconds: number(1800, 'UptimeCheckDownInMaintenance: seconds until maintenance ends.'),
  },
  paused: { days: number(7, 'UptimeCheckPausedTooLong: days since the last test.') },
  credits: {
    checks_left_share: share(0.05, 'UptimeCreditsLow: share of the checks of the plan.'),
    sms_left: count(20, 'UptimeSmsCreditsLow: text messages left.'),
  },
  clock: {
    off_by_seconds: number(60, 'UptimeExporterClockWrong: seconds between the two clocks.'),
  },
  ownership: {
    takes: count(
      3,
      'UptimeExporterOwnershipFlapping: more takes of an account than this within 30 minutes from owners that had not released it.',
    ),
  },
  tally_lag: {
    seconds: number(7200, 'UptimeExporterTallyLag: seconds that counters are behind.'),
  },
  outage_delay: {
    seconds: number(
      300,
      'UptimeExporterOutagesSeenLate: seconds between two check lists, by which an outage may be seen late.',
    ),
  },
  scrape: {
    timeout_seconds: number(10, 'The `scrape_timeout` of your job …'),
    share: share(0.8, '… and the share of it from which UptimeExporterScrapeSlow fires.'),
  },
} as const;

type ThresholdTable = typeof thresholdTable;

/** The thresholds of the table by group and key. */
export function thresholdEntries(): readonly (readonly [
  group: string,
  keys: readonly (readonly [key: string, threshold: Threshold])[],
])[] {
  const table: Readonly<Record<string, Readonly<Record<string, Threshold>>>> = thresholdTable;
  return Object.entries(table).map(([group, keys]) => [group, Object.entries(keys)]);
}

export type Thresholds = {
  readonly [G in keyof ThresholdTable]: { readonly [K in keyof ThresholdTable[G]]: number };
};

/** Base URLs of the links in alerts. A link without a base URL is left out. */
interface LinkBases {
  /** A page with the sections of docs/runbook.md; by default that of the exporter. */
  readonly runbook?: string;
  /** The root of Grafana. */
  readonly grafana?: string;
  /** The root of the exporter's own pages. */
  readonly exporter?: string;
}

export interface AlertOverride {
  readonly enabled?: boolean;
  readonly severity?: Severity;
  readonly forSeconds?: number;
}

export interface RuleParameters {
  /** Sets of further rules. */
  readonly with: readonly RuleSet[];
  /** The `job` of the scrape configuration, which shows that an exporter should exist. */
  readonly job: string;
  /** Further labels that distinguish exporters, such as a ruler's `cluster`. */
  readonly identity: readonly string[];
  readonly links: LinkBases;
  readonly thresholds: Thresholds;
  /** Severity of UptimeCheckDown and UptimeTransactionFailing for items of low importance. */
  readonly lowSeverity: Severity;
  readonly alerts: Readonly<Record<string, AlertOverride>>;
  /** Divides every duration, so that a test takes minutes instead of hours. */
  readonly timeDivisor: number;
}

export const defaultParameters: RuleParameters = {
  with: [],
  job: 'uptime',
  identity: [],
  links: { exporter: 'http://{{ $labels.instance }}' },
  thresholds: Object.fromEntries(
    thresholdEntries().map(([group, keys]) => [
      group,
      Object.fromEntries(keys.map(([key, { value }]) => [key, value])),
    ]),
  ) as Thresholds,
  lowSeverity: 'warning',
  alerts: {},
  timeDivisor: 1,
};
