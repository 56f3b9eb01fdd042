import { type Check, lastFailureOf } from '../../domain/check.ts';
import type { DatasetName } from '../../domain/dataset.ts';
import { missingPast } from '../../slo/past.ts';
import type { KnownStates } from '../../slo/state-log.ts';
import { dueTail } from '../../slo/tail.ts';
import type { AwaitedReport } from '../../tally/awaited-reports.ts';
import { explainingDatasets } from './outage-causes.ts';

/** A report of the time before first sight, or one that may show a pause in an absence. */
export type UnreadReport = 'past' | 'pause';

/** A check, with the places of what it lacks. */
interface SeenCheck {
  readonly entry: Check;
  readonly totals: KnownStates;
  unread: UnreadReport | undefined;
  /** Present with `hidden` if its report may show a pause since the list before. */
  readonly awaitedReport: Pick<AwaitedReport, 'hidden'> | undefined;
  wasDownAtFirstSight: boolean;
}

interface Checks {
  get(id: number): SeenCheck | undefined;
  records(): Iterable<SeenCheck>;
}

/** A check that still lacks data from before it was first seen. */
export interface FirstSightCheck {
  readonly id: number;
  /** It was down when it was first seen, or is down. */
  readonly isOpen: boolean;
  readonly lastFailedAtSeconds: number;
  readonly lacks: ReadonlySet<DatasetName>;
}

/** Data that newly seen checks lack: their past, and the causes of open outages. */
export class FirstSight {
  readonly #checks: Checks;
  readonly #left = { past: 0, pause: 0 };
  #version = 0;

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  /** The number of checks whose past can be requested. */
  get pastsLeft(): number {
    return this.#left.past;
  }

  /** The number of checks whose report may show a pause in an absence. */
  get pausesLeft(): number {
    return this.#left.pause;
  }

  get #reportsLeft(): number {
    return this.#left.past + this.#left.pause;
  }

  /** Increases when further data may be requestable. */
  get version(): number {
    return this.#version;
  }

  /** Adds newly listed or restored checks. The past of other checks can only become known. */
  added(ids: Iterable<number>): void {
    const before = this.#reportsLeft;
    for (const check of this.#checks.records()) {
      // A tail is read again later.
      if (check.unread !== undefined || check.totals.log?.tail !== undefined) this.#update(check);
    }
    for (const id of ids) {
      const check = this.#checks.get(id);
      if (check === undefined) continue;
      this.#update(check);
      if (check.entry.status !== 'down') continue;
      check.wasDownAtFirstSight = true;
      this.#version += 1;
    }
    // Checks whose first horizon has moved since the last list became requestable.
    if (before > 0 || this.#reportsLeft > 0) this.#version += 1;
  }

  /** Checks have left: nothing is read of them. */
  left(checks: Iterable<Pick<SeenCheck, 'unread'>>): void {
    for (const { unread } of checks) if (unread !== undefined) this.#left[unread] -= 1;
  }

  /** The report of a check may show a pause in an absence. */
  pauseAwaited(check: SeenCheck): void {
    if (check.unread !== undefined) return;
    this.#update(check);
    this.#version += 1;
  }

  /** The past of a check may have become known. */
  pastRead(id: number): void {
    const check = this.#checks.get(id);
    if (check !== undefined) this.#update(check);
  }

  #update(check: SeenCheck): void {
    const unread = unreadReportOf(check);
    if (check.unread !== undefined) this.#left[check.unread] -= 1;
    if (unread !== undefined) this.#left[unread] += 1;
    check.unread = unread;
  }

  /** Whether states from before a check was first seen are unknown, so that a report is needed. */
  isPastUnknown(id: number): boolean {
    const check = this.#checks.get(id);
    return check !== undefined && unreadReportOf(check) === 'past';
  }

  /** Checks with an unread report. */
  *unread(): Iterable<number> {
    if (this.#reportsLeft === 0) return;
    for (const { entry, unread } of this.#checks.records())
      if (unread !== undefined) yield entry.id;
  }

  checks(): FirstSightCheck[] {
    const checks: FirstSightCheck[] = [];
    for (const { entry, unread, wasDownAtFirstSight } of this.#checks.records()) {
      if (unread === undefined && !wasDownAtFirstSight) continue;
      const lacks = new Set<DatasetName>(wasDownAtFirstSight ? explainingDatasets : []);
      if (unread !== undefined) lacks.add('history');
      const isOpen = wasDownAtFirstSight || entry.status === 'down';
      checks.push({ id: entry.id, isOpen, lastFailedAtSeconds: lastFailureOf(entry), lacks });
    }
    return checks;
  }
}

function unreadReportOf({ totals, entry, awaitedReport }: SeenCheck): UnreadReport | undefined {
  if (awaitedReport?.hidden !== undefined) return 'pause';
  const isPastUnknown =
    missingPast(totals, entry) !== undefined || dueTail(totals, entry) !== undefined;
  return isPastUnknown ? 'past' : undefined;
}
