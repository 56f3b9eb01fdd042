import type { ValueMapping } from '@grafana/grafana-foundation-sdk/dashboard';
import { colours } from './colours.ts';
import { linkTo } from './links.ts';
import { figuresPanel } from './panel.ts';
import { eachAccount, type Of, ofAccount } from './selectors.ts';
import { mapping, steps } from './states.ts';

/**
 * An account that an exporter has served within this time is reported if no exporter serves it now.
 */
const memory = '1d';

const upOf = (of: Of) => eachAccount(of('uptime_up'));

/** Accounts whose exporter does not respond. */
const silentOf = (of: Of) =>
  `(max by (account) (last_over_time(${of('uptime_up')}[${memory}])) unless on (account) (${upOf(of)} or ${of('uptime_exporter_account_removed')}))`;

/** The values of accounts that are read. */
export const ofRead = (expression: string, of = ofAccount) =>
  `(${expression} and on (account) (${upOf(of)} == 1))`;

/**
 * The sum over all accounts, and of further series; an account without any counts only while it is
 * read.
 */
export const knownTotal = (byAccount: string, ...more: readonly string[]) =>
  `sum(${[`${byAccount} > 0`, ofRead(byAccount), ...more].join('\nor ')})`;

/**
 * Removes values computed over past hours when the exporter stops responding, instead of hours
 * later.
 */
export const whileAnswering = (expression: string, of = ofAccount) =>
  `(${expression})\nand on () max(${of('uptime_up')})`;

/** The same for values by account, each of which has its own exporter. */
export const whileEachAnswers = (byAccount: string) =>
  `(${byAccount})\nand on (account) ${upOf(ofAccount)}`;

const neverRead: ValueMapping = mapping({ 0: ['never', colours.bad] });

/**
 * The first row of each board: whether the values below can be trusted. It alone says why values are
 * missing; where they are, other panels are empty.
 */
export function trustPanel(of: Of = ofAccount) {
  const up = upOf(of);
  const lastRead = eachAccount(
    of('uptime_exporter_dataset_last_success_timestamp_seconds', 'dataset="checks"'),
  );
  const lastScraped = `max by (account) (max_over_time(timestamp(${of('uptime_up')})[${memory}:1m]))`;
  // The reason is "none" while the list is too old although no attempt failed.
  const reasons = `label_replace(${eachAccount(of('uptime_exporter_account_failure'), 'reason')} and on (account) (${up} == 0), "reason", "the list is too old", "reason", "none")`;
  const tried = of('uptime_exporter_dataset_last_attempt_timestamp_seconds');
  // A dataset that no check has needed yet is not missing.
  const late = `count by (account) (${eachAccount(of('uptime_exporter_dataset_stale', 'dataset!="checks"'), 'dataset')} == 1 and ${eachAccount(tried, 'dataset')})`;
  return figuresPanel({
    title: 'Can this be believed?',
    description:
      'When the check list of each account was last read. While it cannot be read, or the exporter does not respond, this line says so, and the panels below lack what is not known of that account. The line also shows how many other datasets of an account are missing or too old and, in its first hours or days, when the past of all checks will have been read. Until then, budgets and outages are not complete.',
    unit: 'suffix:s ago',
    decimals: 0,
    width: 24,
    height: 3,
    noValue: 'Not known: Prometheus has no data about what is chosen',
    thresholds: steps(colours.good, [300, colours.warning], [900, colours.bad]),
    queries: [
      {
        expr: `time() - ${ofRead(lastRead, of)}`,
        legend: '{{account}}: read',
      },
      {
        expr: `1000 * (${lastRead} or 0 * ${up}) * on (account) group_right () (0 * ${reasons} + 1)`,
        legend: '{{account}}: cannot be read ({{reason}}), was last read',
        unit: 'dateTimeAsIsoNoDateIfToday',
        thresholds: steps(colours.bad),
        mappings: [neverRead],
      },
      {
        expr: `1000 * ${lastScraped} and on (account) ${silentOf(of)}`,
        legend: '{{account}}: the exporter does not answer since',
        unit: 'dateTimeAsIsoNoDateIfToday',
        thresholds: steps(colours.bad),
      },
      {
        expr: ofRead(late, of),
        legend: '{{account}}: datasets that are missing or too old',
        unit: 'none',
        thresholds: steps(colours.warning),
        links: [linkTo('Datasets', 'uptime-exporter')],
      },
      {
        // Budgets and outages from before first sight are incomplete until this time.
        expr: `1000 * ${ofRead(eachAccount(of('uptime_exporter_past_read_timestamp_seconds')), of)}`,
        legend: '{{account}}: past outages are read by',
        unit: 'dateTimeAsIsoNoDateIfToday',
        thresholds: steps(colours.neutral),
      },
    ],
  });
}

/** The state of reading over time, as numbers of `readStates`. */
export const readOverTime = (of: Of) =>
  `${whileAnswering(`min(${upOf(of)} or 0 * ${silentOf(of)}) + 1`, of)} or vector(0)`;
export const readStates = mapping({
  0: ['no data', colours.neutral],
  1: ['not all are read', colours.warning],
  2: ['read', colours.good],
});
