import { ApiError } from '../api/errors.ts';
import type { StateSpan, TimeRange } from '../domain/interval.ts';
import { unixSeconds } from '../lib/clock.ts';
import { noChange, type Refresh, type RefreshResult, result } from '../schedule/refresh.ts';
import { runsOf } from '../slo/hourly-averages.ts';
import type { BackfillRequest } from '../state/backfill/backfill-request.ts';
import { occurrencesByCheck } from '../state/maintenance.ts';
import { fillSpans } from '../tally/apply-report.ts';
import { clip, union } from '../tally/maintenance-tally.ts';
import { occurrencesOf } from './maintenance.ts';
import { type RefreshContext, requireComplete } from './refresh-context.ts';

type Context = Pick<RefreshContext, 'service' | 'state' | 'clock'>;

const hourSeconds = 3_600;

/**
 * Reads the past that an operator requested: of one check, or of all transactions and the account's
 * maintenance. The past is stored before the refresh succeeds. It changes no counter.
 */
export function refreshBackfill(context: Context): Refresh {
  return (id, signal) => {
    const { job } = context.state.backfill;
    if (job.request === undefined || !job.isOpen(id)) return Promise.resolve(noChange);
    if (id === 'account') return readAccount(context, job.request, signal);
    const period = job.responseTimesToRead(id);
    return period === undefined
      ? readCheck(context, id, job.request, signal)
      : readResponseTimes(context, id, period, signal);
  };
}

async function readCheck(
  { service, state }: Context,
  id: number,
  request: BackfillRequest,
  signal: AbortSignal,
) {
  const { backfill } = state;
  const range = backfill.rangeOf('check', id, request);
  if (range === undefined) return noChange;
  try {
    const { items, rejected } = await service.listOutages({ checkId: id, ...range }, signal);
    requireComplete('list_outages', rejected);
    const isCreationKnown = state.checks.get(id)?.entry.createdAtSeconds !== undefined;
    const past = pastWithin(range, items, isCreationKnown);
    await backfill.job.readCheck(id, past.range, past.spans);
    return { ...result(items.length, rejected), isUnfinished: backfill.job.isOpen(id) };
  } catch (error) {
    if (isDenied(error)) await backfill.job.refusedCheck(id, error.message);
    throw error;
  }
}

/** The states of a range, without gaps; from the first report if the creation is unknown. */
function pastWithin(
  range: TimeRange,
  reported: readonly StateSpan<'up' | 'down' | 'unknown'>[],
  isCreationKnown: boolean,
): { readonly range: TimeRange; readonly spans: readonly StateSpan[] } {
  const first = reported[0]?.fromSeconds ?? range.toSeconds;
  const fromSeconds = isCreationKnown ? range.fromSeconds : Math.max(range.fromSeconds, first);
  const known = { fromSeconds: Math.min(fromSeconds, range.toSeconds), toSeconds: range.toSeconds };
  return { range: known, spans: fillSpans(reported, known.fromSeconds, known.toSeconds) };
}

/** Reads the next part of a check's response times before first sight, with one request. */
async function readResponseTimes(
  { service, state }: Context,
  id: number,
  period: TimeRange,
  signal: AbortSignal,
): Promise<RefreshResult> {
  const { job } = state.backfill;
  // An hour that begins within the range may end after it, because hours follow the account's time
  // zone.
  const toSeconds = period.toSeconds + hourSeconds;
  const query = { checkId: id, ...period, toSeconds, resolution: 'hour' } as const;
  try {
    const { items, rejected } = await service.performance(query, signal);
    requireComplete('get_performance', rejected);
    const hours = items.filter(
      ({ complete, startAtSeconds }) => complete && startAtSeconds < period.toSeconds,
    );
    await job.readResponseTimes(id, period.toSeconds, runsOf(hours));
    return { ...result(items.length, rejected), isUnfinished: job.isOpen(id) };
  } catch (error) {
    if (isDenied(error)) await job.refusedResponseTimes(id, error.message);
    // The service limits the range of an hourly report, and does not document the limit (API 3.1,
    // section 4.4).
    const isTooLong = error instanceof ApiError && error.reason === 'bad_request';
    if (!isTooLong || !(await job.shortenReports(period))) throw error;
    return { ...result(0), isUnfinished: true };
  }
}

async function readAccount(context: Context, request: BackfillRequest, signal: AbortSignal) {
  const { service, state } = context;
  const { backfill } = state;
  const period = { fromSeconds: request.fromSeconds, toSeconds: unixSeconds(context.clock) };
  const maintenance = await readMaintenance(context, period, signal);
  const ids = backfill.job.ids('transaction');
  const reports =
    ids.length === 0
      ? { items: [], rejected: [] }
      : await service.listTransactionStates(period, signal);
  requireComplete('list_transaction_states', reports.rejected);
  const statesOf = new Map(
    reports.items.map(({ transactionId, states = [] }) => [transactionId, states]),
  );
  const pasts = ids.flatMap((id) => {
    const range = backfill.rangeOf('transaction', id, request);
    if (range === undefined) return [];
    const isCreationKnown = state.transactions.get(id)?.entry.createdAtSeconds !== undefined;
    const past = pastWithin(range, statesOf.get(id) ?? [], isCreationKnown);
    return [{ id, ...past }];
  });
  await backfill.job.readAccount(maintenance, pasts);
  return result(pasts.length);
}

/** The maintenance of each check of the job; none if the account may not read it. */
async function readMaintenance(
  { service, state }: Context,
  period: TimeRange,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, readonly TimeRange[]>> {
  if (!service.capabilities.has('list_maintenance')) return new Map();
  try {
    const windows = await service.listMaintenance(signal);
    const occurrences = await occurrencesOf(windows.items, service, period, signal);
    const ofCheck = occurrencesByCheck({ windows: windows.items, occurrences: occurrences.items });
    const ids = state.backfill.job.ids('check');
    return new Map(
      ids.map((id) => [id, clip(union(ofCheck(id)), period.fromSeconds, period.toSeconds)]),
    );
  } catch (error) {
    if (isDenied(error)) return new Map();
    throw error;
  }
}

/** Returns whether the service refused access to the account. */
function isDenied(error: unknown): error is ApiError {
  return error instanceof ApiError && ['forbidden', 'not_found'].includes(error.reason);
}
