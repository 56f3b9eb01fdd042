import { ApiError } from '../../api/errors.ts';
import type { RejectedEntry } from '../../api/service.ts';
import { occurrencesOf } from '../../datasets/maintenance.ts';
import { type RefreshContext, requireComplete } from '../../datasets/refresh-context.ts';
import type { ItemId } from '../../domain/dataset.ts';
import type { StateSpan, TimeRange } from '../../domain/interval.ts';
import { unixSeconds } from '../../lib/clock.ts';
import { noChange, type Refresh, type RefreshResult, result } from '../../schedule/refresh.ts';
import { runsOf } from '../../slo/hourly-averages.ts';
import { occurrencesByItem } from '../../state/maintenance.ts';
import type { ItemKind } from '../../store/store.ts';
import { fillSpans } from '../../tally/apply-report.ts';
import { IncompleteReports } from '../../tally/incomplete-reports.ts';
import { clip, union } from '../../tally/maintenance-tally.ts';
import type { AccountBackfill } from './account-backfill.ts';
import type { MaintenanceByKind } from './backfill-job.ts';
import type { BackfillRequest } from './backfill-request.ts';

const hourSeconds = 3_600;

/** An operator waits for the job, and the agenda requests a report three times in this time. */
const patience = { givenUpAfterSeconds: 900, leastAskingSeconds: 900 };

interface BackfillRefreshOptions extends Pick<RefreshContext, 'service' | 'state' | 'clock'> {
  readonly backfill: AccountBackfill;
  /** Called for a report that stays incomplete: the rest is unmonitored, or unmeasured. */
  readonly onIncomplete: (kind: ItemKind, id: number, unreadable: number) => void;
}

type Context = BackfillRefreshOptions & {
  readonly incomplete: IncompleteReports<ItemId>;
};

/**
 * Reads the past that an operator requested: of one check, or of all transactions and the account's
 * maintenance. The past is stored before the refresh succeeds. It changes no counter. A report with
 * entries that cannot be read is requested again for a quarter of an hour. Then the rest of it is
 * used, so that the job ends.
 */
export function refreshBackfill(options: BackfillRefreshOptions): Refresh {
  const context = { ...options, incomplete: new IncompleteReports<ItemId>(patience) };
  const { job } = options.backfill;
  const refresh: Refresh = (id, signal) => {
    if (job.request === undefined || !job.isOpen(id)) return Promise.resolve(noChange);
    if (id === 'account') return readAccount(context, job.request, signal);
    const period = job.responseTimesToRead(id);
    return period === undefined
      ? readCheck(context, id, job.request, signal)
      : readResponseTimes(context, id, period, signal);
  };
  return Object.assign(refresh, { items: job });
}

/** Throws an `ApiError` if the report must be requested again. Returns its unreadable entries. */
function unreadableIn(
  { incomplete, clock }: Context,
  id: ItemId,
  operation: string,
  rejected: readonly RejectedEntry[],
): number {
  const isUsable = incomplete.isUsable(id, rejected.length === 0, unixSeconds(clock));
  if (!isUsable) requireComplete(operation, rejected);
  return rejected.length;
}

async function readCheck(
  context: Context,
  id: number,
  request: BackfillRequest,
  signal: AbortSignal,
) {
  const { service, state, backfill, onIncomplete } = context;
  const range = backfill.rangeOf('check', id, request);
  if (range === undefined) return noChange;
  try {
    const { items, rejected } = await service.listOutages({ checkId: id, ...range }, signal);
    const unreadable = unreadableIn(context, id, 'list_outages', rejected);
    const isCreationKnown = state.checks.get(id)?.entry.createdAtSeconds !== undefined;
    const past = pastWithin(range, items, isCreationKnown);
    await backfill.job.readCheck({ id, ...past, unreadable });
    if (unreadable > 0) onIncomplete('check', id, unreadable);
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
  context: Context,
  id: number,
  period: TimeRange,
  signal: AbortSignal,
): Promise<RefreshResult> {
  const { service, backfill, onIncomplete } = context;
  const { job } = backfill;
  // An hour that begins within the range may end after it, because hours follow the account's time
  // zone.
  const toSeconds = period.toSeconds + hourSeconds;
  const query = { checkId: id, ...period, toSeconds, resolution: 'hour' } as const;
  try {
    const { items, rejected } = await service.performance(query, signal);
    const unreadable = unreadableIn(context, id, 'get_performance', rejected);
    const hours = items.filter(
      ({ complete, startAtSeconds }) => complete && startAtSeconds < period.toSeconds,
    );
    await job.readResponseTimes(id, {
      ...{ untilSeconds: period.toSeconds, runs: runsOf(hours), unreadable },
    });
    if (unreadable > 0) onIncomplete('check', id, unreadable);
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
  const { service, state, backfill, onIncomplete } = context;
  const period = { fromSeconds: request.fromSeconds, toSeconds: unixSeconds(context.clock) };
  const maintenance = await readMaintenance(context, period, signal);
  const ids = backfill.job.itemsOf('transaction');
  const reports =
    ids.length === 0
      ? { items: [], rejected: [] }
      : await service.listTransactionStates(period, signal);
  const { rejected } = reports;
  const unreadable = unreadableIn(context, 'account', 'list_transaction_states', rejected);
  const reportOf = new Map(reports.items.map((report) => [report.transactionId, report]));
  const ofReports = reports.items.reduce((sum, report) => sum + (report.unreadable ?? 0), 0);
  // A report that was rejected as a whole may belong to any transaction without one.
  const absent = { states: [], unreadable: unreadable - ofReports };
  const pasts = ids.flatMap((id) => {
    const range = backfill.rangeOf('transaction', id, request);
    if (range === undefined) return [];
    const isCreationKnown = state.transactions.get(id)?.entry.createdAtSeconds !== undefined;
    const { states, unreadable = 0 } = reportOf.get(id) ?? absent;
    return [{ id, ...pastWithin(range, states, isCreationKnown), unreadable }];
  });
  await backfill.job.readAccount(maintenance, pasts);
  for (const { id, unreadable } of pasts) {
    if (unreadable > 0) onIncomplete('transaction', id, unreadable);
  }
  return result(pasts.length, rejected);
}

const noMaintenance: MaintenanceByKind = { check: new Map(), transaction: new Map() };

/** The maintenance of each item of the job; none if the account may not read it. */
async function readMaintenance(
  { service, backfill }: Context,
  period: TimeRange,
  signal: AbortSignal,
): Promise<MaintenanceByKind> {
  if (!service.capabilities.has('list_maintenance')) return noMaintenance;
  try {
    const windows = await service.listMaintenance(signal);
    const occurrences = await occurrencesOf(windows.items, service, period, signal);
    const read = { windows: windows.items, occurrences: occurrences.items };
    const ofKind = (kind: keyof MaintenanceByKind) => {
      const occurrencesOfItem = occurrencesByItem(kind, read);
      return new Map(
        backfill.job
          .itemsOf(kind)
          .map((id) => [
            id,
            clip(union(occurrencesOfItem(id)), period.fromSeconds, period.toSeconds),
          ]),
      );
    };
    return { check: ofKind('check'), transaction: ofKind('transaction') };
  } catch (error) {
    if (isDenied(error)) return noMaintenance;
    throw error;
  }
}

/** Returns whether the service refused access to the account. */
function isDenied(error: unknown): error is ApiError {
  return error instanceof ApiError && ['forbidden', 'not_found'].includes(error.reason);
}
