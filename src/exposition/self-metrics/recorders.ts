import type { HistogramFamily, RecordedFamily } from '../catalogue/family.ts';
import { recordedFamilies } from '../catalogue/recorded-families.ts';
import { RecordedHistogram, RecordedValue } from './recorder.ts';

type Families = typeof recordedFamilies;

type RecorderOf<F> =
  F extends HistogramFamily<infer L>
    ? RecordedHistogram<L>
    : F extends RecordedFamily<infer L>
      ? RecordedValue<L>
      : never;

/** A recorder for each recorded family, by its name in the catalogue. */
export type Recorders = { readonly [K in keyof Families]: RecorderOf<Families[K]> };

export function recordersOf(): Recorders {
  const recorders = Object.entries(recordedFamilies).map(([name, family]) => [
    name,
    'buckets' in family ? new RecordedHistogram(family) : new RecordedValue(family),
  ]);
  return Object.fromEntries(recorders) as Recorders;
}
