import { MappingType, type ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard';
import { colours } from './colours.ts';
import { figuresPanel } from './panel.ts';
import { eachAccount, ofAccount, ofExporter } from './selectors.ts';
import { mapping, steps } from './states.ts';

/**
 * An account that an exporter has served within this time is reported if no exporter serves it now.
 */
const memory = '1d';

const up = eachAccount(ofAccount('uptime_up'));
const everUp = `last_over_time(${ofAccount('uptime_up')}[${memory}])`;
/**
 * Accounts whose exporter does not respond and that no other exporter serves. Accounts that were
 * removed from the configuration are excluded.
 */
const silent = `(max by (account) (${everUp} unless on (job, instance) ${ofExporter('uptime_exporter_build_info')}) unless on (account) ${up})`;
const failing = `(${eachAccount(`${ofAccount('uptime_exporter_account_failure')} == 1`, 'reason')} and on (account) (${up} == 0))`;
/** Accounts whose list is too old although no attempt failed. */
const old = `label_replace((${up} == 0) unless on (account) ${failing}, "reason", "the list is too old", "", "")`;
/** Accounts whose check list cannot be read, with the reason. */
const blind = `(${failing} or ${old})`;

/** 1 while every chosen account is read, otherwise 0; absent if there was no exporter for a day. */
export const allRead = `min(${up} or 0 * ${silent})`;

/** The value while every chosen account is read, otherwise nothing. */
export const ifRead = (expression: string) => `(${expression})\nand on () (${allRead} == 1)`;

/** A count above 0 also while an account cannot be read; 0 only while every account is read. */
export const countIfRead = (expression: string) =>
  `(${expression}) > 0\nor (${expression}) and on () (${allRead} == 1)`;

/**
 * Removes values computed over past hours when the exporter stops responding, instead of hours
 * later.
 */
export const whileAnswering = (expression: string) =>
  `(${expression})\nand on () max(${ofAccount('uptime_up')})`;

const lastRead = eachAccount(
  ofAccount('uptime_exporter_dataset_last_success_timestamp_seconds', 'dataset="checks"'),
);
const lastScraped = `max by (account) (max_over_time(timestamp(${ofAccount('uptime_up')})[${memory}:1m]))`;

const neverRead: ValueMapping = mapping({ 0: ['never', colours.bad] });

/** The first row of each board: whether the values below can be trusted. */
export function trustPanel() {
  return figuresPanel({
    title: 'Can this be believed?',
    description:
      'When the check list of each account was last read. While it cannot be read, or the exporter does not respond, the panels below are as old as this line shows, and report which values are not known. In the first hours or days of an account, the line also shows when the past of all checks will have been read. Until then, budgets and outages are not complete.',
    unit: 'suffix:s ago',
    decimals: 0,
    width: 24,
    height: 3,
    noValue: 'Not known: Prometheus has had no exporter for a day',
    thresholds: steps(colours.good, [300, colours.warning], [900, colours.bad]),
    queries: [
      {
        expr: `time() - ${lastRead} and on (account) (${up} == 1)`,
        legend: '{{account}}: read',
      },
      {
        expr: `1000 * (${lastRead} or 0 * ${up}) * on (account) group_right () (0 * ${blind} + 1)`,
        legend: '{{account}}: cannot be read ({{reason}}), was last read',
        unit: 'dateTimeAsIsoNoDateIfToday',
        thresholds: steps(colours.bad),
        mappings: [neverRead],
      },
      {
        expr: `1000 * ${lastScraped} and on (account) ${silent}`,
        legend: '{{account}}: the exporter does not answer since',
        unit: 'dateTimeAsIsoNoDateIfToday',
        thresholds: steps(colours.bad),
      },
      {
        // Budgets and outages from before first sight are incomplete until this time.
        expr: `1000 * (${eachAccount(ofAccount('uptime_exporter_past_read_timestamp_seconds'))} and on (account) (${up} == 1))`,
        legend: '{{account}}: past outages are read by',
        unit: 'dateTimeAsIsoNoDateIfToday',
        thresholds: steps(colours.neutral),
      },
    ],
  });
}

/**
 * The state of reading over time, as numbers of `readStates`: unknown, not all accounts, or all.
 */
export const readOverTime = `min(${up}) + 1 or vector(0)`;
export const readStates = mapping({
  0: ['no data', colours.neutral],
  1: ['cannot be read', colours.warning],
  2: ['read', colours.good],
});

/** A row that has a text in one of its columns and the account in another. */
const noted = (expression: string, label: string, text: string, source = '', match = '') =>
  `max by (account, ${label}) (label_replace(${expression}, "${label}", "${text}", "${source}", "${match}"))`;

/** Accounts that read the dataset but have no data of it yet. */
const unread = (dataset: string) =>
  `((${up} == 1) unless on (account) ${eachAccount(ofAccount('uptime_exporter_dataset_last_success_timestamp_seconds', `dataset="${dataset}"`))})`;

interface Absence {
  /** The label whose column has the text. */
  readonly label: string;
  /**
   * The text of the row that replaces an empty table when all accounts and the dataset were read.
   */
  readonly none: string;
  /** The value of a row with a note, by which it is sorted. No row of data has it. */
  readonly value?: number;
  readonly dataset?: string;
  /** A cheaper expression that has a value while there are rows. */
  readonly some?: string;
  /** Additional rows with reasons why data are unknown. */
  readonly unknown?: string;
}

/**
 * Rows of data with notes. Without rows, one note states that there are none. For each account
 * whose data are unknown, one note states the reason.
 */
export function orWhy(
  rows: string,
  { label, none, value = -1, dataset, some = rows, unknown }: Absence,
): string {
  const reasons = [
    noted(blind, label, 'Not known: the account cannot be read ($1)', 'reason', '(.*)'),
    noted(silent, label, 'Not known: the exporter does not answer'),
    ...(dataset === undefined
      ? []
      : [noted(unread(dataset), label, `Not known: the dataset ${dataset} was not read yet`)]),
    ...(unknown === undefined ? [] : [`max by (account, ${label}) (${unknown})`]),
  ].join('\nor ');
  return `(${rows})
or 0 * (${reasons}) + ${value}
or label_replace(0 * (${allRead} == 1) + ${value} unless on () (${some} or ${reasons}), "${label}", "${none}", "", "")`;
}

/** The colour of notes: readable in light and dark themes, which no grey is. */
export const noteText: ValueMapping = {
  type: MappingType.RegexToText,
  options: {
    pattern: '^(Not known: .*|No .*|All that .*)$',
    result: { text: '$1', color: 'text', index: 0 },
  },
};
