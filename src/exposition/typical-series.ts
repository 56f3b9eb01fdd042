import { type DatasetName, datasetNames, datasetPolicies } from '../domain/dataset.ts';
import type { ApiVersion } from '../domain/version.ts';
import type { RatioByRange } from '../slo/error-budget.ts';
import { errorRanges } from '../slo/range-seconds.ts';
import {
  type AccountSnapshot,
  averageRanges,
  type CheckRow,
  type TransactionRow,
} from '../state/snapshot.ts';
import { partsOf, type RowFamily } from './catalogue/family.ts';
import type { ServedFamilies } from './catalogue/served-families.ts';
import { SampleWriter } from './text-format.ts';

/** The settings of an account that decide how many series it has. */
export interface SeriesSettings {
  readonly version: ApiVersion;
  readonly isEnabled: (dataset: DatasetName) => boolean;
  /** The limits allow the results of each check hourly. */
  readonly areResultsHourly: boolean;
  readonly byCountry: boolean;
  /** Upper bounds of the response-time histogram, in seconds. */
  readonly responseTimeBounds: readonly number[];
}

/**
 * How many series there are when everything has been read, without tags, groups, maintenance and the
 * exporter's own.
 */
export interface TypicalSeries {
  /** Of a check that was up for 30 days. */
  readonly upCheck: number;
  /** Of a check with outages within 30 days, the last of them more than a day ago. */
  readonly failedCheck: number;
  readonly transaction: number;
  /** Of the account as a whole. */
  readonly account: number;
}

/** Counts the series of the catalogue for typical data. */
export function typicalSeries(served: ServedFamilies, settings: SeriesSettings): TypicalSeries {
  const { areResultsHourly, isEnabled } = settings;
  const isKnown = ({ dataset }: Pick<RowFamily<never>, 'dataset'>) =>
    dataset === undefined || (isEnabled(dataset) && has(settings.version, dataset));
  const checks = served.checks(areResultsHourly).filter(isKnown);
  return {
    upCheck: count(checks, typicalCheck(settings)),
    failedCheck: count(checks, typicalFailedCheck(settings)),
    transaction: count(served.transactions.filter(isKnown), typicalTransaction),
    account: count(served.account.flatMap(partsOf).filter(isKnown), typicalSnapshot(settings)),
  };
}

function has(version: ApiVersion, dataset: DatasetName): boolean {
  return datasetPolicies[dataset].versions.includes(version);
}

function count<R>(families: readonly RowFamily<R>[], row: R): number {
  let series = 0;
  for (const family of families) {
    const writer = new SampleWriter(family);
    family.samples(row, writer);
    series += writer.series;
  }
  return series;
}

const seconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };
const objective = { ratio: 0.999, reason: 'default' } as const;
/** One country of probes. */
const countryIso = 'US';

const typicalHour = {
  startAtSeconds: 0,
  complete: true,
  averageResponseTimeSeconds: 1,
  upSeconds: 3600,
  downSeconds: 0,
  unmonitoredSeconds: 0,
};

function typicalCheck({ byCountry, responseTimeBounds }: SeriesSettings): CheckRow {
  const counts = [...responseTimeBounds, Number.POSITIVE_INFINITY].map(() => 0);
  return {
    id: 1,
    name: '',
    type: 'http',
    status: 'up',
    tags: [],
    resolutionSeconds: 60,
    createdAtSeconds: 1,
    lastTestAtSeconds: 1,
    lastResponseTimeSeconds: 1,
    availability: { seconds, outages: 0 },
    budget: { objective, errorRatios: { '30d': 0 }, burnRates: {}, remainingRatio: 1 },
    results: {
      byStatus: { up: 1, down: 0, unconfirmed_down: 0, unknown: 0 },
      responseTime: { bounds: responseTimeBounds, counts, sumSeconds: 0 },
      ...(byCountry && {
        byCountry: [{ countryIso, results: 1, responseTimes: 1, responseTimeSumSeconds: 1 }],
      }),
    },
    analyses: 0,
    averages: averageRanges.map((window) => ({
      window,
      uptimeRatio: 1,
      responseTimeSeconds: 1,
      byCountry: byCountry ? [{ countryIso, responseTimeSeconds: 1 }] : [],
    })),
    performance: typicalHour,
    hoursOfDay: Array.from({ length: 24 }, (_, hour) => ({ hour, responseTimeSeconds: 1 })),
    settings: {
      responseTimeThresholdSeconds: 30,
      recipients: { user: 1, team: 0, integration: 0 },
    },
    activeProbes: 1,
    maintenance: { active: false },
  };
}

function typicalFailedCheck(settings: SeriesSettings): CheckRow {
  return {
    ...typicalCheck(settings),
    lastErrorAtSeconds: 1,
    lastDownStartAtSeconds: 1,
    lastDownEndAtSeconds: 1,
    availability: { seconds, outages: 1, lastOutageDurationSeconds: 60 },
    budget: {
      objective,
      errorRatios: everyRange,
      burnRates: everyRange,
      remainingRatio: 0.5,
    },
  };
}

const everyRange: RatioByRange = Object.fromEntries(errorRanges.map((range) => [range, 0]));

const typicalTransaction: TransactionRow = {
  id: 1,
  name: '',
  status: 'successful',
  kind: 'script',
  tags: [],
  active: true,
  intervalSeconds: 600,
  createdAtSeconds: 1,
  modifiedAtSeconds: 1,
  availability: { seconds, outages: 0 },
  budget: { objective, errorRatios: { '30d': 0 }, burnRates: {}, remainingRatio: 1 },
  performance: {
    ...typicalHour,
    steps: Array.from({ length: 5 }, () => ({ fn: 'click', averageResponseTimeSeconds: 1 })),
  },
  maintenance: { active: false },
};

/** Checks of three types, one contact and one team. */
function typicalSnapshot({ version, isEnabled }: SeriesSettings): AccountSnapshot {
  const known = datasetNames.filter((name) => isEnabled(name) && has(version, name));
  const status = {
    intervalSeconds: 60,
    lastAttemptAtSeconds: 1,
    lastSuccessAtSeconds: 1,
    items: 1,
  };
  const statuses = known.map((name) => [name, { ...status, stale: false }]);
  const types = ['http', 'ping', 'dns'] as const;
  return {
    account: '',
    apiVersion: version,
    baseUrl: '',
    storeId: '',
    up: true,
    datasets: { checks: { stale: false }, ...Object.fromEntries(statuses) },
    checks: types.map((type, id) => ({ id, type, name: '', status: 'up', tags: [] })),
    transactions: [],
    openCheckOutages: 0,
    openTransactionOutages: 0,
    recentOutages: [],
    credits: {
      checkLimit: 1,
      checksAvailable: 1,
      defaultChecksUsed: 1,
      transactionChecksUsed: 1,
      smsAvailable: 1,
      smsTestsAvailable: 1,
      smsAutofillEnabled: true,
      smsAutofillAmount: 1,
      smsAutofillThreshold: 1,
      rumSitesAvailable: 1,
      rumSitesUsed: 1,
      rumFiltersLimit: 1,
      rumPageviewsLimit: 1,
    },
    probes: Array.from({ length: typicalProbes }, (_, id) => ({ id, name: '', active: true })),
    contacts: [{ id: 1, type: 'user', targets: [] }],
    teams: [{ id: 1, name: '', memberCount: 1 }],
    alertsSent: [],
    clockOffsetSeconds: 0,
    emailReports: [],
    publicReports: [],
    sharedReports: [],
  };
}

/** The service lists about a hundred probes. */
const typicalProbes = 100;
