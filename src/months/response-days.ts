import { ApiError } from '../api/errors.ts';
import type { DeeperItems, DeeperPasts } from '../datasets/history.ts';
import { requireComplete } from '../datasets/refresh-context.ts';
import type { PerformanceInterval } from '../domain/averages.ts';
import type { ItemId } from '../domain/dataset.ts';
import type { TimeRange } from '../domain/interval.ts';
import type { AccountParts } from '../feature.ts';
import { unixSeconds } from '../lib/clock.ts';
import type { Month } from '../lib/month-calendar.ts';
import { itemReasons } from '../schedule/failure-reasons.ts';
import { nothingLeft, type RefreshResult, result } from '../schedule/refresh.ts';
import { recordedFromSeconds } from '../slo/known-range.ts';
import {
  isReadByDay,
  leastAveraged,
  responseDaysOf,
  responseMonthOf,
  withResponseDays,
} from '../slo/response-months.ts';
import type { ListedItem } from '../state/leaving.ts';
import type { DaysNotRead } from './documents.ts';
import { isSealed, type ListedMonths } from './listed-months.ts';
import type { StoredMonths } from './stored-months.ts';

const hourSeconds = 3_600;
const daySeconds = 86_400;
/** Hours that are read more rarely have gaps: a report of them reaches back a week. */
const rarelySeconds = 6 * daySeconds;
/** After the end of a month, until reports have its last tests. */
const settleSeconds = 2 * hourSeconds;
/** A check that was tested on one day may have been created on it. */
const leastMeasured = 3;
/** Further checks may be counted to the end of the month after this time, in milliseconds. */
const lookAgainAfter = 600_000;

type Parts = Pick<
  AccountParts,
  | 'state'
  | 'service'
  | 'serviceClock'
  | 'policies'
  | 'reads'
  | 'isPastRead'
  | 'secondsToRead'
  | 'lastingSeconds'
>;

/** The reports of a check that were read. */
type Reports = readonly (readonly PerformanceInterval[])[];

/**
 * The response times of the last month of checks whose hours are read too rarely: one report by day
 * of each, from the share of the budget that a deeper past has, if it suffices for all of them.
 */
export class ResponseDays implements DeeperPasts, DeeperItems {
  readonly #parts: Parts;
  readonly #stored: StoredMonths;
  readonly #listed: ListedMonths;
  #month: Month | undefined;
  readonly #open = new Map<number, Reports>();
  readonly #refused = new Set<number>();
  #version = 0;
  #requests = 0;
  /** In monotonic milliseconds. */
  #lookAt = 0;

  constructor(parts: Parts, stored: StoredMonths, listed: ListedMonths) {
    this.#parts = parts;
    this.#stored = stored;
    this.#listed = listed;
  }

  get items(): DeeperItems {
    return this;
  }

  get version(): number {
    return this.#version;
  }

  /** It stays the same until all are read, so that not every report causes a new plan. */
  get requests(): number {
    return this.#open.size === 0 ? 0 : this.#requests;
  }

  ids(): readonly ItemId[] {
    return [...this.#open.keys()];
  }

  isOpen(id: ItemId): boolean {
    return id !== 'account' && this.#open.has(id);
  }

  /** Why the days of checks whose hours were read too rarely are absent; undefined if none are. */
  notRead(month: Month): DaysNotRead | undefined {
    if (this.#open.size > 0 && month.name === this.#month?.name) return 'not read yet';
    return this.#stored.indexed(month)?.daysNotRead;
  }

  /** The check list was read. */
  listed(): void {
    const { serviceClock, policies } = this.#parts;
    const { calendar } = policies;
    const now = unixSeconds(serviceClock);
    const present = calendar.containing(now);
    const month = calendar.later(present, -1);
    if (month.name !== this.#month?.name) {
      if (this.#month !== undefined && this.#open.size > 0) {
        this.#stored.noteDays(this.#month, 'too few requests');
      }
      this.#close(...this.#open.keys());
      this.#refused.clear();
      this.#month = month;
      this.#lookAt = 0;
    }
    const monotonic = serviceClock.monotonic();
    if (monotonic < this.#lookAt || now < month.toSeconds + settleSeconds) return;
    this.#lookAt = monotonic + lookAgainAfter;
    this.#look(month, present.toSeconds - now);
  }

  #look(month: Month, secondsLeft: number): void {
    const { state, reads, isPastRead, lastingSeconds, secondsToRead } = this.#parts;
    // Some may have left, and those that could not be read are offered again.
    this.#close(...[...this.#open.keys()].filter((id) => !state.checks.has(id)));
    const { daysNotRead } = this.#stored.indexed(month) ?? {};
    const wasGivenUp = daysNotRead === 'too few requests';
    // What was given up is read once requests suffice.
    const mayLackDays = wasGivenUp || (lastingSeconds('performance') ?? 0) > rarelySeconds;
    if (!mayLackDays || !reads('performance') || !isPastRead) return;
    if (daysNotRead === 'other time zone') return;
    const lacking: number[] = [];
    for (const item of state.checks.records()) {
      const { id } = item.entry;
      if (!this.#open.has(id) && this.#lacksDays(item, month)) lacking.push(id);
    }
    if (lacking.length === 0) {
      if (wasGivenUp && this.#open.size === 0) this.#stored.noteDays(month, undefined);
      return;
    }
    const requests = (this.#open.size + lacking.length) * this.#rangesOf(month).length;
    const isEnough = secondsToRead(requests) < secondsLeft;
    this.#stored.noteDays(month, isEnough ? undefined : 'too few requests');
    if (!isEnough) {
      this.#close(...this.#open.keys());
      return;
    }
    for (const id of lacking) this.#open.set(id, []);
    this.#requests = requests;
    this.#version += 1;
  }

  #lacksDays(item: ListedItem, month: Month): boolean {
    const { entry, totals, details } = item;
    const times = details.responseMonths?.value;
    const isRead = isReadByDay(times, month) || this.#refused.has(entry.id);
    const isPastUnknown = this.#parts.state.firstSight.isPastUnknown(entry.id);
    if (isRead || isPastUnknown || !isSealed(item, month)) return false;
    const recordedFrom = recordedFromSeconds(totals, entry.createdAtSeconds);
    const hours = (month.toSeconds - Math.max(month.fromSeconds, recordedFrom)) / hourSeconds;
    return hours - (responseMonthOf(times, month)?.hours ?? 0) >= leastAveraged;
  }

  #close(...ids: readonly number[]): void {
    for (const id of ids) this.#open.delete(id);
    this.#version += 1;
  }

  /**
   * The periods of the reports. A report may have its days in the offset that the zone has at its
   * end, so another one begins with a day of another length.
   */
  #rangesOf(month: Month): readonly TimeRange[] {
    const begins = this.#parts.policies.calendar.dayBegins(month);
    const isUsual = (begin: number, place: number) =>
      place === 0 || (begins[place + 1] ?? month.toSeconds) - begin === daySeconds;
    const starts = [month.fromSeconds, ...begins.filter((begin, place) => !isUsual(begin, place))];
    return starts.map((fromSeconds, place) => {
      return { fromSeconds, toSeconds: starts[place + 1] ?? month.toSeconds };
    });
  }

  readonly read = async (id: ItemId, signal: AbortSignal): Promise<RefreshResult> => {
    const { service } = this.#parts;
    const month = this.#month;
    const reports = id === 'account' ? undefined : this.#open.get(id);
    if (id === 'account' || reports === undefined || month === undefined) return nothingLeft;
    const ranges = this.#rangesOf(month);
    const range = ranges[reports.length] ?? month;
    const query = { checkId: id, ...range, resolution: 'day' } as const;
    const { items, rejected } = await service.performance(query, signal).catch((error: unknown) => {
      if (isRefused(error)) {
        this.#refused.add(id);
        this.#close(id);
      }
      throw error;
    });
    if (items.length === 0) requireComplete('get_performance', rejected);
    // The month may be another one, or another look may have begun.
    if (this.#open.get(id) !== reports) return nothingLeft;
    const all = [...reports, items];
    if (all.length < ranges.length) this.#open.set(id, all);
    else {
      await this.#readAll(id, month, all);
      this.#close(id);
    }
    return result(items.length, rejected);
  };

  async #readAll(id: number, month: Month, reports: Reports): Promise<void> {
    const { state, policies } = this.#parts;
    const item = state.checks.get(id);
    if (item === undefined) return;
    const { entry, totals, details } = item;
    const { resolutionSeconds = totals.states.resolutionSeconds ?? hourSeconds } = entry;
    const begins = policies.calendar.dayBegins(month);
    const days = reports.flatMap((report) =>
      responseDaysOf(report, month, begins, resolutionSeconds),
    );
    const measured = reports.flat().filter((day) => day.averageResponseTimeSeconds !== undefined);
    if (days.length === 0 && measured.length >= leastMeasured) {
      this.#stored.noteDays(month, 'other time zone');
      this.#close(...this.#open.keys());
      return;
    }
    const recordedFrom = recordedFromSeconds(totals, entry.createdAtSeconds);
    const known = days.filter(({ place }) => (begins[place + 1] ?? month.toSeconds) > recordedFrom);
    const months = withResponseDays(details.responseMonths?.value, month, known);
    state.setDetail('check', id, 'responseMonths', months);
    const record = await this.#stored.record(month, { kind: 'check', id });
    if (record === undefined) return;
    const completed = await this.#listed.withLaterFacts(record, month);
    if (completed !== record) await this.#stored.store(month, [completed]);
  }
}

/** Whether the same request would fail again. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && itemReasons.has(error.reason);
}
