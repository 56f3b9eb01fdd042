import type { NamedMonth } from '../lib/month-calendar.ts';
import type { ItemKind } from '../store/store.ts';
import type { MonthRecord } from './month-record.ts';
import { keyOf, type Subject } from './subject.ts';

/** The record of an item in a month; null deletes it. */
interface RecordChange {
  readonly month: NamedMonth;
  readonly subject: Subject;
  readonly record: MonthRecord | null;
}

/** Records that are stored with the next list, or are being stored with the last one. */
export class WaitingRecords {
  /** What `take` has returned last, and what it returns next. */
  #taken = new Map<string, RecordChange>();
  #next = new Map<string, RecordChange>();

  add(change: RecordChange): void {
    this.#next.set(recordKey(change), change);
  }

  /** A record that waits to be stored, or to be stored again, must not replace a newer one. */
  replace(change: RecordChange): void {
    const key = recordKey(change);
    for (const waiting of [this.#taken, this.#next]) {
      if (waiting.has(key)) waiting.set(key, change);
    }
  }

  /** The waiting changes of a month, by the ids of the items. */
  of({ name }: NamedMonth, kind: ItemKind): Map<number, MonthRecord | null> {
    const records = new Map<number, MonthRecord | null>();
    for (const { month, subject, record } of [...this.#taken.values(), ...this.#next.values()]) {
      if (month.name === name && subject.kind === kind) records.set(subject.id, record);
    }
    return records;
  }

  /** Returns what waits; it is being stored from now on. */
  take(): readonly RecordChange[] {
    this.#taken = this.#next;
    this.#next = new Map();
    return [...this.#taken.values()];
  }

  /** What was taken last waits again. */
  notStored(): void {
    this.#next = new Map([...this.#taken, ...this.#next]);
  }
}

function recordKey({ month, subject }: RecordChange): string {
  return `${month.name} ${keyOf(subject)}`;
}
