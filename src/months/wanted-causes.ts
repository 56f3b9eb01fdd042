import { z } from 'zod';
import type { TimeRange } from '../domain/interval.ts';
import type { AccountParts } from '../feature.ts';
import { unixSeconds } from '../lib/clock.ts';
import type { MonthCalendar } from '../lib/month-calendar.ts';
import { amount, id, type TypeOf } from '../lib/schema.ts';
import { missedVerdicts } from '../slo/verdict.ts';
import { explainingDatasets } from '../state/items/outage-causes.ts';
import { StoreError } from '../store/store-error.ts';
import type { ReportOutage } from './month-outages.ts';
import { completeSeconds } from './month-writing.ts';
import { type MonthReport, monthReport, type ReportMonths } from './report.ts';

export const causesDocument = 'feature months causes';

/** Each takes two requests of the allowance of events. */
const mostPerDay = 10;
/** Of one check, before those of others: a check that flaps has the longest for many days. */
const mostOfCheck = 3;
const shortestSeconds = 60;
/** First sight reads what is down now before what is over. In seconds. */
const settleSeconds = 3_600;
/** Between two of them, so that outages that begin meanwhile are explained no later. In seconds. */
const pauseSeconds = 600;
/** The same while the past of checks, which is read from the same allowance, is not wholly read. */
const longPauseSeconds = 6 * 3_600;
/** After this time there may be further outages to choose, in seconds. */
const lookAgainSeconds = 6 * 3_600;
/** Outages of a month are not chosen twice. In seconds. */
const triedSeconds = 70 * 86_400;
const daySeconds = 86_400;

const outage = z.object({ id, fromSeconds: amount, toSeconds: amount.exactOptional() });
const document = z.object({
  /** The day of which `asked` were chosen, in days since 1970. */
  day: amount,
  asked: amount,
  /** To be asked, the first one next. */
  chosen: z.array(outage),
  /** What was chosen lately. */
  tried: z.array(z.object({ id, fromSeconds: amount })),
  /** Chosen, or asked by people, and not answered yet. */
  questions: z.array(outage.extend({ datasets: z.array(z.enum(explainingDatasets)) })),
});
type Document = TypeOf<typeof document>;
type Chosen = Document['chosen'][number];

type Parts = Pick<AccountParts, 'account' | 'state' | 'serviceClock' | 'reads' | 'log'>;

interface Months extends ReportMonths {
  readonly calendar: Pick<MonthCalendar, 'containing' | 'later' | 'dayBegins'>;
}

/**
 * Chooses outages of the month whose causes are read, because the report names them: at most ten a
 * day, the longest first, those of groups that missed their objective before all others, and at most
 * three of one check while others have any. What people ask comes first. Choices and questions are
 * stored with the next refresh: a restart loses and repeats none, and a crash at most those since then.
 */
export class WantedCauses {
  readonly #parts: Parts;
  readonly #months: Months;
  #known: Omit<Document, 'questions'> = { day: 0, asked: 0, chosen: [], tried: [] };
  #stored = '';
  /** In monotonic milliseconds: the time of the service is not known before the first response. */
  #lookAt: number;
  #askAt = 0;
  #looking: Promise<void> | undefined;

  constructor(parts: Parts, months: Months) {
    this.#parts = parts;
    this.#months = months;
    this.#lookAt = this.#inTime(settleSeconds);
  }

  get #nowSeconds(): number {
    return unixSeconds(this.#parts.serviceClock);
  }

  #inTime(seconds: number): number {
    return this.#parts.serviceClock.monotonic() + 1000 * seconds;
  }

  restore(stored: unknown): void {
    const { data } = document.safeParse(stored);
    if (data === undefined) return;
    const { questions, ...known } = data;
    this.#known = known;
    for (const { datasets, ...one } of questions) this.#want(one, datasets);
  }

  /** Undefined if nothing has changed since the last call. */
  takeChange(): Document | undefined {
    const questions = this.#parts.state.causes
      .questions()
      .map(({ id, outage: { fromSeconds, toSeconds }, datasets }) => ({
        ...chosenOf(id, { fromSeconds, toSeconds }),
        datasets: [...datasets],
      }));
    const next = { ...this.#known, questions };
    const text = JSON.stringify(next);
    if (text === this.#stored) return undefined;
    this.#stored = text;
    return next;
  }

  notStored(): void {
    this.#stored = '';
  }

  /** The check list was read. */
  listed(): void {
    this.#askNext();
    if (this.#looking !== undefined || this.#inTime(0) < this.#lookAt) return;
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined;
    });
  }

  /** Resolves when nothing is being chosen. */
  async idle(): Promise<void> {
    await this.#looking;
  }

  #askNext(): void {
    const { state, serviceClock } = this.#parts;
    const [next, ...chosen] = this.#known.chosen;
    const now = serviceClock.monotonic();
    if (next === undefined || now < this.#askAt || state.causes.isWaiting(now)) return;
    this.#askAt = this.#inTime(state.firstSight.pastsLeft > 0 ? longPauseSeconds : pauseSeconds);
    this.#known = { ...this.#known, chosen };
    this.#want(next, this.#datasets);
  }

  #want(
    { id, fromSeconds, toSeconds = Number.POSITIVE_INFINITY }: Chosen,
    datasets: Document['questions'][number]['datasets'],
  ): void {
    const { state, serviceClock } = this.#parts;
    const question = { id, outage: { fromSeconds, toSeconds }, datasets };
    state.causes.want(question, serviceClock.monotonic());
  }

  get #datasets() {
    return explainingDatasets.filter((dataset) => this.#parts.reads(dataset));
  }

  async #look(): Promise<void> {
    const now = this.#nowSeconds;
    const day = Math.floor(now / daySeconds);
    const { tried, chosen: waiting, ...former } = this.#known;
    const asked = former.day === day ? former.asked : 0;
    const left = mostPerDay - asked;
    const tomorrow = (day + 1) * daySeconds - now;
    this.#lookAt = this.#inTime(left > 0 ? lookAgainSeconds : tomorrow);
    if (left === 0 || waiting.length > 0 || this.#datasets.length === 0) return;
    try {
      const chosen = (await this.#candidates(now)).slice(0, left);
      const recent = tried.filter(({ fromSeconds }) => fromSeconds > now - triedSeconds);
      const also = chosen.map(({ id, fromSeconds }) => ({ id, fromSeconds }));
      this.#known = { day, asked: asked + chosen.length, chosen, tried: [...recent, ...also] };
      if (chosen.length === left) this.#lookAt = this.#inTime(tomorrow);
    } catch (error) {
      // The store reports its own failures.
      if (error instanceof StoreError) return;
      const { account, log } = this.#parts;
      log.error({ account, error }, 'outages whose causes are read could not be chosen');
    }
  }

  /** Of the present month, and of the last one while its report is read. */
  async #candidates(now: number): Promise<readonly Chosen[]> {
    const { calendar } = this.#months;
    const present = calendar.containing(now);
    const isReported = now < present.fromSeconds + completeSeconds;
    const months = isReported ? [calendar.later(present, -1), present] : [present];
    const tried = new Set(this.#known.tried.map(keyOf));
    const all: { readonly chosen: Chosen; readonly isOverspent: boolean; seconds: number }[] = [];
    for (const month of months) {
      const report = await monthReport([this.#months], month, everything);
      const overspent = overspentIn(report);
      for (const one of report.outages) {
        const { item, seconds } = one;
        const chosen = chosenOf(item.id, one);
        if (!lacksCause(one) || tried.has(keyOf(chosen))) continue;
        all.push({ chosen, isOverspent: overspent.has(item.id), seconds });
      }
    }
    const sorted = all
      .sort((a, b) => Number(b.isOverspent) - Number(a.isOverspent) || b.seconds - a.seconds)
      .map(({ chosen }) => chosen);
    return spread(sorted);
  }
}

/** The first few of each check, then the others. */
function spread(sorted: readonly Chosen[]): readonly Chosen[] {
  const places = new Map<number, number>();
  const [first, others]: [Chosen[], Chosen[]] = [[], []];
  for (const one of sorted) {
    const place = places.get(one.id) ?? 0;
    places.set(one.id, place + 1);
    (place < mostOfCheck ? first : others).push(one);
  }
  return [...first, ...others];
}

const everything = {
  groups: new Set<string>(),
  matches: () => true,
  isLeftOut: () => false,
};

function lacksCause({ item, causes, isCounted, seconds, toSeconds }: ReportOutage) {
  const isOver = toSeconds !== undefined && seconds >= shortestSeconds;
  return item.kind === 'check' && item.isListed && isCounted && isOver && causes.length === 0;
}

/** The checks of groups that missed their objective, or have used its allowance up. */
function overspentIn({ groups, items }: MonthReport): ReadonlySet<number> {
  const names = new Set<string>();
  for (const { name, verdict } of groups) {
    if (verdict !== undefined && missedVerdicts.includes(verdict)) names.add(name);
  }
  const ids = items.flatMap(({ kind, id, groups: of }) =>
    kind === 'check' && id !== undefined && of.some((name) => names.has(name)) ? id : [],
  );
  return new Set(ids);
}

function chosenOf(
  id: number,
  { fromSeconds, toSeconds }: Pick<TimeRange, 'fromSeconds'> & { toSeconds?: number | undefined },
): Chosen {
  const isOver = toSeconds !== undefined && toSeconds < Number.POSITIVE_INFINITY;
  return { id, fromSeconds, ...(isOver && { toSeconds }) };
}

function keyOf({ id, fromSeconds }: { readonly id: number; readonly fromSeconds: number }): string {
  return `${id} ${fromSeconds}`;
}
