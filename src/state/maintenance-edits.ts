import { overlaps } from '../domain/interval.ts';
import {
  type CorrectedMaintenance,
  isEmpty,
  type MaintenanceMembers,
  type MaintenanceSpan,
  type MaintenanceWindow,
  membersByOccurrence,
  type OccurrenceMembers,
  occurrenceKey,
  without,
} from '../domain/maintenance.ts';
import { getOrMake } from '../lib/get-or-make.ts';
import { plainEqual } from '../lib/plain-equal.ts';

type Listed = Pick<CorrectedMaintenance, 'windows' | 'occurrences'>;
type CorrectedPast = Pick<CorrectedMaintenance, 'unplanned'> &
  Required<Pick<CorrectedMaintenance, 'ended'>>;

/** UNIX seconds of the service's clock. */
export interface ReadTimes {
  /** When what is known was last reported; negative infinity if that is not known. */
  readonly readAtSeconds: number;
  readonly nowSeconds: number;
  /** What ended by then is no longer needed: no state of that time is known, or is still in a log. */
  readonly keptFromSeconds: number;
}

/** A window before and after an edit, with its occurrences. */
interface Edit {
  readonly window: MaintenanceWindow;
  readonly hasMoved: boolean;
  readonly before: readonly OccurrenceMembers[];
  readonly after: readonly MaintenanceSpan[];
}

/**
 * Corrects the past of a report. The service applies an edit of a window to its past occurrences:
 * all have the window's present members, and API 2.1 has only the present times. But what was
 * planned when it passed stays planned, and nothing else becomes planned afterwards. The exceptions
 * are what an operator must have meant for the past: a new window, the times and members of a window
 * without recurrence, and a single occurrence that was shortened or extended.
 *
 * Each character of a line is a while; `r` is the last read, and `n` this one.
 *
 *                                          r     n
 *     deleted, or a check leaves it: it was in effect until this read
 *       before     ===     ===     ===   ==========
 *       in effect  ===     ===     ===   ========
 *     a check is added: it has no occurrence that was over at the last read
 *       reported   ===     ===     ===     ===     ===
 *       in effect                          ===     ===
 *     moved: the former times stay, and the new ones hold from the last read on
 *       before     ===     ===     ===     ===     ===
 *       reported       ===     ===     ===     ===     ===
 *       in effect  ===     ===     ===     === ===     ===
 *     one occurrence is shortened or extended that was not over
 *       before     ===     ===     ===   ==========
 *       reported   ===     ===     ===   =====
 *       in effect  ===     ===     ===   =====
 *     without recurrence, and with other times that overlap the former ones
 *       before        ====
 *       reported    ==========
 *       in effect   ==========
 */
export function correctedPast(
  read: Listed,
  known: CorrectedMaintenance | undefined,
  times: ReadTimes,
): CorrectedPast {
  const { windows, occurrences, ended = [], unplanned = [] } = known ?? noMaintenance;
  const before = byWindow(membersByOccurrence({ windows, occurrences, unplanned }));
  const after = byWindow(read.occurrences);
  const listed = new Map(read.windows.map((window) => [window.id, window]));
  const formerlyLate = new Map(unplanned.map((late) => [occurrenceKey(late), late]));
  const omitted: OccurrenceMembers[] = [];
  const late: OccurrenceMembers[] = [];
  for (const was of windows) {
    const window = listed.get(was.id);
    const earlier = before.get(was.id) ?? [];
    if (window === undefined) {
      omitted.push(...earlier.flatMap((one) => passed(one, times.nowSeconds)));
      continue;
    }
    const hasMoved = !plainEqual(timesOf(was), timesOf(window));
    const edit: Edit = { window, hasMoved, before: earlier, after: after.get(was.id) ?? [] };
    omitted.push(...omittedBy(edit, times));
    late.push(...unplannedIn(edit, formerlyLate, times));
  }
  return {
    ended: [...ended, ...omitted].filter(({ toSeconds }) => toSeconds > times.keptFromSeconds),
    ...(late.length > 0 && { unplanned: late }),
  };
}

const noMaintenance: CorrectedMaintenance = { windows: [], occurrences: [] };

function byWindow<T extends MaintenanceSpan>(occurrences: readonly T[]): ReadonlyMap<number, T[]> {
  const ofWindows = new Map<number, T[]>();
  for (const occurrence of occurrences) {
    getOrMake(ofWindows, occurrence.maintenanceId, () => []).push(occurrence);
  }
  return ofWindows;
}

function timesOf({
  recurrence,
  repeatEvery,
  startAtSeconds,
  endAtSeconds,
  recurrenceEndAtSeconds,
}: MaintenanceWindow) {
  return { recurrence, repeatEvery, startAtSeconds, endAtSeconds, recurrenceEndAtSeconds };
}

/** What had passed, with the members that the report no longer has for it. */
function omittedBy(
  { window, hasMoved, before, after }: Edit,
  { readAtSeconds, nowSeconds }: ReadTimes,
): OccurrenceMembers[] {
  const reported = new Set(after.map(occurrenceKey));
  return before.flatMap((earlier): OccurrenceMembers[] => {
    // An occurrence that was not over when it was last reported may have been shortened meanwhile.
    const isFollowed = !hasMoved || earlier.toSeconds > readAtSeconds;
    const isCovered =
      reported.has(occurrenceKey(earlier)) ||
      after.some((one) => overlaps(one, earlier) && (isFollowed || isSingle(one, window)));
    const members = isCovered ? without(earlier, window) : membersOf(earlier);
    return isEmpty(members) ? [] : passed({ ...spanOf(earlier), ...members }, nowSeconds);
  });
}

/** The part of an occurrence until now. */
function passed(one: OccurrenceMembers, nowSeconds: number): OccurrenceMembers[] {
  if (one.fromSeconds >= nowSeconds) return [];
  return [{ ...one, toSeconds: Math.min(one.toSeconds, nowSeconds) }];
}

/** Reported occurrences with the members that they did not have when they ended. */
function unplannedIn(
  { window, hasMoved, before, after }: Edit,
  formerlyLate: ReadonlyMap<string, OccurrenceMembers>,
  { readAtSeconds }: ReadTimes,
): OccurrenceMembers[] {
  const earlierByKey = new Map(before.map((earlier) => [occurrenceKey(earlier), earlier]));
  return after.flatMap((one): OccurrenceMembers[] => {
    if (isSingle(one, window)) return [];
    const key = occurrenceKey(one);
    const wasLate = formerlyLate.get(key);
    const hasEnded = one.toSeconds <= readAtSeconds;
    if (!hasEnded && wasLate === undefined) return [];
    const isOther = hasMoved || wasLate !== undefined;
    const earlier =
      earlierByKey.get(key) ?? (isOther ? undefined : before.find((other) => overlaps(one, other)));
    // A report that reaches back further than the last one has occurrences that are older than it.
    if (earlier === undefined && wasLate === undefined && !hasMoved) return [];
    const added = without(window, earlier ?? noMembers);
    const late = hasEnded ? added : without(added, without(added, wasLate ?? noMembers));
    return isEmpty(late) ? [] : [{ ...spanOf(one), ...late }];
  });
}

const noMembers: MaintenanceMembers = { checkIds: [], transactionIds: [] };

/** Returns whether the occurrence is the only one of its window, at the times of the window. */
function isSingle({ fromSeconds, toSeconds }: MaintenanceSpan, window: MaintenanceWindow): boolean {
  const { recurrence, startAtSeconds, endAtSeconds } = window;
  return recurrence === 'none' && fromSeconds === startAtSeconds && toSeconds === endAtSeconds;
}

function spanOf({ maintenanceId, fromSeconds, toSeconds }: MaintenanceSpan): MaintenanceSpan {
  return { maintenanceId, fromSeconds, toSeconds };
}

function membersOf({ checkIds, transactionIds }: MaintenanceMembers): MaintenanceMembers {
  return { checkIds, transactionIds };
}
