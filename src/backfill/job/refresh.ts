import { ApiError } from '../../api/errors.ts';
import type { RejectedEntry } from '../../api/service.ts';
import { occurrencesOf } from '../../datasets/maintenance.ts';
import { type RefreshContext, requireComplete } from '../../datasets/refresh-context.ts';
import { requestedFrom } from '../../datasets/transactions.ts';
import type { StateSpan, TimeRange } from '../../domain/interval.ts';
import { unixSeconds } from '../../lib/clock.ts';
import { nothingLeft, type Refresh, type RefreshResult, result } from '../../schedule/refresh.ts';
import { runsOf } from '../../slo/hourly-averages.ts';
import { occurrencesByItem } from '../../state/maintenance.ts';
import type { ItemKind } from '../../store/store.ts';
import { fillSpans } from '../../tally/apply-report.ts';
import { type IncompleteItem, isUsable } from '../../tally/incomplete-reports.ts';
import { clip, union } from '../../tally/maintenance-tally.ts';
import { withoutPresentPause } from '../../tally/reported-pauses.ts';
import { encodeStates } from '../series/past-states.ts';
import type { BackfillJob } from './backfill-job.ts';
import type { JobDocument, PastDocument } from './documents.ts';

const hourSeconds = 3_600;

/** An operator waits for the job, and the agenda requests a report three times in this time. */
const backfillPatience = { givenUpAfterSeconds: 900, leastAskingSeconds: 900 };

interface BackfillRefreshOptions extends Pick<RefreshContext, 'service' | 'state' | 'clock'> {
  readonly job: BackfillJob;
  /** Called for a report that stays incomplete: the rest is unmonitored, or unmeasured. */
  readonly onIncomplete: (kind: ItemKind, id: number, unreadable: number) => void;
}

/**
 * Reads the past that an operator requested: of one check, or of all transactions and the account's
 * maintenance. The past is stored before the refresh succeeds. It changes no counter. A report with
 * entries that cannot be read is requested again for a quarter of an hour. Then the rest of it is
 * used, so that the job ends.
 */
export function readBackfillItem(context: BackfillRefreshOptions): Refresh {
  const { job } = context;
  return (id, signal) => {
    const open = job.open(id);
    if (job.request === undefined || open === undefined) return Promise.resolve(nothingLeft);
    if (id === 'account') return readAccount(context, open, job.request, signal);
    const unmeasured = job.unmeasured(id);
    return unmeasured === undefined
      ? readCheck(context, open, id, job.request, signal)
      : readResponseTimes(context, open, id, firstReport(unmeasured, job.request), signal);
  };
}

/** Throws an `ApiError` if the report must be requested again. Returns its unreadable entries. */
function unreadableIn(
  { clock }: BackfillRefreshOptions,
  open: IncompleteItem,
  operation: string,
  rejected: readonly RejectedEntry[],
): number {
  const read = { isComplete: rejected.length === 0, nowSeconds: unixSeconds(clock) };
  if (!isUsable(open, read, backfillPatience)) requireComplete(operation, rejected);
  return rejected.length;
}

async function readCheck(
  context: BackfillRefreshOptions,
  open: IncompleteItem,
  id: number,
  request: JobDocument,
  signal: AbortSignal,
) {
  const { service, state, job, onIncomplete } = context;
  const range = job.unread.of('check', id, request);
  if (range === undefined) return nothingLeft;
  try {
    const { items, rejected } = await service.listOutages({ checkId: id, ...range }, signal);
    const unreadable = unreadableIn(context, open, 'list_outages', rejected);
    const entry = state.checks.get(id)?.entry;
    const states = entry === undefined ? items : withoutPresentPause(items, entry);
    await job.read(id, pastWithin(range, states, entry, unreadable));
    if (unreadable > 0) onIncomplete('check', id, unreadable);
    return result(items.length, rejected);
  } catch (error) {
    if (isDenied(error)) await job.read(id, { refusal: error.message });
    throw error;
  }
}

/** The states of a range, without gaps; from the first report if the creation is unknown. */
function pastWithin(
  { fromSeconds, toSeconds }: TimeRange,
  reported: readonly StateSpan<'up' | 'down' | 'unknown'>[],
  entry: { readonly createdAtSeconds?: number } | undefined,
  unreadable: number,
): PastDocument {
  const first = reported[0]?.fromSeconds ?? toSeconds;
  const isCreationKnown = entry?.createdAtSeconds !== undefined;
  const from = isCreationKnown ? fromSeconds : Math.min(Math.max(fromSeconds, first), toSeconds);
  const states = encodeStates(fillSpans(reported, from, toSeconds));
  const past = { fromSeconds: from, toSeconds, states };
  return { past, ...(unreadable > 0 && { unreadable }) };
}

function firstReport({ fromSeconds, toSeconds }: TimeRange, { reportSeconds }: JobDocument) {
  return { fromSeconds, toSeconds: Math.min(toSeconds, fromSeconds + reportSeconds) };
}

/** Reads the next part of a check's response times before first sight, with one request. */
async function readResponseTimes(
  context: BackfillRefreshOptions,
  open: IncompleteItem,
  id: number,
  period: TimeRange,
  signal: AbortSignal,
): Promise<RefreshResult> {
  const { service, job, onIncomplete } = context;
  // An hour that begins within the range may end after it, because hours follow the account's time
  // zone.
  const toSeconds = period.toSeconds + hourSeconds;
  const query = { checkId: id, ...period, toSeconds, resolution: 'hour' } as const;
  const read = job.past('check', id) ?? {};
  try {
    const { items, rejected } = await service.performance(query, signal);
    const unreadable = unreadableIn(context, open, 'get_performance', rejected);
    const hours = items.filter(
      ({ complete, startAtSeconds }) => complete && startAtSeconds < period.toSeconds,
    );
    const unreadableSoFar = (read.unreadable ?? 0) + unreadable;
    await job.read(id, {
      ...read,
      responseTimes: [...(read.responseTimes ?? []), ...runsOf(hours)],
      measuredUntilSeconds: period.toSeconds,
      ...(unreadableSoFar > 0 && { unreadable: unreadableSoFar }),
    });
    if (unreadable > 0) onIncomplete('check', id, unreadable);
    return result(items.length, rejected);
  } catch (error) {
    // States can be readable even if response times are not.
    if (isDenied(error))
      await job.read(id, { ...read, measuredUntilSeconds: read.past?.toSeconds ?? 0 });
    // The service limits the range of an hourly report, and does not document the limit (API 3.1,
    // section 4.4).
    const isTooLong = error instanceof ApiError && error.reason === 'bad_request';
    if (!isTooLong || !(await job.shortenReports(period))) throw error;
    return result(0);
  }
}

async function readAccount(
  context: BackfillRefreshOptions,
  open: IncompleteItem,
  job: JobDocument,
  signal: AbortSignal,
) {
  const { service, state, onIncomplete } = context;
  const period = { fromSeconds: job.fromSeconds, toSeconds: unixSeconds(context.clock) };
  const maintenance = await readMaintenance(context, job, period, signal);
  const begin = job.transaction
    .flatMap((id) => state.transactions.get(id)?.entry ?? [])
    .reduce(
      (least, entry) => Math.min(least, requestedFrom(entry, job.fromSeconds)),
      job.fromSeconds,
    );
  const reports =
    job.transaction.length === 0
      ? { items: [], rejected: [] }
      : await service.listTransactionStates({ ...period, fromSeconds: begin }, signal);
  const { rejected } = reports;
  const unreadable = unreadableIn(context, open, 'list_transaction_states', rejected);
  const reportOf = new Map(reports.items.map((report) => [report.transactionId, report]));
  const ofReports = reports.items.reduce((sum, report) => sum + (report.unreadable ?? 0), 0);
  // A report that was rejected as a whole may belong to any transaction without one.
  const absent = { states: [], unreadable: unreadable - ofReports };
  const pasts = new Map<number, PastDocument>();
  for (const id of job.transaction) {
    const range = context.job.unread.of('transaction', id, job);
    if (range === undefined) continue;
    const { states, unreadable = 0 } = reportOf.get(id) ?? absent;
    const { entry } = state.transactions.get(id) ?? {};
    pasts.set(id, pastWithin(range, states, entry, unreadable));
  }
  await context.job.readAccount(maintenance, pasts);
  for (const [id, { unreadable = 0 }] of pasts) {
    if (unreadable > 0) onIncomplete('transaction', id, unreadable);
  }
  return result(pasts.size, rejected);
}

type Maintenance = NonNullable<JobDocument['maintenance']>;

/** The maintenance of the items of a job that have any; none if the account may not read it. */
async function readMaintenance(
  { service }: BackfillRefreshOptions,
  job: JobDocument,
  period: TimeRange,
  signal: AbortSignal,
): Promise<Maintenance> {
  if (!service.capabilities.has('list_maintenance')) return { check: [], transaction: [] };
  try {
    const windows = await service.listMaintenance(signal);
    const occurrences = await occurrencesOf(windows.items, service, period, signal);
    const read = { windows: windows.items, occurrences: occurrences.items };
    const ofKind = (kind: keyof Maintenance) => {
      const occurrencesOfItem = occurrencesByItem(kind, read);
      return job[kind]
        .map((id): Maintenance['check'][number] => {
          const all = clip(union(occurrencesOfItem(id)), period.fromSeconds, period.toSeconds);
          return [id, all.map(({ fromSeconds, toSeconds }) => [fromSeconds, toSeconds])];
        })
        .filter(([, all]) => all.length > 0);
    };
    return { check: ofKind('check'), transaction: ofKind('transaction') };
  } catch (error) {
    if (isDenied(error)) return { check: [], transaction: [] };
    throw error;
  }
}

/** Returns whether the service refused access to the account. */
function isDenied(error: unknown): error is ApiError {
  return error instanceof ApiError && ['forbidden', 'not_found'].includes(error.reason);
}
