import type { AccountParts } from '../feature.ts';
import { unixSeconds } from '../lib/clock.ts';
import { type Month, monthsKept } from '../lib/month-calendar.ts';
import { recordedFromSeconds } from '../slo/known-range.ts';
import { firstSightOf, historySeconds } from '../slo/state-log.ts';
import type { ListedItem } from '../state/leaving.ts';
import type { ItemKind } from '../store/store.ts';
import {
  type ItemParts,
  isKnownIn,
  itemsOf,
  type Looked,
  monthOf,
  monthStatesOf,
} from './item-month.ts';
import { returnedStates, withEnd } from './joined-months.ts';
import { type MonthRecord, total } from './month-record.ts';
import type { PastMonths } from './past-months.ts';
import type { StoredMonths } from './stored-months.ts';

/** Time after a horizon becomes known by itself; after a day of waiting it was not watched. */
const lateSeconds = 86_400;

interface ListedMonthsOptions extends Pick<AccountParts, 'serviceClock'> {
  readonly parts: ItemParts;
  readonly stored: StoredMonths;
  readonly past: PastMonths;
}

/** The months of listed items that are not sealed: what their logs, and former records, have of them. */
export class ListedMonths {
  readonly #options: ListedMonthsOptions;
  readonly #startedAtSeconds: number;

  constructor(options: ListedMonthsOptions) {
    this.#options = options;
    this.#startedAtSeconds = this.#nowSeconds;
  }

  get #nowSeconds(): number {
    return unixSeconds(this.#options.serviceClock);
  }

  /** The ended months of an item that have no record, oldest first. */
  unsealed(kind: ItemKind, item: ListedItem, now = this.#nowSeconds): readonly Month[] {
    const { entry, totals } = item;
    const { parts, stored } = this.#options;
    const { calendar } = parts.policies;
    const oldest = calendar.later(calendar.containing(now), -monthsKept).fromSeconds;
    const recordedFrom = recordedFromSeconds(totals, entry.createdAtSeconds);
    // The past before first sight may be awaited.
    const pastFrom = firstSightOf(totals) - historySeconds;
    const since = totals.sealedUntilSeconds ?? Math.min(recordedFrom, pastFrom);
    const months: Month[] = [];
    const isNew =
      totals.sealedUntilSeconds === undefined && !stored.hasLeft({ kind, id: entry.id });
    for (let at = Math.max(oldest, since); ; ) {
      const month = calendar.containing(at);
      if (month.toSeconds > now) return months;
      // An item that is listed later did not belong to a month that has all its records.
      const isClosed = isNew && stored.indexed(month)?.isWhole === true;
      if (!isClosed && isKnownIn(kind, item, month, parts, this.#lookedAt(month, now))) {
        months.push(month);
      }
      at = month.toSeconds;
    }
  }

  /** The month of a listed item that is not sealed; undefined if nothing of it is known or awaited. */
  recordOf(
    kind: ItemKind,
    item: ListedItem,
    month: Month,
    former: MonthRecord | undefined,
  ): MonthRecord | undefined {
    const { parts, past } = this.#options;
    const looked = this.#lookedAt(month);
    const { nowSeconds } = looked;
    const record = monthOf(kind, item, month, parts, looked);
    const isKnown = total(record.seconds) > 0 || isKnownIn(kind, item, month, parts, looked);
    if (!isKnown) return former;
    if (former?.removedAtSeconds === undefined) return past.completed(record, month, nowSeconds);
    const { removedAtSeconds } = former;
    const { entry, totals } = item;
    const logFromSeconds = recordedFromSeconds(totals, entry.createdAtSeconds);
    const told = { ...month, toSeconds: Math.min(month.toSeconds, removedAtSeconds) };
    const overlap = monthOf(kind, item, told, parts, looked);
    const states = returnedStates(former, record, overlap, { logFromSeconds, removedAtSeconds });
    return past.completed({ ...record, ...states }, month, nowSeconds);
  }

  /** Whether the horizon has passed the end of the month, and nothing in it is awaited. */
  isKnown(kind: ItemKind, item: ListedItem, month: Month): boolean {
    if (item.totals.states.horizonSeconds < month.toSeconds) return false;
    const { parts } = this.#options;
    return monthStatesOf(kind, item, month, parts, this.#lookedAt(month)).awaited.length === 0;
  }

  /** The record with the end of its last outage, if that has become known since. */
  withEnd(record: MonthRecord): MonthRecord {
    const last = record.outages.at(-1);
    if (last === undefined || last.toSeconds !== undefined) return record;
    const { parts } = this.#options;
    const item = itemsOf(parts.state, record.kind).get(record.id);
    if (item === undefined) return record;
    const since = { fromSeconds: last.fromSeconds, toSeconds: Number.POSITIVE_INFINITY };
    const { outages } = monthStatesOf(record.kind, item, since, parts, this.#lookedAt(since));
    return outages.reduce(withEnd, record);
  }

  #lookedAt({ toSeconds }: Pick<Month, 'toSeconds'>, nowSeconds = this.#nowSeconds): Looked {
    const since = Math.max(toSeconds, this.#startedAtSeconds);
    return { nowSeconds, isLateAwaited: nowSeconds < since + lateSeconds };
  }
}

export function isSealed({ totals }: ListedItem, { toSeconds }: Pick<Month, 'toSeconds'>): boolean {
  return (totals.sealedUntilSeconds ?? 0) >= toSeconds;
}
