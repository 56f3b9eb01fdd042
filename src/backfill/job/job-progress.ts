import type { TimeRange } from '../../domain/interval.ts';
import { type ItemKind, itemKinds } from '../../store/store.ts';
import { type BackfillRequest, requestOf } from './backfill-request.ts';
import type { BackfillJobDocument } from './documents.ts';
import type { JobPasts } from './job-pasts.ts';
import { reportsOf } from './response-time-reports.ts';

/** The subject of a refresh: one check by its id, or maintenance together with all transactions. */
export type BackfillId = number | 'account';

/** Whether an item can be read now. */
export type Readiness = 'ready' | 'waiting' | 'gone';

/** The items of a job by what has become of them, and the requests that are left. */
interface JobProgress {
  readonly items: number;
  /** Items with a stored past. */
  readonly read: number;
  /** Items that were read although entries of a report could not be; such as `check 12`. */
  readonly incomplete: readonly string[];
  /** Items that the account may not read. */
  readonly refused: number;
  /** Items that were removed before they were read. */
  readonly gone: number;
  /** Items that were first seen too recently: the service's report may not be complete yet. */
  readonly waiting: number;
  /** The number of refreshes that can run now. */
  readonly open: number;
  /** The number of requests until all readable items are read. */
  readonly requestsLeft: number;
}

/** A job, and the part of it that is still unread. */
export type BackfillJobState = BackfillRequest &
  JobProgress & { readonly requestedAtSeconds: number };

/** The facts from which the progress of a job is computed. */
interface JobFacts {
  readonly pasts: JobPasts;
  readonly open: ReadonlySet<BackfillId>;
  readonly readiness: (kind: ItemKind, id: number) => Readiness;
  /** The past of a check within the range of the request; undefined if there is none. */
  readonly rangeOf: (id: number, request: BackfillRequest) => TimeRange | undefined;
}

export function jobProgress(job: BackfillJobDocument, facts: JobFacts): JobProgress {
  const { pasts, open, readiness } = facts;
  const incomplete: string[] = [];
  const counts = { items: 0, read: 0, refused: 0, gone: 0, waiting: 0 };
  for (const kind of itemKinds) {
    for (const id of job[kind]) {
      counts.items += 1;
      const past = pasts.get(kind, id);
      if (past !== undefined && pasts.isRead(job, kind, id)) {
        counts['states' in past ? 'read' : 'refused'] += 1;
        if (pasts.unreadable(kind, id) > 0) incomplete.push(`${kind} ${id}`);
      } else if (readiness(kind, id) === 'gone') counts.gone += 1;
      else if (isWaiting(kind, id, facts)) counts.waiting += 1;
    }
  }
  return { ...counts, incomplete, open: open.size, requestsLeft: requestsLeft(job, facts) };
}

/** An item that has become readable waits for the next list, which opens it. */
function isWaiting(kind: ItemKind, id: number, { pasts, open, readiness }: JobFacts): boolean {
  if (readiness(kind, id) === 'waiting') return true;
  if (kind === 'check') return !open.has(id);
  return pasts.maintenance === undefined && !open.has('account');
}

/** Maintenance and all transactions count as one. */
function requestsLeft(job: BackfillJobDocument, { pasts, readiness, rangeOf }: JobFacts): number {
  let requests = pasts.maintenance === undefined ? 1 : 0;
  for (const id of job.check) {
    if (pasts.isRead(job, 'check', id) || readiness('check', id) === 'gone') continue;
    const hasStates = pasts.get('check', id) !== undefined;
    const range = hasStates ? pasts.responseTimesLeft(job, id) : rangeOf(id, requestOf(job));
    if (!hasStates) requests += 1;
    if (range !== undefined) requests += reportsOf(range, job.reportSeconds);
  }
  return requests;
}
