import type { MaintenanceWindow, Occurrence } from './maintenance-window.ts';
import { occurrenceSpans, type Recurrence } from './recurrence.ts';

const firstWindowId = 512_301;
const firstOccurrenceId = 7_400_011;

/** The account's maintenance windows and their occurrences. Times are UNIX seconds. */
export class MaintenanceSchedule {
  readonly #windows = new Map<number, MaintenanceWindow>();
  readonly #occurrences = new Map<number, Occurrence>();
  #nextWindowId = firstWindowId;
  #nextOccurrenceId = firstOccurrenceId;

  /** By identifier. */
  get windows(): readonly MaintenanceWindow[] {
    return [...this.#windows.values()];
  }

  window(id: number): MaintenanceWindow | undefined {
    return this.#windows.get(id);
  }

  /** In order of time. */
  get occurrences(): readonly Occurrence[] {
    return [...this.#occurrences.values()].sort((a, b) => a.from - b.from || a.id - b.id);
  }

  occurrence(id: number): Occurrence | undefined {
    return this.#occurrences.get(id);
  }

  /** The identifier of the new window. */
  add(window: Omit<MaintenanceWindow, 'id'>): number {
    const id = this.#nextWindowId++;
    this.#windows.set(id, { ...window, id });
    this.#addOccurrences(id, window, Number.NEGATIVE_INFINITY);
    return id;
  }

  /**
   * Puts a window in place of the one that has its identifier. What is over at `now` stays as it was; the
   * occurrences from then on, including one that is going on, are planned anew if the times changed.
   */
  replace(window: MaintenanceWindow, now: number): void {
    const before = this.#windows.get(window.id);
    this.#windows.set(window.id, window);
    if (before === undefined || sameTimes(before, window)) return;
    const open = this.#ofWindow(window.id).filter(({ to }) => to > now);
    for (const { id } of open) this.#occurrences.delete(id);
    this.#addOccurrences(window.id, window, Math.min(now, ...open.map(({ from }) => from)));
  }

  /** Removes a window with all its occurrences. */
  remove(id: number): void {
    for (const occurrence of this.#ofWindow(id)) this.#occurrences.delete(occurrence.id);
    this.#windows.delete(id);
  }

  replaceOccurrence(occurrence: Occurrence): void {
    this.#occurrences.set(occurrence.id, occurrence);
  }

  removeOccurrence(id: number): void {
    this.#occurrences.delete(id);
  }

  #ofWindow(id: number): Occurrence[] {
    return [...this.#occurrences.values()].filter(({ maintenanceid }) => maintenanceid === id);
  }

  #addOccurrences(maintenanceid: number, recurrence: Recurrence, earliest: number): void {
    for (const span of occurrenceSpans(recurrence)) {
      if (span.from < earliest) continue;
      const id = this.#nextOccurrenceId++;
      this.#occurrences.set(id, { id, maintenanceid, ...span });
    }
  }
}

function sameTimes(a: Recurrence, b: Recurrence): boolean {
  const keys = ['from', 'to', 'recurrencetype', 'repeatevery', 'effectiveto'] as const;
  return keys.every((key) => a[key] === b[key]);
}
