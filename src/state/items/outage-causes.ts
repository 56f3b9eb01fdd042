import type { TimeRange } from '../../domain/interval.ts';
import { present } from '../../lib/present.ts';
import { earlySeconds } from '../../slo/last-outages.ts';
import { awaitsAnalysis, type ExplainedCheck, unexplainedSince } from './lacked-causes.ts';
import { type CheckTotals, hasNewOutage } from './totals.ts';

/** The datasets that explain an outage: the errors of its tests, and its root cause analysis. */
export const explainingDatasets = ['results', 'analyses'] as const;
export type ExplainingDataset = (typeof explainingDatasets)[number];

/** The service analyses an outage within minutes of its confirmation. */
const firstWaitMilliseconds = 300_000;
/** More outages have alike causes, and their outage reports share the event allowance. */
const maxResultsPerList = 20;
/** Events of the account wait for at most this many outages that people ask about. */
const maxWaiting = 10;
/** After this time, an outage whose data could not be read makes room for others. */
const patienceMilliseconds = 3_600_000;
/** The number of outages without a known cause that are remembered. */
const maxAnswered = 100;

/** When the analyses of a check are requested again. */
export interface AnalysisWait {
  milliseconds: number;
  /** On the monotonic clock. */
  askAt: number;
}

/** A check, with the places of what is wanted of its causes. */
interface CauseCheck extends ExplainedCheck {
  analysisWait: AnalysisWait | undefined;
  isFirstOutageRead: boolean;
}

interface Checks {
  get(id: number): CauseCheck | undefined;
  records(): Iterable<CauseCheck>;
}

/** An outage whose causes somebody asked for, or the exporter itself chose. */
interface AskedOutage {
  readonly check: CauseCheck;
  readonly outage: TimeRange;
  /** On the monotonic clock. */
  readonly askedAt: number;
  /** The datasets that are not read yet. */
  readonly left: Set<ExplainingDataset>;
  /** It is requested with the next list. */
  awaitsList: boolean;
}

/** A question that waits. */
interface Question {
  readonly id: number;
  readonly outage: TimeRange;
  readonly datasets: Iterable<ExplainingDataset>;
}

/** Time in which causes of outages lie, besides the time that is counted. */
interface WantedCauses {
  readonly fromSeconds: number;
  /** An open outage ends at Infinity. */
  readonly toSeconds: number;
  /** Absent for the outage of first sight. */
  readonly asked?: AskedOutage;
}

/**
 * All that is wanted of the causes of a check's outages: why it is requested, when, and over which
 * time.
 *
 * | Wanted | By | Requested |
 * | --- | --- | --- |
 * | a counted outage | `counted`, after a restart `restored` | its results once, after five minutes, and its analyses with growing waits for a day |
 * | the outage that was open at first sight | the list | in the order of first sight (`FirstSight`) |
 * | any outage | people, by `ask` | at once |
 * | an outage of the report | the feature of months, by `want` | with the next list |
 *
 * The feature of months stores what waits, and wants it again after a restart.
 */
export class OutageCauses {
  readonly #checks: Checks;
  /** The oldest question first. Those of checks that have left are skipped, and make room. */
  #asked: readonly AskedOutage[] = [];

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  /** Totals of a check are counted. `now`: milliseconds of the monotonic clock. */
  counted(check: CauseCheck, after: CheckTotals, now: number): void {
    if (hasNewOutage(check.totals, after)) expectAnalysis(check, now);
  }

  /** The previous process may have ended before the analyses of the last outages were listed. */
  restored(now: number): void {
    for (const check of this.#checks.records()) {
      if (awaitsAnalysis(check)) expectAnalysis(check, now);
    }
  }

  /** The requests that explain outages that began minutes ago. Results are complete by then. */
  due(now: number): { readonly dataset: ExplainingDataset; readonly id: number }[] {
    const due: { dataset: ExplainingDataset; id: number }[] = [];
    for (const asked of this.#asked) {
      if (!asked.awaitsList) continue;
      asked.awaitsList = false;
      const { id } = asked.check.entry;
      for (const dataset of asked.left) due.push({ dataset, id });
    }
    let results = 0;
    for (const check of this.#checks.records()) {
      const { analysisWait: wait, entry } = check;
      if (wait === undefined || wait.askAt > now) continue;
      if (!awaitsAnalysis(check)) {
        check.analysisWait = undefined;
        continue;
      }
      if (wait.milliseconds === firstWaitMilliseconds && results < maxResultsPerList) {
        results += 1;
        due.push({ dataset: 'results', id: entry.id });
      }
      due.push({ dataset: 'analyses', id: entry.id });
      wait.milliseconds *= 2;
      wait.askAt = now + wait.milliseconds;
    }
    return due;
  }

  /** The outage of a check whose results are to be read, uncounted. */
  wantedResults(check: CauseCheck): WantedCauses | undefined {
    const asked = this.#next(check, 'results');
    if (asked !== undefined) return { ...rangeOf(asked), asked };
    const fromSeconds = unexplainedSince(check, 'cause');
    if (fromSeconds === undefined || check.isFirstOutageRead) return undefined;
    return { fromSeconds, toSeconds: Number.POSITIVE_INFINITY };
  }

  /** The time from which on analyses of a check are wanted that are not counted. */
  wantedAnalyses(check: CauseCheck): Omit<WantedCauses, 'toSeconds'> | undefined {
    const asked = this.#next(check, 'analyses');
    const askedFrom = asked && rangeOf(asked).fromSeconds;
    const starts = [askedFrom, unexplainedSince(check, 'analysisId')].filter(
      (from) => from !== undefined,
    );
    if (starts.length === 0) return undefined;
    return present({ fromSeconds: Math.min(...starts), asked });
  }

  resultsRead(check: CauseCheck, { asked }: WantedCauses): void {
    if (asked === undefined) check.isFirstOutageRead = true;
    else this.#answered(asked, 'results');
  }

  /** Analyses are requested again while one is missing. */
  analysesRead(check: CauseCheck, asked: AskedOutage | undefined, now: number): void {
    if (!awaitsAnalysis(check)) check.analysisWait = undefined;
    else if (check.analysisWait === undefined) expectAnalysis(check, now);
    if (asked !== undefined) this.#answered(asked, 'analyses');
  }

  /** Returns false if too many outages wait. `now`: milliseconds of the monotonic clock. */
  ask(id: number, outage: TimeRange, datasets: readonly ExplainingDataset[], now: number): boolean {
    return this.#ask({ id, outage, datasets }, now, false);
  }

  /** Like `ask`, but the next list requests it. */
  want(question: Question, now: number): boolean {
    return this.#ask(question, now, true);
  }

  /** What is not answered yet, the oldest first. */
  questions(): readonly Question[] {
    return this.#asked.filter(isWaiting).flatMap(({ check, outage, left }) => {
      const { id } = check.entry;
      return this.#checks.get(id) === check ? [{ id, outage, datasets: left }] : [];
    });
  }

  /** Whether a question waits that could not yet have been given up. */
  isWaiting(now: number): boolean {
    return this.#asked.some((one) => isWaiting(one) && now - one.askedAt <= patienceMilliseconds);
  }

  #ask({ id, outage, datasets }: Question, now: number, awaitsList: boolean): boolean {
    if (this.stateOf(id, outage) === 'waiting') return true;
    const check = this.#checks.get(id);
    if (check === undefined) return false;
    this.#asked = this.#asked.filter(
      (one) =>
        this.#checks.get(one.check.entry.id) === one.check &&
        (!isWaiting(one) || now - one.askedAt <= patienceMilliseconds) &&
        (one.check !== check || one.outage.fromSeconds !== outage.fromSeconds),
    );
    if (this.#asked.filter(isWaiting).length >= maxWaiting) return false;
    const asked = { check, outage, askedAt: now, left: new Set(datasets), awaitsList };
    this.#asked = [...this.#asked, asked];
    return true;
  }

  /** `answered`: the data were read. Undefined if nobody asked. */
  stateOf(id: number, outage: Pick<TimeRange, 'fromSeconds'>): 'waiting' | 'answered' | undefined {
    const check = this.#checks.get(id);
    const asked = this.#asked.find(
      (one) => one.check === check && one.outage.fromSeconds === outage.fromSeconds,
    );
    if (asked === undefined) return undefined;
    return isWaiting(asked) ? 'waiting' : 'answered';
  }

  #next(check: CauseCheck, dataset: ExplainingDataset): AskedOutage | undefined {
    return this.#asked.find((one) => one.check === check && one.left.has(dataset));
  }

  /** The data of the outage were read. */
  #answered(asked: AskedOutage, dataset: ExplainingDataset): void {
    asked.left.delete(dataset);
    if (isWaiting(asked)) return;
    const waiting = this.#asked.filter(isWaiting);
    const answered = this.#asked.filter((one) => one !== asked && !isWaiting(one));
    this.#asked = [...waiting, ...[...answered, asked].slice(-maxAnswered)];
  }
}

/** An outage began; `now` is in milliseconds of the monotonic clock. */
function expectAnalysis(check: Pick<CauseCheck, 'analysisWait'>, now: number): void {
  const askAt = now + firstWaitMilliseconds;
  check.analysisWait = { milliseconds: firstWaitMilliseconds, askAt };
}

function isWaiting({ left }: AskedOutage): boolean {
  return left.size > 0;
}

/** The time in which the failed tests and the analysis of an outage lie. */
function rangeOf({ outage }: AskedOutage): TimeRange {
  return { ...outage, fromSeconds: outage.fromSeconds - earlySeconds };
}
