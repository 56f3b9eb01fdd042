import { hashUnit } from '../../../lib/random.ts';
import type { Step } from '../../account/transaction-steps.ts';
import type { SandboxTransaction } from '../../account/transactions.ts';
import type { World } from '../../account/world.ts';
import { reportedStates, type TransactionState } from '../../simulation/transaction-states.ts';
import { formatDateTime, type ReportPeriod } from './report-period.ts';

const stepSalt = 63;

/** What a failure that began at `since`, in UNIX seconds, is put down to; steps are counted from 1. */
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

/** The states of a transaction in a period, which must not end later than now (API 3.1, section 2.11). */
export function statusReport(
  { history, forms }: Pick<World, 'history' | 'forms'>,
  transaction: SandboxTransaction,
  period: ReportPeriod,
  now: number,
  order: 'asc' | 'desc',
): StatusReport {
  const states = reportedStates(history, transaction, period, now, forms).map((state) =>
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
    from: formatDateTime(state.from),
    to: formatDateTime(state.to),
    ...(state.status === 'down' && failedStep(transaction, state.since)),
  };
}
