import type { ReadRequest } from '../../src/api/reader.ts';
import { entriesOf, type Listed } from './checker.ts';
import { daysBetween, wrongDay } from './day-checker.ts';
import { type CalendarMonth, monthsBetween } from './month-calendar.ts';
import { type ResponseRow, wrongResponse } from './response-checker.ts';
import { type Life, mayNotBeCounted, readBack, type Watcher } from './script.ts';
import { overlap, type Range, type Span, secondsOutside, Truth } from './truth.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** An outage before the month may have lasted for some time. */
const reach = 500 * day;
/** An ended month is kept for so long. */
const kept = 395 * day;
/** A check that is listed again is read within this time. */
const mustBeListed = 10 * minute;
/** The end of an outage is counted within this time. */
const mustBeCounted = 30 * minute;
/** A process that is killed may lose the lists of this time. */
const mayBeLost = 3 * minute;
/** A promise that is broken so often need not be broken again. */
const mostOfOne = 2;

/** What a month promises. */
export type MonthPromise =
  /** The months of the report are those of the calendar, each with its bounds. */
  | 'bounds'
  | 'month exists'
  | 'whole'
  | 'row exists'
  | 'row is of the month'
  | 'names of then'
  | 'groups of then'
  | 'seconds'
  | 'known seconds'
  | 'outages'
  | 'longest outage'
  | 'days'
  | 'response times'
  | 'list of outages'
  | 'sums of groups'
  | 'verdict'
  /** No availability is shown while some of its range is awaited. */
  | 'withheld'
  /** Names of the same checks differ in the text. */
  | 'told apart'
  /** All forms show the same. */
  | 'forms agree'
  /** What a month knows does not change. */
  | 'does not change';

interface Row extends ResponseRow {
  readonly kind: string;
  readonly account: string;
  readonly id?: number;
  readonly name: string;
  readonly groups: readonly string[];
  readonly items: number;
  readonly availability?: number;
  readonly objective: number;
  readonly met?: boolean;
  readonly down_seconds: number;
  readonly outages: number;
  readonly longest_outage_seconds: number;
  readonly maintenance_seconds: number;
  readonly unknown_seconds: number;
  readonly unmonitored_seconds: number;
  readonly unwatched_seconds: number;
  readonly folded_seconds: number;
  readonly known_seconds: number;
  readonly awaited_seconds: number;
  readonly removed?: string;
  readonly days: string;
}

interface OutageRow {
  readonly account: string;
  readonly id: number;
  readonly from: string;
  readonly to?: string;
  readonly began_before?: boolean;
  readonly counted: boolean;
}

interface Report {
  readonly month: string;
  readonly state: 'present' | 'partial' | 'whole';
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
  readonly groups: readonly Row[];
  readonly items: readonly Row[];
  readonly outages: readonly OutageRow[];
}

/** What lists showed of a check, from the first that did. */
interface Sight {
  readonly at: number;
  readonly listed: Listed;
}

/**
 * Compares the months of the report, in all its forms, with what happened in the service. Months and
 * sums are computed here in other code than that of the exporter.
 */
export class MonthChecker implements Watcher {
  readonly broken: string[] = [];
  readonly #counts = new Map<MonthPromise, number>();
  readonly #life: Life;
  readonly #truth: Truth;
  /** By check, oldest first. */
  readonly #sights = new Map<number, Sight[]>();
  readonly #ends: number[] = [];
  /** The rows of months that were whole, by month. */
  readonly #sealed = new Map<string, string>();
  #lastChecked = Number.NEGATIVE_INFINITY;
  #latest = 0;
  /** The script has ended, and all that was owed was read. */
  #isSettled = false;

  constructor(life: Life) {
    this.#life = life;
    this.#truth = new Truth(life.world.sandbox);
    for (const id of life.ids) this.#truth.check(id);
  }

  /** A later breach may be of another promise. */
  readonly isOver = false;

  /** The latest time of the service's clock, which may step back. */
  get #now(): number {
    this.#latest = Math.max(this.#latest, this.#life.world.now);
    return this.#latest;
  }

  asked(): void {}

  read({ operation }: ReadRequest, body: unknown): void {
    if (operation !== 'list_checks') return;
    const list = entriesOf(body);
    if (list === undefined) return;
    this.#latest = Math.max(this.#latest, this.#life.world.now);
    const at = this.#life.world.sandbox.world.lags.asOf('list_checks', 0, this.#life.world.now);
    for (const [id, listed] of list) {
      if (!this.#life.ids.includes(id)) continue;
      this.#truth.check(id);
      if (this.#life.isExcluded(id)) continue;
      const sights = this.#sights.get(id) ?? [];
      this.#sights.set(id, sights);
      const last = sights.at(-1);
      const isSame =
        last?.listed.name === listed.name && `${last.listed.tags}` === `${listed.tags}`;
      if (!isSame) sights.push({ at, listed });
    }
  }

  ended(): void {
    this.#ends.push(this.#life.now);
  }

  maintenanceChanges(deletedWindow: number | undefined): void {
    if (deletedWindow !== undefined) this.#truth.windowIsDeleted(deletedWindow, this.#life.now);
  }

  async check(): Promise<void> {
    const { now } = this.#life;
    if (now - this.#lastChecked < hour || this.#hasJustStepped) return;
    this.#lastChecked = now;
    for (const month of this.#months()) await this.#checkMonth(month, false);
  }

  /** A step of the service's clock is believed once two lists have shown it. */
  get #hasJustStepped(): boolean {
    const { now, begin, script } = this.#life;
    return script.events.some(({ kind, at }) => {
      const since = now - begin - at * minute;
      return kind === 'service-step' && since >= 0 && since < mustBeListed;
    });
  }

  async checkAtEnd(): Promise<void> {
    this.#isSettled = true;
    for (const month of this.#months()) await this.#checkMonth(month, true);
  }

  /** Those since the exporter first saw a check. */
  #months(): readonly CalendarMonth[] {
    const { zones } = this.#life;
    const seen = Math.min(...[...this.#sights.values()].map(([first]) => first?.at ?? Infinity));
    if (!Number.isFinite(seen)) return [];
    return monthsBetween(seen, this.#now, zones).filter(({ from }) => from > this.#now - kept);
  }

  async #checkMonth(month: CalendarMonth, isSettled: boolean): Promise<void> {
    const { world } = this.#life;
    const now = this.#now;
    // A month that has just begun is known with the next list.
    if (now - month.from < 10 * minute) return;
    const query = `?month=${month.name}`;
    const { status, text } = await world.read(`/report.json${query}`);
    const isPresent = now < month.to;
    if (status !== 200) {
      if (isSettled) this.#isBroken('month exists', month, `${status} ${text.trim()}`);
      return;
    }
    const report = JSON.parse(text) as Report;
    const bounds = { from: seconds(report.from), to: seconds(report.to) };
    if (bounds.from !== month.from || bounds.to !== month.to) {
      this.#isBroken('bounds', month, `${report.from} to ${report.to}`);
      return;
    }
    const isWhole = report.state === 'whole';
    if (isSettled && !isPresent && !isWhole) this.#isBroken('whole', month, report.state);
    for (const account of this.#accounts()) {
      for (const id of this.#life.ids) {
        const row = report.items.find((one) => one.account === account && one.id === id);
        const mustBeExact = isWhole || (isSettled && !isPresent);
        this.#checkRow(month, report, { id, row, mustBeExact });
      }
    }
    this.#checkGroups(month, report);
    if (isWhole) this.#checkUnchanged(month, report);
    if (isSettled || isWhole) await this.#checkForms(month, report);
  }

  #accounts(): readonly string[] {
    return this.#life.script.hasTwin ? ['shop', 'twin'] : ['shop'];
  }

  #checkRow(
    month: CalendarMonth,
    report: Report,
    { id, row, mustBeExact }: { id: number; row: Row | undefined; mustBeExact: boolean },
  ): void {
    const sights = this.#sights.get(id);
    const first = sights?.[0]?.at;
    const { created } = this.#truth.check(id);
    const life = {
      from: Math.max(month.from, created),
      to: Math.min(month.to, this.#now),
    };
    const what = `check ${id}${row === undefined ? '' : ` of ${row.account}`}`;
    const isOfMonth = life.from < life.to;
    if (row === undefined) {
      const isSeenInTime = first !== undefined && first < month.to;
      // What has left belongs to the present month, too.
      const isPresent = this.#now < month.to;
      const isOwed = mustBeExact || (isPresent && isSeenInTime && first < this.#now - hour);
      const isMissed = this.#hasLeftBefore(id, life) || this.#wasNeverListed(id, life);
      if (isOwed && isOfMonth && isSeenInTime && !isMissed) {
        this.#isBroken('row exists', month, `${what} has no row`);
      }
      return;
    }
    if (!isOfMonth) {
      this.#isBroken('row is of the month', month, `${what} has a row`);
      return;
    }
    if (this.#isMaintenanceUnknown(id, life)) return;
    this.#checkSeconds(month, what, { id, row, life, mustBeExact });
    this.#checkOutages(month, what, { id, row, life, mustBeExact, report });
    this.#checkVerdict(month, what, row, row.removed !== undefined);
    this.#checkTrueVerdict(month, what, { id, row, life });
    if (mustBeExact) {
      this.#checkNames(month, what, id, row);
      if (this.#isSettled) this.#checkResponses(month, what, { id, row, life }, report.time_zone);
      this.#checkDays(month, what, { id, row, life, zone: report.time_zone });
    }
  }

  #checkDays(
    month: CalendarMonth,
    what: string,
    { id, row, life, zone }: Pick<RowOf, 'id' | 'row' | 'life'> & { readonly zone: string },
  ): void {
    const isKnown = row.unwatched_seconds === 0 && joined(this.#unwatched(id), life).length === 0;
    if (!isKnown || row.folded_seconds > 0) return;
    const wrong = wrongDay({
      letters: row.days,
      objective: row.objective,
      days: daysBetween(month, zone),
      spans: this.#truth.spans(id, life, this.#now),
      maintenance: this.#truth.maintenance(id),
    });
    if (wrong !== undefined) this.#isBroken('days', month, `${what} ${wrong}`);
  }

  #checkResponses(
    month: CalendarMonth,
    what: string,
    { id, row, life }: Pick<RowOf, 'id' | 'row' | 'life'>,
    zone: string,
  ): void {
    const wrong = wrongResponse(row, {
      life: this.#life,
      id,
      range: life,
      spans: this.#truth.spans(id, life, this.#now),
      days: daysBetween(month, zone),
    });
    if (wrong !== undefined) this.#isBroken('response times', month, `${what} ${wrong}`);
  }

  /** It was deleted, or excluded, before the month or within its first hours. */
  #hasLeftBefore(id: number, life: Range): boolean {
    const left = this.#left(id);
    return left !== undefined && left.from <= life.from;
  }

  /** It left before the month, and came back after it. */
  #wasNeverListed(id: number, { from, to }: Range): boolean {
    return this.#life.unwatched.some((one) => one.id === id && one.from <= from && one.to >= to);
  }

  /**
   * The service lists a deleted check in no window. When it lists it again, the window may be over,
   * and nothing shows whether the check was its member then.
   */
  #isMaintenanceUnknown(id: number, life: Range): boolean {
    const { script, ids, unwatched } = this.#life;
    const returns = script.events.some(
      (event) => event.kind === 'return' && ids[event.check % ids.length] === id,
    );
    const away = joined(returns ? unwatched.filter((one) => one.id === id) : [], life);
    return this.#truth.maintenance(id).some((one) => away.some((part) => overlap(one, part) > 0));
  }

  /** A check that has come back has left until the exporter has read a list that has it. */
  #left(id: number): Range | undefined {
    return this.#life.unwatched.findLast(
      (one) => one.id === id && one.to > this.#life.now - mustBeListed,
    );
  }

  /** The time of which the states need not be known. */
  #unwatched(id: number): Range[] {
    const { unwatched, world } = this.#life;
    const first = this.#sights.get(id)?.[0]?.at ?? Infinity;
    const isCreationKnown = world.sandbox.world.wire.attributes === 'present';
    const unseen = { from: -Infinity, to: isCreationKnown ? first - readBack : first };
    const others = unwatched.filter((one) => one.id === undefined || one.id === id);
    return [unseen, ...others];
  }

  #checkSeconds(month: CalendarMonth, what: string, { id, row, life, mustBeExact }: RowOf): void {
    const now = this.#now;
    const { known_seconds: known, unwatched_seconds: unwatched, down_seconds: down } = row;
    const up = upOf(row);
    const missing = this.#unwatched(id);
    const mayMiss = joined(missing, life);
    const hasLeft = this.#left(id) !== undefined;
    // A month that goes on is counted up to the horizon.
    const counted = { from: life.from, to: Math.min(life.to, life.from + known + unwatched) };
    // Which seconds are known is not said while the past is being read.
    const isBeingRead = !mustBeExact && row.availability === undefined;
    const range = (mustBeExact && !hasLeft) || isBeingRead ? life : counted;
    const length = range.to - range.from;
    const spans = this.#truth.spans(id, range, now);
    const maintenance = this.#truth.maintenance(id);
    const truth = secondsOutside(spans, range, maintenance);
    const missable = mayMiss.reduce(
      (sum, one) => {
        const { up, down } = secondsOutside(clipped(spans, one), one, maintenance);
        return { up: sum.up + up, down: sum.down + down };
      },
      { up: 0, down: 0 },
    );
    const shown = `known ${known}, unwatched ${unwatched}, up ${up}, down ${down}`;
    const of = `of ${length} s with ${truth.up} up, ${truth.down} down, ${truth.unknown} unknown and ${truth.unmonitored} unmonitored`;
    if (mustBeExact && !hasLeft && known + unwatched !== length) {
      this.#isBroken('known seconds', month, `${what} ${shown}, ${of}`);
      return;
    }
    const mostUnwatched = mayMiss.reduce((sum, one) => sum + one.to - one.from, 0);
    // Time that was refused for a day after the end of its month is not watched until it is read.
    const isRefused = !mustBeExact && now >= month.to + day;
    const isAwaited = !isRefused && unwatched > mostUnwatched + (mustBeExact ? 0 : 15 * minute);
    if (isAwaited && mustBeExact) this.#isBroken('known seconds', month, `${what} ${shown}, ${of}`);
    if (isAwaited && row.availability !== undefined) {
      this.#isBroken('withheld', month, `${what} ${row.availability}, ${shown}, ${of}`);
    }
    const isUnknown = unwatched > 0;
    const isOpen = isAwaited || isRefused;
    const leastDown = isOpen || isBeingRead ? 0 : truth.down - (isUnknown ? missable.down : 0);
    const leastUp = isOpen ? 0 : truth.up - (isUnknown ? missable.up : 0) - this.#early(id, spans);
    const mostUp = truth.up + truth.unknown + truth.unmonitored;
    // Time in maintenance that is paused or unknown is in both sums.
    const twice = Math.min(row.maintenance_seconds, row.unknown_seconds + row.unmonitored_seconds);
    const isUpRight = up === undefined || (up <= mostUp && up + twice >= leastUp);
    if (down > truth.down || down < leastDown || !isUpRight) {
      this.#isBroken('seconds', month, `${what} ${shown}, ${of}`);
    }
  }

  /** Up to one interval of tests before each pause may count as paused. */
  #early(id: number, spans: readonly Span[]): number {
    const longest = Math.max(...this.#truth.check(id).runs.map((run) => run.resolutionSeconds));
    return longest * (1 + spans.filter(({ state }) => state === 'unmonitored').length);
  }

  #checkOutages(
    month: CalendarMonth,
    what: string,
    { id, row, life, mustBeExact, report }: RowOf & { readonly report: Report },
  ): void {
    const now = this.#now;
    const spans = this.#truth.spans(id, { from: month.from - reach, to: now }, now);
    const maintenance = joined(this.#truth.maintenance(id), { from: 0, to: Infinity });
    const all = spans.filter(({ state, from, to }) => state === 'down' && from < to);
    const truth = all.flatMap((span) => {
      const counts = firstOutside(span, maintenance);
      return counts === undefined || counts < life.from || counts >= life.to ? [] : [span];
    });
    const listed = report.outages.filter((one) => one.account === row.account && one.id === id);
    const counted = listed.filter((one) => one.counted).length;
    if (row.folded_seconds === 0 && counted !== row.outages) {
      this.#isBroken('list of outages', month, `${what} ${row.outages}, ${counted} are counted`);
    }
    for (const one of listed) {
      const from = seconds(one.from);
      const real = all.find((span) =>
        one.began_before ? span.from <= from && from <= span.to : span.from === from,
      );
      const end = one.to === undefined ? undefined : seconds(one.to);
      const isOver = real !== undefined && real.to < now - 2 * hour && this.#isSettled;
      const hasEnd = isOver && !this.#endsUnwatched(id, real);
      const isRight = real !== undefined && (end === undefined ? !hasEnd : end === real.to);
      if (!isRight) {
        const of = real === undefined ? 'nothing' : `${instant(real.from)} to ${instant(real.to)}`;
        this.#isBroken('list of outages', month, `${what} ${one.from} to ${one.to}, not ${of}`);
      }
    }
    if (!mustBeExact || row.folded_seconds > 0) return;
    const isKnown = row.unwatched_seconds === 0 && joined(this.#unwatched(id), life).length === 0;
    if (isKnown ? row.outages !== truth.length : row.outages > truth.length) {
      this.#isBroken('outages', month, `${what} ${row.outages}, not ${truth.length}`);
    }
    const longest = (of: (span: Span) => number) => Math.max(0, ...truth.map(of));
    const inMonth = longest((span) => overlap(span, month));
    const outside = longest(
      (span) =>
        secondsOutside(
          [span],
          { from: Math.max(span.from, month.from), to: Math.min(span.to, month.to) },
          maintenance,
        ).down,
    );
    const shown = row.longest_outage_seconds;
    if (isKnown && shown !== inMonth && shown !== outside) {
      this.#isBroken('longest outage', month, `${what} ${shown} s, not ${inMonth} s`);
    }
  }

  /**
   * It left before the end of the outage was counted, or that was lost with a restored copy: nothing
   * is read of it after it left.
   */
  #endsUnwatched(id: number, outage: Range): boolean {
    const { script, unwatched } = this.#life;
    const isRefused = script.events.some(({ kind }) => kind === 'fault');
    const mostLate = isRefused ? 0 : mayNotBeCounted - mustBeCounted;
    const left = unwatched.filter((one) => one.id === id);
    // Of what a restored copy lacks, nothing is read if it leaves before that.
    const lost = unwatched.filter(
      (one) => one.id === undefined && left.some(({ from }) => from < one.to),
    );
    const ofCheck = [...left, ...lost];
    return ofCheck.some((one) => outage.to > one.from + mostLate && outage.to < one.to);
  }

  /** By the numbers of the row itself, which are checked elsewhere. */
  #checkVerdict(month: CalendarMonth, what: string, row: Row, hasLeft: boolean): void {
    const { down_seconds: down, awaited_seconds: awaited, objective, met } = row;
    const unwatched = row.unwatched_seconds + awaited;
    const tested = (upOf(row) ?? 0) + down;
    const text = `${what} ${met}, ${down} s down of ${tested} s, ${unwatched} s not known`;
    if (this.#now < month.to) {
      // A check that has left is not expected to be tested again.
      const possible = hasLeft ? tested + unwatched : month.to - month.from;
      const isOverspent = down > (1 - objective) * possible;
      if (met === true || (met === false && !isOverspent)) this.#isBroken('verdict', month, text);
      return;
    }
    // Without an availability, the time up is what is not anything else.
    const up =
      upOf(row) ??
      row.known_seconds -
        row.unknown_seconds -
        row.unmonitored_seconds -
        row.maintenance_seconds -
        down;
    const allowed = (1 - objective) * (up + down + unwatched) + 1e-6;
    const isMissed = down > allowed;
    const isMet = up + down > 0 && down + unwatched <= allowed;
    // Maintenance may be time down, so that the time up is not certain.
    const isCertain = awaited === 0 || row.maintenance_seconds === 0;
    if (isCertain && met !== (isMissed ? false : isMet ? true : undefined)) {
      this.#isBroken('verdict', month, text);
    }
  }

  /** What is said before all is known is what the whole month will show. */
  #checkTrueVerdict(
    month: CalendarMonth,
    what: string,
    { id, row, life }: Pick<RowOf, 'id' | 'row' | 'life'>,
  ): void {
    const isPresent = this.#now < month.to;
    if (row.availability !== undefined || row.met === undefined || isPresent) return;
    const spans = this.#truth.spans(id, life, this.#now);
    const { up, down } = secondsOutside(spans, life, this.#truth.maintenance(id));
    const isWithin = down <= (1 - row.objective) * (up + down);
    if (row.met !== isWithin) {
      this.#isBroken('verdict', month, `${what} ${row.met}, but it was ${down} s down`);
    }
  }

  /**
   * Those of the last list before the end of the month. A check that had left before the month may
   * have those with which it came back after it.
   */
  #checkNames(month: CalendarMonth, what: string, id: number, row: Row): void {
    const sights = this.#sights.get(id) ?? [];
    const before = sights.filter(({ at }) => at < month.to);
    const isSure =
      this.#life.unwatched.every((one) => one.id !== id && one.id !== undefined) &&
      !this.#ends.some((end) => before.some(({ at }) => end >= at && end - at < mayBeLost));
    const hadLeft = this.#life.unwatched.some(
      (one) => one.id === id && one.from < month.from && one.to > month.from,
    );
    const later = hadLeft ? sights.filter(({ at }) => at >= month.to).slice(0, 1) : [];
    const allowed = isSure ? before.slice(-1) : [...before, ...later];
    if (allowed.length === 0) return;
    if (!allowed.some(({ listed }) => listed.name === row.name)) {
      this.#isBroken(
        'names of then',
        month,
        `${what} ${row.name}, not ${allowed.at(-1)?.listed.name}`,
      );
    }
    const groups = allowed.map(({ listed }) => [...listed.tags, 'all'].sort().join());
    const shown = [...row.groups].sort().join();
    if (!groups.includes(shown)) {
      this.#isBroken('groups of then', month, `${what} ${shown}, not ${groups.join(' or ')}`);
    }
  }

  #checkGroups(month: CalendarMonth, { items, groups }: Report): void {
    for (const group of groups) {
      const members = items.filter(
        ({ account, groups: names }) => account === group.account && names.includes(group.name),
      );
      const sum = (of: (row: Row) => number) => members.reduce((total, row) => total + of(row), 0);
      const same =
        group.items === members.length &&
        group.down_seconds === sum((row) => row.down_seconds) &&
        group.known_seconds === sum((row) => row.known_seconds) &&
        group.unwatched_seconds === sum((row) => row.unwatched_seconds) &&
        group.outages === sum((row) => row.outages);
      if (!same) this.#isBroken('sums of groups', month, `group ${group.name}`);
      const isMemberMissing = members.some(
        (row) =>
          row.availability === undefined &&
          row.known_seconds >
            row.unmonitored_seconds + row.unknown_seconds + row.maintenance_seconds,
      );
      if (isMemberMissing && group.availability !== undefined) {
        this.#isBroken('withheld', month, `group ${group.name} ${group.availability}`);
      }
      const haveLeft = members.every(({ removed }) => removed !== undefined);
      this.#checkVerdict(month, `group ${group.name}`, group, haveLeft);
    }
  }

  #checkUnchanged(month: CalendarMonth, report: Report): void {
    const now = JSON.stringify(
      report.items
        .map(({ account, id, name, down_seconds: down, known_seconds: known }) => ({
          ...{ account, id, name, down, known },
        }))
        .sort((a, b) =>
          a.account < b.account ? -1 : a.account > b.account ? 1 : (a.id ?? 0) - (b.id ?? 0),
        ),
    );
    const before = this.#sealed.get(month.name);
    this.#sealed.set(month.name, now);
    // A row that left may come back, and its provisional record is replaced.
    const isStill = this.#life.script.events.every(
      ({ kind }) => kind !== 'return' && kind !== 'exclude' && kind !== 'restore',
    );
    if (before !== undefined && before !== now && isStill) {
      this.#isBroken('does not change', month, `${before} became ${now}`);
    }
  }

  async #checkForms(month: CalendarMonth, { groups, items }: Report): Promise<void> {
    const { world } = this.#life;
    const query = `?month=${month.name}`;
    const csv = csvRows(await world.get(`/report.csv${query}`));
    const rows = [...groups, ...items];
    const columns = [
      'kind',
      'account',
      'availability',
      'down_seconds',
      'outages',
      'known_seconds',
      'unwatched_seconds',
      'met',
    ] as const;
    const same = rows.every((row, place) =>
      columns.every((name) => csv[place]?.get(name) === `${row[name] ?? ''}`),
    );
    if (!same || csv.length !== rows.length) this.#isBroken('forms agree', month, 'CSV and JSON');
    const text = await world.get(`/report.txt${query}`);
    const page = plain(await world.get(`/report${query}`));
    const [sentence = '', ...counts] =
      /^(?:([\d,]+) of [\d,]+ groups? and )?([\d,]+) of [\d,]+ checks?\b.*$/m.exec(text) ?? [];
    const missed = [groups, items].map((some) => some.filter(({ met }) => met === false).length);
    const [ofGroups = '0', ofItems] = counts.map((count) => count?.replaceAll(',', ''));
    if (
      sentence === '' ||
      !page.includes(sentence) ||
      ofGroups !== `${missed[0]}` ||
      ofItems !== `${missed[1]}`
    ) {
      this.#isBroken(
        'forms agree',
        month,
        `${sentence || text.slice(0, 300)}, not ${missed.join()}`,
      );
    }
    const labels = text
      .split('\n')
      .filter((line) => line.includes(': ') && line.includes(' objective '))
      .map((line) => line.slice(0, line.indexOf(': ')));
    const twice = labels.find(
      (label, place) =>
        labels.indexOf(label) !== place &&
        !rows.some(({ kind, name }) => kind === 'group' && label.includes(name)),
    );
    if (twice !== undefined) this.#isBroken('told apart', month, twice.trim());
  }

  #isBroken(promise: MonthPromise, { name }: CalendarMonth, text: string): void {
    const count = this.#counts.get(promise) ?? 0;
    if (count === mostOfOne) return;
    this.#counts.set(promise, count + 1);
    const minutes = Math.round((this.#life.now - this.#life.begin) / minute);
    this.broken.push(`${promise}: ${name} at minute ${minutes}: ${text}`);
  }
}

interface RowOf {
  readonly id: number;
  readonly row: Row;
  /** The part of the month in which it existed, up to now. */
  readonly life: Range;
  /** The month has ended, and nothing of it is awaited. */
  readonly mustBeExact: boolean;
}

/** Seconds up outside maintenance; undefined if the availability is withheld. */
function upOf({ availability, down_seconds: down, ...row }: Row): number | undefined {
  if (availability === undefined) return undefined;
  if (down > 0) return Math.round((down * availability) / (1 - availability));
  const { known_seconds, maintenance_seconds, unknown_seconds, unmonitored_seconds } = row;
  return known_seconds - maintenance_seconds - unknown_seconds - unmonitored_seconds;
}

/** The parts of some ranges within another one, in order, without overlaps. */
function joined(ranges: readonly Range[], within: Range): Range[] {
  const parts: Range[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const begin = Math.max(from, within.from, parts.at(-1)?.to ?? -Infinity);
    const end = Math.min(to, within.to);
    if (begin < end) parts.push({ from: begin, to: end });
  }
  return parts;
}

function clipped(spans: readonly Span[], { from, to }: Range): Span[] {
  return spans.flatMap((span) => {
    const part = { ...span, from: Math.max(span.from, from), to: Math.min(span.to, to) };
    return part.from < part.to ? [part] : [];
  });
}

/** The first second of an outage that is in no maintenance. */
function firstOutside({ from, to }: Range, maintenance: readonly Range[]): number | undefined {
  let at = from;
  for (const one of maintenance) if (one.from <= at && at < one.to) at = one.to;
  return at < to ? at : undefined;
}

function seconds(text: string): number {
  return Date.parse(text) / 1000;
}

function instant(at: number): string {
  return new Date(1000 * at).toISOString();
}

function csvRows(text: string): Map<string, string>[] {
  const [head = [], ...rows] = [
    ...text.slice(1).matchAll(/(?:(?:"(?:[^"]|"")*"|[^,\r\n]*)(?:,|\r\n))+?(?<=\n)/g),
  ].map(([line]) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(?:,|\r\n)/g)].map(([, cell]) => cell ?? ''),
  );
  return rows.map((cells) => new Map(head.map((name, place) => [name, cells[place] ?? ''])));
}

/** The text of a page without its tags. */
function plain(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '').replaceAll('&amp;', '&');
}
