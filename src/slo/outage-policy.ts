import type { FlappingLimits } from './flapping.ts';
import type { LabelSources, LabelValues } from './outages.ts';

/** The settings of outages, which all accounts share. */
export interface OutagePolicy {
  readonly flapping: FlappingLimits;
  /** Returns the promoted labels of an item; undefined if the configuration promotes none. */
  readonly promotedOf: (
    kind: 'check' | 'transaction',
    labels: LabelSources,
  ) => LabelValues | undefined;
}
