import type { HistogramTotals } from '../domain/tally.ts';
import type { Emit, RowFamily, SampleSink } from './catalogue/family.ts';

/** Whether a family has the same samples of two rows, told without making their text. */
export function sameSamples<R>(family: RowFamily<R>, a: R, b: R): boolean {
  const [ofA, ofB] = [new SampleRecorder(), new SampleRecorder()];
  family.samples(a, ofA);
  family.samples(b, ofB);
  return ofA.equals(ofB);
}

/** Everything that the text of samples is made from. */
class SampleRecorder implements SampleSink {
  readonly #parts: unknown[] = [];

  readonly emit: Emit = (value, ...labelValues) => {
    this.#parts.push(value === undefined ? Number.NaN : Number(value), ...labelValues);
  };

  readonly histogram = (totals: HistogramTotals | undefined): void => {
    if (totals === undefined) return;
    const { bounds, counts, sumSeconds } = totals;
    this.#parts.push(bounds.length, ...bounds, ...counts, sumSeconds);
  };

  readonly summary = (sum: number, count: number, ...labelValues: readonly string[]): void => {
    this.#parts.push(sum, count, ...labelValues);
  };

  equals(other: SampleRecorder): boolean {
    const [a, b] = [this.#parts, other.#parts];
    return a.length === b.length && a.every((part, index) => Object.is(part, b[index]));
  }
}
