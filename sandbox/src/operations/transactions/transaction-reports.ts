import type { Step } from '../../account/transaction-settings.ts';
import type { SandboxTransaction } from '../../account/transactions.ts';
import type { World } from '../../account/world.ts';
import { hashUnit } from '../../lib/hash.ts';
import { formatInstant } from '../../lib/instant.ts';
import { HttpError } from '../../server/http-error.ts';
import {
  booleanParameter,
  enumParameter,
  type Inputs,
  integerParameter,
} from '../../server/parameters.ts';
import { reportedStates, type TransactionState } from '../../simulation/transaction-states.ts';
import { identifiedTransaction } from '../identified.ts';
import type { Operation } from '../operation.ts';
import { type ReportPeriod, reportPeriod } from './report-period.ts';
import {
  intervalSeconds,
  performanceIntervals,
  type ReportResolution,
  reportResolutions,
  wireInterval,
} from './transaction-performance.ts';

const day = 86_400;
const week = 7 * day;
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
      (interval) => wireInterval(transaction, interval, includeUptime, world.wire),
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

/** The past part of the period, because the future is unknown. */
function pastPeriod(inputs: Inputs, now: number) {
  const { from, to } = reportPeriod(inputs, now, week);
  return { from, to: Math.min(to, now) };
}

function orderOf(inputs: Inputs): 'asc' | 'desc' {
  return enumParameter(inputs, 'order', ['asc', 'desc']) ?? 'asc';
}

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
  order: 'asc' | 'desc',
): StatusReport {
  const states = reportedStates(history, transaction, period, now, wire).map((state) =>
    wireState(transaction, state),
  );
  return {
    check_id: transaction.id,
    name: transaction.settings.name,
    states: order === 'asc' ? states : states.reverse(),
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
