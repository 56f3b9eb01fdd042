import { defaultFlapping, type FlappingLimits } from './flapping.ts';
import type { LabelSources, LabelValues } from './outages.ts';

/** The data of an item from which promoted labels are made. */
export type LabelSource = Omit<LabelSources, 'name' | 'promoted'>;

/** By promoted label: its values beyond the limit, with which series have it empty. */
export type DroppedValues = ReadonlyMap<string, ReadonlySet<string>>;

/** The settings of outages, which all accounts share. */
export interface OutagePolicy {
  readonly flapping: FlappingLimits;
  /** Returns the promoted labels of an item; undefined if the configuration promotes none. */
  readonly promotedOf: (
    kind: 'check' | 'transaction',
    labels: LabelSources,
  ) => LabelValues | undefined;
  /** Absent if the configuration promotes no label. */
  readonly valueLimit?: {
    /** The number of values of a promoted label in one account. */
    readonly values: number;
    /** The first items keep their values: checks, then transactions, each in the order of ids. */
    readonly droppedOf: (items: readonly LabelSource[]) => DroppedValues;
  };
}

/** The default limits, and no promoted labels. */
export const defaultOutagePolicy: OutagePolicy = {
  flapping: defaultFlapping,
  promotedOf: () => undefined,
};
