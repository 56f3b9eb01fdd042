import { day } from '../lib/instant.ts';
import { Numbered } from './numbered.ts';

/** A maintenance window of the account (API 3.1, section 2.5). */
export interface SandboxMaintenanceWindow extends SandboxRecurrence {
  readonly id: number;
  readonly description: string;
  /** Identifiers of checks. */
  readonly uptimeids: readonly number[];
  /** Identifiers of transaction checks. */
  readonly tmsids: readonly number[];
}

/** One occurrence of a window, past or future. UNIX seconds. */
export interface SandboxOccurrence {
  readonly id: number;
  readonly maintenanceid: number;
  readonly from: number;
  readonly to: number;
}

const firstWindowId = 512_301;
const firstOccurrenceId = 7_400_011;

/** The account's maintenance windows and their occurrences. Times are UNIX seconds. */
export class MaintenanceSchedule {
  readonly #windows = new Numbered<SandboxMaintenanceWindow>({ firstId: firstWindowId });
  readonly occurrences = new Numbered<SandboxOccurrence>({ firstId: firstOccurrenceId });

  get occurrencesInOrder(): readonly SandboxOccurrence[] {
    return this.occurrences.all.toSorted((a, b) => a.from - b.from || a.id - b.id);
  }

  /** To read; the methods below write, because they keep the occurrences in step. */
  get windows(): Pick<Numbered<SandboxMaintenanceWindow>, 'all' | 'find' | 'known'> {
    return this.#windows;
  }

  /** The identifier of the new window. */
  add(window: Omit<SandboxMaintenanceWindow, 'id'>): number {
    const { id } = this.#windows.add((newId) => ({ ...window, id: newId }));
    this.#addOccurrences(id, window, Number.NEGATIVE_INFINITY);
    return id;
  }

  /**
   * Replaces the window with this identifier. Past occurrences at `now` stay; later ones, including
   * a running one, are planned again if the times changed.
   */
  replace(window: SandboxMaintenanceWindow, now: number): void {
    const before = this.#windows.find(window.id);
    this.#windows.put(window);
    if (before === undefined || sameTimes(before, window)) return;
    const open = this.#ofWindow(window.id).filter(({ to }) => to > now);
    for (const { id } of open) this.occurrences.remove(id);
    this.#addOccurrences(window.id, window, Math.min(now, ...open.map(({ from }) => from)));
  }

  /** Removes a window with all its occurrences. */
  remove(id: number): void {
    for (const occurrence of this.#ofWindow(id)) this.occurrences.remove(occurrence.id);
    this.#windows.remove(id);
  }

  #ofWindow(id: number): SandboxOccurrence[] {
    return this.occurrences.all.filter(({ maintenanceid }) => maintenanceid === id);
  }

  #addOccurrences(maintenanceid: number, recurrence: SandboxRecurrence, earliest: number): void {
    for (const span of occurrenceSpans(recurrence)) {
      if (span.from >= earliest) this.occurrences.add((id) => ({ id, maintenanceid, ...span }));
    }
  }
}

function sameTimes(a: SandboxRecurrence, b: SandboxRecurrence): boolean {
  const keys = ['from', 'to', 'recurrencetype', 'repeatevery', 'effectiveto'] as const;
  return keys.every((key) => a[key] === b[key]);
}

export const recurrenceTypes = ['none', 'day', 'week', 'month'] as const;
type RecurrenceType = (typeof recurrenceTypes)[number];

/** The times of a maintenance window (API 3.1, section 2.5). UNIX seconds. */
export interface SandboxRecurrence {
  /** The first occurrence. */
  readonly from: number;
  readonly to: number;
  readonly recurrencetype: RecurrenceType;
  /** Every n-th day, week or month; 0 counts as 1. */
  readonly repeatevery: number;
  /** Only the first occurrence may end later than this. */
  readonly effectiveto: number;
}

/** [from, to) in UNIX seconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** All occurrences, in order of time. Days, months and times of day are in UTC. */
export function occurrenceSpans(recurrence: SandboxRecurrence): Span[] {
  const { from, to, recurrencetype, effectiveto } = recurrence;
  const spans = [{ from, to }];
  if (recurrencetype === 'none') return spans;
  for (let count = 1; ; count++) {
    const start = nthStart(recurrence, count);
    const end = start + (to - from);
    if (end > effectiveto) return spans;
    spans.push({ from: start, to: end });
  }
}

function nthStart({ from, recurrencetype, repeatevery }: SandboxRecurrence, count: number): number {
  const steps = count * Math.max(1, repeatevery);
  switch (recurrencetype) {
    case 'month':
      return monthsLater(from, steps);
    case 'week':
      return from + 7 * steps * day;
    default:
      return from + steps * day;
  }
}

/** The same day and time of a later month, or the last day of a month that is too short. */
function monthsLater(time: number, months: number): number {
  const start = new Date(time * 1000);
  const year = start.getUTCFullYear();
  const month = start.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const sinceMidnight = ((time % day) + day) % day;
  const midnight = Date.UTC(year, month, Math.min(start.getUTCDate(), lastDay)) / 1000;
  return midnight + sinceMidnight;
}
