import type { RequestHandler } from 'express';
import {
  accountsIn,
  elsewhereOf,
  queryOf,
  requireHere,
  requireOneOf,
  timeParameter,
} from '../../http/common/query.ts';
import { NotReadyError, QueryError, respondOrExplain } from '../../http/common/query-errors.ts';
import { sendPieces } from '../../http/common/send-pieces.ts';
import { jsonText, plainText } from '../../http/common/text-response.ts';
import type { Route, StatusSource } from '../../http/ports.ts';
import { unixSeconds, type WallClock } from '../../lib/clock.ts';
import { formatInstant, instantForms } from '../../lib/instant.ts';
import { present } from '../../lib/present.ts';
import type { BackfillControl, BackfillCost, BackfillView } from '../job/control.ts';
import type { BackfillRequest } from '../job/documents.ts';

interface BackfillOptions {
  /** The backfills of all accounts that are served here. */
  readonly controls: () => readonly BackfillControl[];
  readonly status: Pick<StatusSource, 'replicas'>;
  readonly clock: WallClock;
}

const nameOf = ({ account }: BackfillControl) => account;

const ofJob = ['from', 'to', 'response_times'] as const;

export function backfillRoutes(options: BackfillOptions): readonly Route[] {
  return [
    { path: '/-/backfill', get: showJobs(options), post: beginJob(options) },
    { path: '/-/backfill/items', get: showItems(options) },
  ];
}

/** Responds with the jobs' progress and, with `from`, the cost of a job. Never calls the API. */
function showJobs({ controls, status, clock }: BackfillOptions): RequestHandler {
  return (request, response) =>
    respondOrExplain(response, () => {
      const query = queryOf(request.url, { once: ofJob, repeatable: ['account'] });
      const period = query.has('from') ? requestOf(query, unixSeconds(clock)) : undefined;
      const jobs = controls();
      requireHere(query.getAll('account'), elsewhereOf(jobs.map(nameOf), status));
      const accounts = accountsIn(query, jobs, nameOf).map((control) => ({
        account: control.account,
        time_zone: control.calendar.zone,
        months: control.calendar.begun.map(({ name, zone, fromSeconds, toSeconds }) => ({
          ...{ month: name, time_zone: zone },
          ...{ from: formatInstant(fromSeconds), to: formatInstant(toSeconds) },
        })),
        ...(control.view !== undefined && { job: backfillJson(control.view) }),
        ...(period !== undefined && control.isListRead && { cost: costJson(control.cost(period)) }),
      }));
      jsonText(response, JSON.stringify({ accounts }));
    });
}

/** Starts a job; the same request again returns its progress. */
function beginJob({ controls, status, clock }: BackfillOptions): RequestHandler {
  return (request, response) =>
    respondOrExplain(response, async () => {
      const query = queryOf(request.url, { once: ['account', ...ofJob] });
      const control = controlOf(query, controls(), status);
      if (!control.isListRead) {
        const name = JSON.stringify(control.account);
        throw new NotReadyError(`no backfill: the check list of ${name} is not read yet`);
      }
      const outcome = await control.begin(requestOf(query, unixSeconds(clock)));
      if ('refusal' in outcome) {
        plainText(response, outcome.isConflict ? 409 : 400, `No backfill: ${outcome.refusal}.`);
      } else {
        const job = outcome.view && backfillJson(outcome.view);
        jsonText(response, JSON.stringify({ account: control.account, job }), 202);
      }
    });
}

/** Responds with the items that a job has read, one per line, for `uptime-exporter backfill`. */
function showItems({ controls, status }: BackfillOptions): RequestHandler {
  return (request, response) =>
    respondOrExplain(response, () => {
      const control = controlOf(queryOf(request.url, { once: ['account'] }), controls(), status);
      if (control.view === undefined) {
        plainText(response, 404, 'No backfill job was begun: use POST /-/backfill.');
        return;
      }
      const type = 'application/x-ndjson; charset=utf-8';
      sendPieces(request, response, { type, pieces: linesOf(control) });
    });
}

/** Items are sent in pieces of this size, so that scrapes are handled in between. */
const itemsPerPiece = 64;

function* linesOf(control: BackfillControl): Iterable<string> {
  let piece = '';
  let items = 0;
  for (const item of control.items()) {
    piece += `${JSON.stringify(item)}\n`;
    items += 1;
    if (items % itemsPerPiece !== 0) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function requestOf(query: URLSearchParams, nowSeconds: number): BackfillRequest {
  const fromSeconds = wholeSeconds(query, 'from');
  const toSeconds = wholeSeconds(query, 'to');
  if (fromSeconds === undefined) throw new QueryError(`from is missing: ${instantForms}`);
  if (fromSeconds >= nowSeconds) throw new QueryError('from must be in the past');
  if (toSeconds !== undefined && toSeconds <= fromSeconds) {
    throw new QueryError('to must be later than from');
  }
  const responseTimes = query.get('response_times') ?? 'false';
  requireOneOf('response_times', responseTimes, ['true', 'false']);
  return {
    fromSeconds,
    ...present({ toSeconds }),
    ...(responseTimes === 'true' && { responseTimes: true }),
  };
}

function wholeSeconds(query: URLSearchParams, name: string): number | undefined {
  const seconds = timeParameter(query, name);
  return seconds === undefined ? undefined : Math.floor(seconds);
}

/** The backfill of the query's account, which a query may omit if there is only one. */
function controlOf(
  query: URLSearchParams,
  controls: readonly BackfillControl[],
  status: BackfillOptions['status'],
): BackfillControl {
  const elsewhere = elsewhereOf(controls.map(nameOf), status);
  // Only the replica that owns an account has its job.
  requireHere(query.getAll('account'), elsewhere);
  const [control, another] = accountsIn(query, controls, nameOf);
  if (control !== undefined && another === undefined) return control;
  const names = [...controls.map(nameOf), ...elsewhere.map(({ account }) => account)];
  throw new QueryError(`account must name one of ${names.join(', ')}`);
}

/** `waiting`: the checks that are left were first seen too recently. */
export function backfillState({ open, waiting }: BackfillView): 'running' | 'waiting' | 'done' {
  return open > 0 ? 'running' : waiting > 0 ? 'waiting' : 'done';
}

/** At most this many incomplete items are named. `/-/backfill/items` has all. */
const mostNamed = 100;

/** Returns the progress of a job, for programs. */
export function backfillJson(view: BackfillView) {
  const { fromSeconds, toSeconds, responseTimes, requestedAtSeconds, ...more } = view;
  const { requestsLeft, doneInSeconds, incomplete, ...counts } = more;
  return {
    state: backfillState(view),
    from: formatInstant(fromSeconds),
    to: toSeconds === undefined ? undefined : formatInstant(toSeconds),
    response_times: responseTimes,
    requested_at: formatInstant(requestedAtSeconds),
    ...counts,
    incomplete: incomplete.length,
    incomplete_items: incomplete.slice(0, mostNamed),
    requests_left: requestsLeft,
    seconds_left: doneInSeconds === undefined ? undefined : Math.ceil(doneInSeconds),
  };
}

function costJson({ seconds, ...cost }: BackfillCost) {
  return { ...cost, seconds: seconds === undefined ? undefined : Math.ceil(seconds) };
}
