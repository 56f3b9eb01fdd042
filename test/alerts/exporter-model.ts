import { isIn, type Life } from './generated-life.ts';

/** The data of a page about the check, its account, and a group with only this check. */
export interface Page {
  /** Whether the outages are known. */
  readonly isKnown: boolean;
  /** The value of the family of open outages, keyed by promoted labels and name. */
  readonly open: ReadonlyMap<string, 0 | 1>;
  readonly start: number | undefined;
  readonly flapping: 0 | 1 | undefined;
  readonly lastStart: number | undefined;
  readonly groupOpen: number;
  /** The present labels of the check; undefined if it is not listed. */
  readonly labels: string | undefined;
}

const listInterval = 60;
const hour = 3600;
const day = 86_400;

/**
 * An exporter as its documentation describes it. It reads the list once a minute, gets the result
 * of the last test, and keeps its data over a restart unless its store is lost. It shares no code
 * with the exporter or the rules.
 */
export class ExporterModel {
  readonly #life: Life;
  #known = false;
  #open = new Map<string, 0 | 1>();
  #zeroUntil = new Map<string, number>();
  #isOpen = false;
  #start: number | undefined;
  #opened: number[] = [];
  #flapping = false;
  #flappedUntil = 0;
  #upSince: number | undefined;
  #firstSeen: number | undefined;
  #last: { readonly start: number; readonly end: number } | undefined;
  #wasAway = false;

  constructor(life: Life) {
    this.#life = life;
  }

  /** Advances by one second. */
  tick(second: number): void {
    const { away, blind, storeLostAt } = this.#life;
    if (isIn(away, second)) {
      this.#wasAway = true;
      return;
    }
    if (this.#wasAway) {
      this.#wasAway = false;
      if (away.some(({ from, to }) => from <= storeLostAt && storeLostAt < to)) this.#loseStore();
    }
    this.#forget(second);
    const isReload = second === this.#life.relabelledAt;
    if (isReload && this.#known) this.#label(second);
    if (second % listInterval === 11 && !isIn(blind, second)) this.#read(second);
  }

  page(second: number): Page {
    return {
      isKnown: this.#known,
      open: new Map(this.#open),
      start: this.#isOpen ? this.#start : undefined,
      flapping: this.#flapping ? 1 : second < this.#flappedUntil ? 0 : undefined,
      lastStart: this.#last === undefined || this.#isOpen ? undefined : this.#last.start,
      groupOpen: this.#isOpen ? 1 : 0,
      labels: second < this.#life.deletedAt ? this.#labels(second) : undefined,
    };
  }

  #loseStore(): void {
    this.#known = false;
    this.#open = new Map();
    this.#zeroUntil = new Map();
    this.#isOpen = false;
    this.#opened = [];
    this.#flapping = false;
    this.#flappedUntil = 0;
    this.#firstSeen = undefined;
    this.#last = undefined;
  }

  #labels(second: number): string {
    const { renamedAt, relabelledAt } = this.#life;
    return `${second >= renamedAt ? 'Home' : 'Front'} page/${second >= relabelledAt ? 'b' : 'a'}`;
  }

  /** The result of the last test; undefined while nothing is tested. */
  #finds(second: number): 'up' | 'down' | undefined {
    const { deletedAt, pauses, maintenance, resolution, outages } = this.#life;
    if (second >= deletedAt || isIn(pauses, second) || isIn(maintenance, second)) return undefined;
    return isIn(outages, second - (second % resolution)) ? 'down' : 'up';
  }

  #read(second: number): void {
    this.#known = true;
    this.#firstSeen ??= second;
    const found = this.#finds(second);
    if (found === 'down' && !this.#isOpen) this.#begin(second);
    if (found !== 'down' && this.#isOpen) {
      this.#end(second);
      // Maintenance and a pause interrupt an outage, which counts once.
      if (found === undefined) this.#opened.pop();
    }
    if (found === 'up') this.#upSince ??= second;
    else this.#upSince = undefined;
    if (!this.#isOpen) this.#learn(second);
    const isSteady = this.#upSince !== undefined && second - this.#upSince >= hour / 2;
    if (this.#flapping && (isSteady || found === undefined)) {
      this.#flapping = false;
      this.#flappedUntil = second + day;
    }
    this.#label(second);
  }

  #begin(second: number): void {
    this.#isOpen = true;
    this.#start = this.#life.outages.findLast(({ from }) => from <= second)?.from;
    this.#opened = [...this.#opened.filter((one) => one > second - hour), second];
    if (this.#opened.length >= 3) this.#flapping = true;
  }

  #end(second: number): void {
    this.#isOpen = false;
    if (this.#start !== undefined) this.#last = { start: this.#start, end: second };
  }

  /** A closed outage that a test found, but no list showed. */
  #learn(second: number): void {
    const { outages, resolution, maintenance, pauses, deletedAt } = this.#life;
    for (const { from, to } of outages) {
      const test = Math.ceil(from / resolution) * resolution;
      const isTested = test < to && !isIn(maintenance, test) && !isIn(pauses, test);
      const isOver = Math.ceil(to / resolution) * resolution <= second;
      if (!isTested || !isOver || test >= deletedAt || from < (this.#firstSeen ?? 0)) continue;
      if (from > (this.#last?.start ?? 0)) this.#last = { start: from, end: second };
    }
  }

  #forget(second: number): void {
    for (const [labels, until] of this.#zeroUntil) {
      if (second < until) continue;
      this.#zeroUntil.delete(labels);
      this.#open.delete(labels);
    }
  }

  /** An open outage has the present labels, and a closed one its previous labels. */
  #label(second: number): void {
    const labels = this.#labels(second);
    for (const [before, value] of this.#open) {
      if (value === 0 || (this.#isOpen && before === labels)) continue;
      this.#open.set(before, 0);
      this.#zeroUntil.set(before, second + day);
    }
    if (!this.#isOpen) return;
    this.#open.set(labels, 1);
    this.#zeroUntil.delete(labels);
  }
}
