import type { RowFamily, SampleSink } from '../catalogue/family.ts';

/**
 * Compares the samples of two rows in a family without making their text. With every list all rows
 * of an account may change, most of them without other values, so a comparison allocates nothing.
 */
export class SampleComparison {
  /** All values in the text of the first row's samples. */
  readonly #parts: unknown[] = [];
  #place = 0;
  #isFirst = true;
  #isSame = true;

  readonly #sink: SampleSink = {
    emit: (value, ...labelValues) => {
      this.#take(value === undefined ? Number.NaN : Number(value));
      for (const label of labelValues) this.#take(label);
    },
    histogram: (totals) => {
      if (totals === undefined) return;
      const { bounds, counts, sumSeconds } = totals;
      this.#take(bounds.length);
      for (const bound of bounds) this.#take(bound);
      for (const count of counts) this.#take(count);
      this.#take(sumSeconds);
    },
    summary: (sum, count, ...labelValues) => {
      this.#take(sum);
      this.#take(count);
      for (const label of labelValues) this.#take(label);
    },
  };

  areSame<R>(family: RowFamily<R>, one: R, other: R): boolean {
    if (family.isSame !== undefined) return family.isSame(one, other);
    this.#place = 0;
    this.#isFirst = true;
    family.samples(one, this.#sink);
    const length = this.#place;
    this.#place = 0;
    this.#isFirst = false;
    this.#isSame = true;
    family.samples(other, this.#sink);
    return this.#isSame && this.#place === length;
  }

  #take(part: number | string): void {
    const place = this.#place++;
    if (this.#isFirst) this.#parts[place] = part;
    else if (!Object.is(this.#parts[place], part)) this.#isSame = false;
  }
}
