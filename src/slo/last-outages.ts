import { z } from 'zod';
import { lastTestFailed } from '../domain/check.ts';
import type { TimeRange } from '../domain/interval.ts';
import type { Analysis, Result } from '../domain/results.ts';
import type { TransactionStateSpan } from '../domain/transaction.ts';
import { present } from '../lib/present.ts';
import { amount, optional, type TypeOf } from '../lib/schema.ts';
import { type ItemStates, type KnownOutage, knownOutages } from './reported-states.ts';

/** The number of outages that the views show. */
const outagesKept = 20;
/** Room for two notes per outage, because most outages have one cause. */
const notesKept = 2 * outagesKept;
/** In seconds. A first failed test and its analysis may precede the confirmation by this. */
export const earlySeconds = 3_600;

export const noteSchema = z.object({
  atSeconds: amount,
  cause: optional.text,
  analysisId: optional.id,
});
/** The cause of a failure (failed test or step), or the id of its analysis. UNIX seconds. */
export type OutageNote = TypeOf<typeof noteSchema>;

/** An outage with what is known of its cause. */
export interface LastOutage extends KnownOutage {
  /** The causes that a check's probes reported, or the failed steps; empty if unknown. */
  readonly causes: readonly string[];
  /** The id of its root cause analysis. */
  readonly analysisId?: number;
}

/** The last 20 outages, newest first. */
export function lastOutages(
  item: ItemStates,
  notes: readonly OutageNote[] = [],
): readonly LastOutage[] {
  const outages = knownOutages(item).slice(-outagesKept);
  return outages
    .map((outage, place): LastOutage => {
      const { fromSeconds, endsLater } = outage;
      const before = outages[place - 1]?.toSeconds ?? 0;
      const toSeconds = (endsLater ? undefined : outage.toSeconds) ?? Number.POSITIVE_INFINITY;
      const earliest = Math.max(before, earliestNote(item, fromSeconds));
      const ofOutage = notesOf({ fromSeconds, toSeconds }, notes, earliest);
      const analysisId = ofOutage.findLast((note) => note.analysisId !== undefined)?.analysisId;
      return { ...outage, causes: causesIn(ofOutage), ...present({ analysisId }) };
    })
    .reverse();
}

/**
 * Time that is not counted may have outages that are not known yet: an outage after it has no notes from
 * before the test that preceded it.
 */
function earliestNote({ known, endSeconds }: ItemStates, fromSeconds: number): number {
  const { resolutionSeconds = 0 } = known.states;
  return resolutionSeconds > 0 && fromSeconds > endSeconds
    ? fromSeconds - 2 * resolutionSeconds
    : 0;
}

/** The causes of an outage, after the end of the one before it. */
export function causesOf(
  outage: TimeRange,
  notes: readonly OutageNote[],
  beforeSeconds: number,
): readonly string[] {
  return causesIn(notesOf(outage, notes, beforeSeconds));
}

function notesOf(
  { fromSeconds, toSeconds }: TimeRange,
  notes: readonly OutageNote[],
  beforeSeconds: number,
): OutageNote[] {
  const earliest = Math.max(beforeSeconds, fromSeconds - earlySeconds);
  return notes.filter(({ atSeconds }) => atSeconds >= earliest && atSeconds < toSeconds);
}

function causesIn(notes: readonly OutageNote[]): readonly string[] {
  return [...new Set(notes.flatMap(({ cause }) => cause ?? []))];
}

/** Adds a note for consecutive failed tests with one cause. The same object if none is new. */
export function notesOfResults(
  notes: readonly OutageNote[] = [],
  results: readonly Result[],
): readonly OutageNote[] {
  const fresh: OutageNote[] = [];
  let before: string | undefined;
  for (const { atSeconds, status, description } of results) {
    const cause = lastTestFailed(status) ? description : undefined;
    if (cause !== undefined && cause !== before) fresh.push({ atSeconds, cause });
    before = cause;
  }
  return withNotes(notes, fresh);
}

/**
 * Adds notes of the failed steps of a report. If `isInOutage`, an outage was open at the start of
 * the report: a first span with the same failed step then continues that outage. Returns the same
 * object if there are no new notes.
 */
export function notesOfSteps(
  notes: readonly OutageNote[] = [],
  spans: readonly TransactionStateSpan[],
  isInOutage: boolean,
): readonly OutageNote[] {
  const last = isInOutage ? notes.at(-1)?.cause : undefined;
  const fresh = spans.flatMap(({ state, fromSeconds, failedStep }, place) => {
    if (state !== 'down' || failedStep === undefined) return [];
    const cause = `Step ${failedStep} failed`;
    return place === 0 && cause === last ? [] : [{ atSeconds: fromSeconds, cause }];
  });
  return withNotes(notes, fresh);
}

export function notesOfAnalyses(
  notes: readonly OutageNote[] = [],
  analyses: readonly Analysis[],
): readonly OutageNote[] {
  const fresh = analyses.flatMap(({ id, confirmTestAtSeconds, firstTestAtSeconds }) => {
    const atSeconds = confirmTestAtSeconds ?? firstTestAtSeconds;
    return atSeconds === undefined ? [] : [{ atSeconds, analysisId: id }];
  });
  return withNotes(notes, fresh);
}

function withNotes(
  notes: readonly OutageNote[],
  fresh: readonly OutageNote[],
): readonly OutageNote[] {
  if (fresh.length === 0) return notes;
  const known = new Map(
    [...notes, ...fresh].map((note) => [
      `${note.atSeconds} ${note.cause ?? note.analysisId}`,
      note,
    ]),
  );
  return [...known.values()].sort((a, b) => a.atSeconds - b.atSeconds).slice(-notesKept);
}

/** The median and the 95th percentile of the response times in a range of time. */
export const quantilesSchema = z.object({
  fromSeconds: amount,
  toSeconds: amount,
  p50Seconds: amount,
  p95Seconds: amount,
});
export type ResponseQuantiles = TypeOf<typeof quantilesSchema>;

/** With fewer, the 95th percentile is the longest time. */
const minTimes = 20;

/** The quantiles of these results; undefined if too few have a response time. */
export function quantilesOf(
  { fromSeconds, toSeconds }: TimeRange,
  results: readonly Result[],
): ResponseQuantiles | undefined {
  const times = results.flatMap((result) => result.responseTimeSeconds ?? []).sort((a, b) => a - b);
  // The quantile is computed by the nearest rank.
  const rank = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)];
  const [p50Seconds, p95Seconds] = [rank(0.5), rank(0.95)];
  if (times.length < minTimes || p50Seconds === undefined || p95Seconds === undefined) {
    return undefined;
  }
  return { fromSeconds, toSeconds, p50Seconds, p95Seconds };
}
