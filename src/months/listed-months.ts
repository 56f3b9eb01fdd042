import type { Check } from '../domain/check.ts';
import type { TimeRange } from '../domain/interval.ts';
import type { AccountParts } from '../feature.ts';
import { unixSeconds } from '../lib/clock.ts';
import { type Month, monthsKept } from '../lib/month-calendar.ts';
import { present } from '../lib/present.ts';
import { recordedFromSeconds } from '../slo/known-range.ts';
import { causesOf, type OutageNote } from '../slo/last-outages.ts';
import { type ResponseMonth, responseMonthOf } from '../slo/response-months.ts';
import { firstSightOf, historySeconds } from '../slo/state-log.ts';
import type { ListedItem } from '../state/leaving.ts';
import type { ItemKind } from '../store/store.ts';
import { notTestedFrom } from '../tally/reported-pauses.ts';
import { returnedStates, withEnd } from './joined-months.ts';
import { type MonthOutage, type MonthRecord, type MonthStates, total } from './month-record.ts';
import { lifeIn, type MonthSource, monthStates } from './month-states.ts';
import type { NamesOfThen } from './names-of-then.ts';
import type { PastMonths } from './past-months.ts';
import type { StoredMonths } from './stored-months.ts';

/** Time after a horizon becomes known by itself; after a day of waiting it was not watched. */
const lateSeconds = 86_400;

/** The parts of an account from which the months of its items are computed. */
type ItemParts = Pick<AccountParts, 'state' | 'policies' | 'isPastRead' | 'serviceClock'> & {
  readonly namesOfThen: NamesOfThen;
};

/** The time at which a month is computed, and what follows from it. */
interface AsOf {
  readonly nowSeconds: number;
  /** Time after a horizon becomes known by itself; see `MonthSource`. */
  readonly isLateAwaited: boolean;
  /** When the item leaves the account. */
  readonly removedAtSeconds?: number;
}

/** The months of listed items that are not sealed: what their logs, and former records, have of them. */
export class ListedMonths {
  readonly #parts: ItemParts;
  readonly #stored: StoredMonths;
  readonly #past: PastMonths;
  /** In milliseconds. */
  readonly #startedAt: number;

  constructor(parts: ItemParts, stored: StoredMonths, past: PastMonths) {
    this.#parts = parts;
    this.#stored = stored;
    this.#past = past;
    this.#startedAt = parts.serviceClock.monotonic();
  }

  get #nowSeconds(): number {
    return unixSeconds(this.#parts.serviceClock);
  }

  /** The months of an item that ended by a time and have no record, oldest first. */
  unsealed(kind: ItemKind, item: ListedItem, now = this.#nowSeconds): readonly Month[] {
    const { entry, totals } = item;
    const { calendar } = this.#parts.policies;
    const oldest = calendar.later(calendar.containing(now), -monthsKept).fromSeconds;
    const recordedFrom = recordedFromSeconds(totals, entry.createdAtSeconds);
    // The past before first sight may be awaited.
    const pastFrom = firstSightOf(totals) - historySeconds;
    const isUnsealed = totals.sealedUntilSeconds === undefined;
    const left = isUnsealed ? this.#stored.leftOf({ kind, id: entry.id }) : undefined;
    // Of the months in which it left, it has only records up to then.
    const { atSeconds: leftAt = Number.NEGATIVE_INFINITY } = left ?? {};
    const leftFrom = left === undefined ? recordedFrom : leftAt - lateSeconds;
    const since = totals.sealedUntilSeconds ?? Math.min(recordedFrom, pastFrom, leftFrom);
    const months: Month[] = [];
    const isNew = isUnsealed && left === undefined;
    for (let at = Math.max(oldest, since); ; ) {
      const month = calendar.containing(at);
      if (month.toSeconds > now) return months;
      // An item that is listed later did not belong to a month that has all its records.
      const isClosed = isNew && this.#stored.indexed(month)?.isWhole === true;
      const isIn = () =>
        month.fromSeconds <= leftAt || this.#isKnownIn(kind, item, month, this.#asOf(month, now));
      if (!isClosed && isIn()) months.push(month);
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
    const asOf = this.#asOf(month);
    const record = this.#month(kind, item, month, asOf);
    if (former?.removedAtSeconds === undefined) {
      const isKnown = total(record.seconds) > 0 || this.#isKnownIn(kind, item, month, asOf);
      return isKnown ? this.#past.withPast(record, month) : former;
    }
    const { removedAtSeconds } = former;
    // Nothing shows that it existed until then.
    if (record.firstSeenSeconds !== undefined && record.firstSeenSeconds >= month.toSeconds) {
      return former;
    }
    const logFromSeconds = recordedFromSeconds(item.totals, item.entry.createdAtSeconds);
    const toldUntil = former.countedUntilSeconds ?? removedAtSeconds;
    const told = { ...month, toSeconds: Math.min(month.toSeconds, toldUntil) };
    const overlap = this.#month(kind, item, told, asOf);
    const states = returnedStates(former, record, overlap, { logFromSeconds, removedAtSeconds });
    const { returnedAtSeconds = 0 } = this.#stored.leftOf(former) ?? {};
    // The last list before the end that had the item is the one before it left.
    const subject = subjectOf(returnedAtSeconds < month.toSeconds ? record : former);
    const times = moreHours(former, record.responseTimes);
    const joined = present({ ...record, ...states, ...subject, ...times });
    return this.#past.withPast(joined, month);
  }

  /**
   * The records of an item that leaves: of the months that it has not sealed, and the present one,
   * unless the record from before it left last knows more.
   */
  ofLeaving(
    kind: ItemKind,
    item: ListedItem,
    atSeconds: number,
  ): readonly (readonly [Month, MonthRecord])[] {
    const last = this.#parts.policies.calendar.containing(atSeconds);
    const asOf = { nowSeconds: atSeconds, isLateAwaited: false, removedAtSeconds: atSeconds };
    return [...this.unsealed(kind, item, atSeconds), last]
      .filter((month) => this.#isKnownIn(kind, item, month, asOf))
      .filter((month) => !this.#wasKnownLonger(kind, item, month, atSeconds))
      .map((month) => [month, this.#month(kind, item, month, asOf)] as const);
  }

  /** Whether an item that returned without its log may have been known longer in a month before. */
  #wasKnownLonger(kind: ItemKind, item: ListedItem, month: Month, untilSeconds: number): boolean {
    const { entry, totals } = item;
    const { fromSeconds, toSeconds } = month;
    const recordedFrom = recordedFromSeconds(totals, entry.createdAtSeconds);
    if (recordedFrom <= fromSeconds) return false;
    const { atSeconds: leftAt = 0 } = this.#stored.leftOf({ kind, id: entry.id }) ?? {};
    if (firstSightOf(totals) <= leftAt || leftAt < fromSeconds) return false;
    const known = Math.min(untilSeconds, toSeconds) - recordedFrom;
    return known <= Math.min(leftAt, toSeconds) - fromSeconds;
  }

  /** Whether the horizon has passed the end of the month, and nothing in it is awaited. */
  isKnown(kind: ItemKind, item: ListedItem, month: Month): boolean {
    if (item.totals.states.horizonSeconds < month.toSeconds) return false;
    return this.#states(kind, item, month, this.#asOf(month)).awaited.length === 0;
  }

  /** The record with the end of its last outage, if that has become known since. */
  async #withEnd(record: MonthRecord, month: Month): Promise<MonthRecord> {
    const last = record.outages.at(-1);
    if (last === undefined || last.toSeconds !== undefined) return record;
    const item = this.#parts.state.itemsOf(record.kind).get(record.id);
    if (item === undefined) return this.#withEndOfLeft(record, month);
    const since = { fromSeconds: last.fromSeconds, toSeconds: Number.POSITIVE_INFINITY };
    const { outages } = this.#states(record.kind, item, since, this.#asOf(since));
    return outages.reduce(withEnd, record);
  }

  /** An item that left has the end in the records of the months in which it left. */
  async #withEndOfLeft(record: MonthRecord, month: Month): Promise<MonthRecord> {
    const { calendar } = this.#parts.policies;
    const { atSeconds = 0 } = this.#stored.leftOf(record) ?? {};
    let later = calendar.later(month, 1);
    for (; later.fromSeconds <= atSeconds; later = calendar.later(later, 1)) {
      const { outages: [outage] = [] } = (await this.#stored.record(later, record)) ?? {};
      const completed = outage === undefined ? record : withEnd(record, outage);
      if (completed !== record) return completed;
    }
    return record;
  }

  /** The record with what has become known since it was sealed; the same object if that is nothing. */
  async withLaterFacts(sealed: MonthRecord, month: Month): Promise<MonthRecord> {
    const record = await this.#withEnd(sealed, month);
    const { details } = this.#parts.state.itemsOf(record.kind).get(record.id) ?? {};
    if (details === undefined) return record;
    const outages = withCauses(record.outages, details.notes?.value);
    const more = moreHours(record, responseMonthOf(details.responseMonths?.value, month));
    const isSame = outages === record.outages && more.responseTimes === record.responseTimes;
    return isSame ? record : { ...record, outages, ...more };
  }

  #asOf({ toSeconds }: Pick<Month, 'toSeconds'>, nowSeconds = this.#nowSeconds): AsOf {
    // The clock of the service is known from the first response on.
    const runs = (this.#parts.serviceClock.monotonic() - this.#startedAt) / 1000;
    const since = Math.max(toSeconds, this.#nowSeconds - runs);
    return { nowSeconds, isLateAwaited: nowSeconds < since + lateSeconds };
  }

  /** Whether something of the month is known, or becomes known by itself. */
  #isKnownIn(kind: ItemKind, item: ListedItem, month: TimeRange, asOf: AsOf): boolean {
    const source = this.#source(kind, item, asOf);
    const { fromSeconds, toSeconds } = lifeIn(source, month);
    if (fromSeconds >= toSeconds) return false;
    const recordedFrom = recordedFromSeconds(item.totals, item.entry.createdAtSeconds);
    return recordedFrom < toSeconds || monthStates(source, month).awaited.length > 0;
  }

  #month(kind: ItemKind, item: ListedItem, month: Month, asOf: AsOf): MonthRecord {
    return {
      ...this.#parts.namesOfThen.subjectOf(kind, item, month),
      ...monthStates(
        this.#source(kind, item, asOf),
        month,
        this.#parts.policies.calendar.dayBegins(month),
      ),
      ...present({ responseTimes: responseMonthOf(item.details.responseMonths?.value, month) }),
    };
  }

  #states(kind: ItemKind, item: ListedItem, range: TimeRange, asOf: AsOf): MonthStates {
    return monthStates(this.#source(kind, item, asOf), range);
  }

  #source(kind: ItemKind, { entry, totals, details }: ListedItem, asOf: AsOf): MonthSource {
    const { isPastRead, state } = this.#parts;
    const interval = 'intervalSeconds' in entry ? entry.intervalSeconds : undefined;
    const listed = 'resolutionSeconds' in entry ? entry.resolutionSeconds : interval;
    return {
      ...asOf,
      known: totals,
      kind,
      createdAtSeconds: entry.createdAtSeconds,
      resolutionSeconds: totals.states.resolutionSeconds ?? listed,
      notTestedFromSeconds: kind === 'check' ? notTestedFrom(entry as Check) : undefined,
      occurrences: state.maintenance.occurrencesOf[kind](entry.id),
      notes: details.notes?.value,
      isPastRead: isPastRead && asOf.removedAtSeconds === undefined,
    };
  }
}

/** With what it lacks as undefined, so that it replaces another subject. */
function subjectOf(record: MonthRecord) {
  const { kind, id, name, hostname, tags, groups, objective, isSeenLater } = record;
  return { kind, id, name, hostname, tags, groups, objective, isSeenLater };
}

/** With the causes of those that have none; the same list if none is known. */
function withCauses(
  outages: readonly MonthOutage[],
  notes: readonly OutageNote[] = [],
): readonly MonthOutage[] {
  if (notes.length === 0 || outages.every((one) => one.causes.length > 0)) return outages;
  const explained = outages.map((outage, place) => {
    const { fromSeconds, toSeconds = Number.POSITIVE_INFINITY } = outage;
    if (outage.causes.length > 0) return outage;
    const before = outages[place - 1]?.toSeconds ?? 0;
    const causes = causesOf({ fromSeconds, toSeconds }, notes, before);
    return causes.length === 0 ? outage : { ...outage, causes };
  });
  return explained.some((outage, place) => outage !== outages[place]) ? explained : outages;
}

/** The response times of which more hours were read: the others are among them. */
function moreHours(
  { responseTimes: before }: Pick<MonthRecord, 'responseTimes'>,
  after: ResponseMonth | undefined,
): Pick<MonthRecord, 'responseTimes'> {
  return present({ responseTimes: (after?.hours ?? 0) > (before?.hours ?? 0) ? after : before });
}

export function isSealed({ totals }: ListedItem, { toSeconds }: Pick<Month, 'toSeconds'>): boolean {
  return (totals.sealedUntilSeconds ?? 0) >= toSeconds;
}
