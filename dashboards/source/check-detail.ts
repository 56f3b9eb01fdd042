import type { Board } from './board.ts';
import { alertWindows, spentEvenly } from './budget-lines.ts';
import { colours } from './colours.ts';
import { kinds, outagesOverTime, stateOf, worstState } from './items.ts';
import { exporterPage } from './links.ts';
import { lastOutages } from './outage-table.ts';
import { barsPanel, figuresPanel, linesPanel, statesPanel } from './panel.ts';
import { each, eachAccount, ofAccount, ofCheck, ofStep, reference } from './selectors.ts';
import { badAbove, budgetLeft, itemStates, noNumber, outageStates } from './states.ts';
import { rankingPanel } from './table.ts';
import { ifRead, noteText, orWhy, readOverTime, readStates, whileAnswering } from './trust.ts';
import { checkVariable, spanVariable } from './variables.ts';

/** A dataset with a longer interval counts as not planned. */
const yearSeconds = 365 * 86_400;

/**
 * Results are read in turn, so counters of a check step once per interval. Over four intervals, a
 * rate shows the measured values rather than the time of reading.
 */
const resultsSpan = `${reference('results_span')}s`;
const buckets = `sum by (le) (increase(${ofCheck('uptime_check_response_time_seconds_bucket')}[${resultsSpan}]))`;
/** Without tests a quantile is NaN, which must not be shown. */
const quantile = (share: number) => ({
  expr: whileAnswering(`histogram_quantile(${share}, ${buckets}) >= 0`),
  legend: `${share * 100} % are faster`,
});

const value = (name: string, more = '') => each(ofCheck(`uptime_check_${name}`, more));
/** A family of the selected item, which is a check or a transaction. */
const either = (name: string, more = '') =>
  kinds.map((kind) => each(ofCheck(`uptime_${kind}_${name}`, more))).join('\nor ');

const readAccount = `on (account) (${eachAccount(ofAccount('uptime_up'))} == 1)`;
/** The state as a number of `itemStates`; 8 if it is not known now. */
const state = `max((${stateOf(ofCheck)}) and ${readAccount}) or vector(8)`;

const noData = 'Not known: nothing was read in this time';

export const checkDetail: Board = {
  uid: 'uptime-check',
  title: 'Check',
  description:
    'One check or transaction: its state, outages with their causes, response times, error budget and maintenance.',
  variables: [
    checkVariable(),
    spanVariable(
      'results_span',
      `4 * max(${ofAccount('uptime_exporter_dataset_interval_seconds', 'dataset="results"')})`,
    ),
  ],
  rows: {
    '': [
      figuresPanel({
        title: 'Now',
        description:
          'The state in the last list, and how long it has been down. The availability and the remaining error budget of the last 30 days, without maintenance. For a check the response time of the last test; for a transaction the average of the last complete hour and the failing step. A value that is not known, or does not apply, is absent.',
        unit: 'none',
        width: 24,
        links: exporterPage(),
        queries: [
          { expr: state, legend: 'State', mappings: [itemStates] },
          {
            expr: ifRead(`time() - (${either('outage_start_timestamp_seconds')})`),
            legend: 'Down for',
            unit: 's',
            thresholds: badAbove(0),
          },
          {
            expr: `max(${either('error_budget_remaining_ratio')})`,
            legend: 'Budget left',
            unit: 'percentunit',
            decimals: 1,
            thresholds: budgetLeft,
          },
          {
            expr: `1 - max(${either('error_ratio', 'window="30d"')})`,
            legend: 'Up in 30 days',
            unit: 'percentunit',
            decimals: 3,
          },
          {
            expr: `max(${either('objective_ratio')})`,
            legend: 'Objective',
            unit: 'percentunit',
            decimals: 3,
          },
          {
            expr: `max(${value('last_response_time_seconds')} or ${each(ofCheck('uptime_transaction_hourly_average_response_time_seconds'))})`,
            legend: 'Last response',
            unit: 's',
          },
          {
            expr: ifRead(`max(${ofCheck('uptime_transaction_failing_step')})`),
            legend: 'Failing step',
            thresholds: badAbove(1),
          },
        ],
      }),
      statesPanel({
        title: 'States and outages',
        description:
          'Whether the accounts could be read. The state in each list; the worst if a point of the graph has several. Outages at their true times, even if they became known later. Maintenance. A gap is time without data.',
        unit: 'none',
        width: 24,
        height: 6,
        queries: [
          { expr: readOverTime, legend: 'Accounts', mappings: [readStates] },
          { expr: worstState(ofCheck), legend: 'As listed', mappings: [itemStates] },
          { expr: outagesOverTime(ofCheck), legend: 'Outages', mappings: [outageStates] },
          {
            expr: `max(3 * ((${kinds
              .map((kind) => ofStep(ofCheck(`uptime_${kind}_in_maintenance`)))
              .join(' or ')}) == 1))`,
            legend: 'Maintenance',
            mappings: [itemStates],
          },
        ],
      }),
      lastOutages({ of: ofCheck, width: 24, isOfOne: true }),
    ],
    'Response time and error budget': [
      linesPanel({
        title: 'Response time, and what is usual',
        description:
          'For a check, the response time of the last test and the averages of the last 24 hours and 7 days. For a transaction, the average of the last complete hour.',
        unit: 's',
        width: 12,
        min: 0,
        noValue: noData,
        queries: [
          {
            expr: value('last_response_time_seconds'),
            legend: 'last test',
            color: colours.good,
          },
          {
            expr: value('average_response_time_seconds', 'window="24h"'),
            legend: 'average of 24 h',
            color: colours.warning,
            stroke: 'dash',
          },
          {
            expr: value('average_response_time_seconds', 'window="7d"'),
            legend: 'average of 7 days',
            color: colours.neutral,
            stroke: 'dot',
          },
          {
            expr: each(ofCheck('uptime_transaction_hourly_average_response_time_seconds')),
            legend: 'average of an hour',
            color: colours.paused,
          },
        ],
      }),
      linesPanel({
        title: 'Error budget left',
        description:
          'The remaining share of the 30-day error budget. Below 0 the objective is missed. The dashed line is a budget that is spent evenly.',
        unit: 'percentunit',
        width: 12,
        max: 1,
        timeFrom: '30d',
        interval: '30m',
        noValue: noData,
        queries: [
          {
            expr: either('error_budget_remaining_ratio'),
            legend: 'left',
            color: colours.good,
          },
          spentEvenly,
        ],
      }),
    ],
  },
  closed: {
    'A year back': [
      barsPanel({
        title: 'Downtime of each week',
        description:
          'How long it was down in each week of a year, including maintenance. Each bar is at the end of its week. Weeks before the exporter first saw it have bars only if its history was imported with "uptime-exporter backfill".',
        unit: 's',
        width: 24,
        height: 7,
        min: 0,
        timeFrom: '364d',
        interval: '7d',
        noValue: 'Not known: no week has ended since it is counted, and no history was imported',
        queries: [
          {
            expr: `max(${kinds
              .map(
                (kind) =>
                  `increase(${ofCheck(`uptime_${kind}_state_seconds_total`, 'state="down"')}[$__interval])`,
              )
              .join(' or ')})`,
            legend: 'down',
            color: colours.bad,
          },
        ],
      }),
    ],
    'Burn rate, maintenance, who is notified': [
      rankingPanel({
        title: 'Burn rate',
        description:
          'How many times faster than allowed the error budget is spent, for the windows of the alerts.',
        width: 8,
        noValue: 'Not known: Prometheus has no data of an exporter',
        names: { window: { heading: 'Window', mappings: [noteText] } },
        number: {
          heading: 'Burn rate',
          unit: 'none',
          decimals: 1,
          width: 120,
          thresholds: badAbove(1),
          mappings: [noNumber(-1)],
        },
        expr: orWhy(
          `max by (account, window) (${kinds.map((kind) => ofCheck(`uptime_${kind}_burn_rate`, alertWindows)).join(' or ')})`,
          {
            label: 'window',
            none: 'No outage within 30 days',
            unknown: `label_replace((${eachAccount(ofAccount('uptime_up'))} == 1) unless on (account) (${either('error_ratio', 'window="30d"')}), "window", "Not known: its past is still to be read", "", "")`,
          },
        ),
      }),
      rankingPanel({
        title: 'Maintenance',
        description:
          'Time until the next maintenance. The strip above shows whether there is one now.',
        width: 8,
        noValue: 'Not known: Prometheus has no data of an exporter',
        names: { what: { heading: 'Maintenance', mappings: [noteText] } },
        number: { heading: 'Time', unit: 's', width: 90, mappings: [noNumber(-1)] },
        expr: orWhy(
          `label_replace(max by (account) (${ofCheck('uptime_check_next_maintenance_start_timestamp_seconds')} - time()), "what", "next one in", "", "")`,
          { label: 'what', none: 'No maintenance is planned', dataset: 'maintenance' },
        ),
      }),
      rankingPanel({
        title: 'Who is notified',
        description: 'Recipients that the service notifies when the check fails, by kind.',
        width: 8,
        noValue: 'Not known: Prometheus has no data of an exporter',
        names: { recipient: { heading: 'Recipients', mappings: [noteText] } },
        number: { heading: 'How many', unit: 'none', width: 105, mappings: [noNumber(-1)] },
        expr: orWhy(
          `max by (account, recipient) (${ofCheck('uptime_check_notification_recipients')}) > 0`,
          {
            label: 'recipient',
            none: 'No one is notified',
            unknown: `label_replace((${eachAccount(ofAccount('uptime_up'))} == 1) unless on (account) ${ofCheck('uptime_check_notification_recipients')}, "recipient", "Not known: its details were not read yet", "", "")`,
          },
        ),
      }),
    ],
    'Single tests, countries, steps of a transaction: where they are read': [
      figuresPanel({
        title: 'How often they are read',
        description:
          'The planned time between two refreshes of one check or transaction. The panels below may take this long until they have data; quantiles need two refreshes. An absent dataset is disabled, or planned less than once a year.',
        unit: 's',
        width: 24,
        height: 3,
        noValue: 'Not known: the exporter does not answer',
        queries: (
          [
            ['results', 'Single tests: every'],
            ['average', 'Averages and countries: every'],
            ['transaction_performance', 'Steps: every'],
          ] as const
        ).map(([dataset, legend]) => ({
          expr: `max(${ofAccount('uptime_exporter_dataset_interval_seconds', `dataset="${dataset}"`)}) < ${yearSeconds}`,
          legend,
        })),
      }),
      linesPanel({
        title: 'Quantiles',
        description:
          '50 %, 90 % and 99 % of the tests were faster than this, over four refreshes of the results.',
        unit: 's',
        width: 12,
        min: 0,
        noValue: 'Not known: no results were read in this time',
        queries: [
          { ...quantile(0.5), color: colours.good },
          { ...quantile(0.9), color: colours.warning, stroke: 'dash' },
          { ...quantile(0.99), color: colours.bad, stroke: 'dot' },
        ],
      }),
      linesPanel({
        title: 'By country',
        description:
          'Average response time of the last 24 hours by the country of the probe: the ten slowest countries.',
        unit: 's',
        width: 12,
        min: 0,
        noValue: 'Not known: by_country is off by default in the configuration',
        queries: [
          {
            expr: `topk(10, max by (probe_country) (${ofCheck('uptime_check_country_average_response_time_seconds')}))`,
            legend: '{{probe_country}}',
          },
        ],
      }),
      rankingPanel({
        title: 'Steps',
        description: 'Average time of each step in the last complete hour, the slowest first.',
        width: 24,
        noValue: 'Not known: no performance report of a transaction was read',
        names: {
          step: { heading: 'Step', width: 70 },
          fn: { heading: 'What it does' },
        },
        number: { heading: 'Time', unit: 's', width: 120 },
        expr: `max by (step, fn) (${ofCheck('uptime_transaction_step_average_response_time_seconds')})`,
      }),
    ],
  },
};
