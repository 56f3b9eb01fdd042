import type { Step } from '../../account/transaction-settings.ts';
import type { SandboxTransaction } from '../../account/transactions.ts';
import type { World } from '../../account/world.ts';
import { hashUnit } from '../../lib/hash.ts';
import { day, formatInstant, week } from '../../lib/instant.ts';
import { HttpError } from '../../server/http-error.ts';
import { enumParameter, type Inputs } from '../../server/parameters.ts';
import { fromBegin, reportBegin } from '../../simulation/report-bounds.ts';
import { reportedStates, type TransactionState } from '../../simulation/transaction-states.ts';
import { flag, inOrder, order, page, pageOf, statesPeriod, transactionById } from '../readers.ts';
import { operation, together } from '../table.ts';
import { type ReportPeriod, reportPeriod } from './report-period.ts';
import {
  intervalSeconds,
  performanceIntervals,
  type ReportResolution,
  reportResolutions,
  wireInterval,
} from './transaction-performance.ts';

const defaultLimit = 100;
const defaultIntervals = 10;
/**
 * The longest periods of the performance report; the longest six months are those from July to
 * December.
 */
const maxSeconds: Partial<Record<ReportResolution, number>> = {
  hour: week + day,
  day: 184 * day + day,
};

/** The past part of the period, because the future is unknown. */
const pastPeriod = together(['from', 'to'], (inputs, { world, now }) => {
  const { from, to } = reportPeriod(inputs, now, week);
  return statesPeriod({ from, to: Math.min(to, now) }, world.wire);
});

const resolutionOf = (inputs: Inputs): ReportResolution =>
  enumParameter(inputs, 'resolution', reportResolutions) ?? 'hour';

const performancePeriod = together(['from', 'to'], (inputs, { now }) => {
  const resolution = resolutionOf(inputs);
  const period = reportPeriod(inputs, now, defaultIntervals * intervalSeconds[resolution]);
  if (period.to - period.from <= (maxSeconds[resolution] ?? Number.POSITIVE_INFINITY))
    return period;
  throw new HttpError(400, 'Interval is too big for this resolution');
});

/** The reports of transactions (API 3.1, section 4.6). */
export const transactionReportOperations = [
  operation(
    'list_transaction_states',
    '3.1 GET /tms/check/report/status',
    'report the states of all transaction checks',
    { period: pastPeriod, page: page(defaultLimit), omit_empty: flag, order },
    ({ period, omit_empty, ...given }, { world, now }) => {
      const hasResults = (each: SandboxTransaction) =>
        world.history.results(each, period.from, period.to).next().done === false;
      const listed = world.transactions.all.filter((each) => !omit_empty || hasResults(each));
      const report = pageOf(listed, given.page).map((each) =>
        statusReport(world, each, period, now, given.order),
      );
      return { report };
    },
  ),
  operation(
    'get_transaction_states',
    '3.1 GET /tms/check/:check_id/report/status',
    'report the states of one transaction check',
    { check_id: transactionById, period: pastPeriod, order },
    ({ check_id: transaction, period, ...given }, { world, now }) => ({
      report: statusReport(world, transaction, period, now, given.order),
    }),
  ),
  operation(
    'get_transaction_performance',
    '3.1 GET /tms/check/:check_id/report/performance',
    'report the response times of one transaction check and its steps',
    {
      check_id: transactionById,
      include_uptime: flag,
      resolution: resolutionOf,
      period: performancePeriod,
      order,
    },
    ({ check_id: transaction, include_uptime, resolution, period, ...given }, { world, now }) => {
      const intervals = performanceIntervals(world, transaction, period, resolution, now).map(
        (interval) => wireInterval(transaction, interval, include_uptime, world.wire),
      );
      return {
        report: {
          check_id: transaction.id,
          name: transaction.settings.name,
          resolution,
          intervals: inOrder(given.order, intervals),
        },
      };
    },
  ),
];

const stepSalt = 63;

/** The reason of a failure that began at `since` in UNIX seconds; steps are counted from 1. */
function failedStep({ id, settings: { steps } }: SandboxTransaction, since: number) {
  const position = Math.floor(hashUnit(id, since, stepSalt) * steps.length);
  const step = steps[position];
  return { error_in_step: position + 1, message: step === undefined ? '' : messageOf(step) };
}

function messageOf({ fn, args }: Step): string {
  const target = Object.values(args)[0];
  const what = target === undefined ? fn : `${fn} "${target}"`;
  return `Step ${what} did not succeed within 30 seconds`;
}

interface StatusReport {
  readonly check_id: number;
  readonly name: string;
  readonly states: readonly object[];
}

/**
 * The states of a transaction in a period, which must not end later than now (API 3.1, section
 * 2.11).
 */
export function statusReport(
  { history, wire }: Pick<World, 'history' | 'wire'>,
  transaction: SandboxTransaction,
  period: ReportPeriod,
  now: number,
  wanted: 'asc' | 'desc',
): StatusReport {
  const begin = reportBegin(history, transaction, period, wire);
  const states = fromBegin(begin, wire, (from) =>
    reportedStates(history, transaction, { ...period, from }, now, wire),
  ).map((state) => wireState(transaction, state));
  return {
    check_id: transaction.id,
    name: transaction.settings.name,
    states: inOrder(wanted, states),
  };
}

function wireState(transaction: SandboxTransaction, state: TransactionState): object {
  return {
    status: state.status,
    from: formatInstant(state.from),
    to: formatInstant(state.to),
    ...(state.status === 'down' && failedStep(transaction, state.since)),
  };
}
