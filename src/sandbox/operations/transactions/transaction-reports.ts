import type { SandboxTransaction } from '../../account/transactions.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  booleanParameter,
  enumParameter,
  type Inputs,
  integerParameter,
} from '../../server/parameters.ts';
import { identifiedTransaction } from '../identified.ts';
import type { Operation } from '../operation.ts';
import { reportPeriod } from './report-period.ts';
import {
  intervalSeconds,
  performanceIntervals,
  type ReportResolution,
  reportResolutions,
  wireInterval,
} from './transaction-performance.ts';
import { statusReport } from './transaction-states.ts';

const day = 86_400;
const week = 7 * day;
const defaultLimit = 100;
const defaultIntervals = 10;
/** The longest periods of the performance report; the longest six months are those from July to December. */
const maxSeconds: Partial<Record<ReportResolution, number>> = {
  hour: week + day,
  day: 184 * day + day,
};

/** `GET /tms/check/report/status` (API 3.1, section 4.6). */
export const reportAllTransactionStates: Operation = {
  name: 'list_transaction_states',
  summary: 'report the states of all transaction checks',
  method: 'get',
  path: '/tms/check/report/status',
  versions: ['3.1'],
  parameters: ['from', 'to', 'limit', 'offset', 'omit_empty', 'order'],
  body: 'none',
  run(inputs, { world, now }) {
    const period = pastPeriod(inputs, now);
    const order = orderOf(inputs);
    const limit = integerParameter(inputs, 'limit', { min: 1 }) ?? defaultLimit;
    const offset = integerParameter(inputs, 'offset', { min: 0 }) ?? 0;
    const omitsEmpty = booleanParameter(inputs, 'omit_empty');
    const hasResults = (transaction: SandboxTransaction) =>
      world.history.results(transaction, period.from, period.to).next().done === false;
    const report = world.transactions.all
      .filter((transaction) => !omitsEmpty || hasResults(transaction))
      .slice(offset, offset + limit)
      .map((transaction) => statusReport(world, transaction, period, now, order));
    return { report };
  },
};

/** `GET /tms/check/{check_id}/report/status` (API 3.1, section 4.6). */
export const reportTransactionStates: Operation = {
  name: 'get_transaction_states',
  summary: 'report the states of one transaction check',
  method: 'get',
  path: '/tms/check/:check_id/report/status',
  versions: ['3.1'],
  parameters: ['from', 'to', 'order'],
  body: 'none',
  run(inputs, context) {
    const { world, now } = context;
    const transaction = identifiedTransaction(inputs, context, 'check_id');
    const period = pastPeriod(inputs, now);
    return {
      report: statusReport(world, transaction, period, now, orderOf(inputs)),
    };
  },
};

/** `GET /tms/check/{check_id}/report/performance` (API 3.1, section 4.6). */
export const reportTransactionPerformance: Operation = {
  name: 'get_transaction_performance',
  summary: 'report the response times of one transaction check and its steps',
  method: 'get',
  path: '/tms/check/:check_id/report/performance',
  versions: ['3.1'],
  parameters: ['from', 'to', 'include_uptime', 'order', 'resolution'],
  body: 'none',
  run(inputs, context) {
    const transaction = identifiedTransaction(inputs, context, 'check_id');
    const { world, now } = context;
    const includeUptime = booleanParameter(inputs, 'include_uptime');
    const resolution = enumParameter(inputs, 'resolution', reportResolutions) ?? 'hour';
    const period = reportPeriod(inputs, now, defaultIntervals * intervalSeconds[resolution]);
    const { [resolution]: longest = Number.POSITIVE_INFINITY } = maxSeconds;
    if (period.to - period.from > longest) {
      throw new HttpError(400, 'Interval is too big for this resolution');
    }
    const intervals = performanceIntervals(world, transaction, period, resolution, now).map(
      (interval) => wireInterval(transaction, interval, includeUptime, world.forms),
    );
    return {
      report: {
        check_id: transaction.id,
        name: transaction.settings.name,
        resolution,
        intervals: orderOf(inputs) === 'asc' ? intervals : intervals.reverse(),
      },
    };
  },
};

/** What of the period is past: nothing is known of the future. */
function pastPeriod(inputs: Inputs, now: number) {
  const { from, to } = reportPeriod(inputs, now, week);
  return { from, to: Math.min(to, now) };
}

function orderOf(inputs: Inputs): 'asc' | 'desc' {
  return enumParameter(inputs, 'order', ['asc', 'desc']) ?? 'asc';
}
