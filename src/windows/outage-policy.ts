import { defaultFlapping, type FlappingLimits } from './flapping.ts';
import type { LabelSources, LabelValues } from './outages.ts';

/** What the configuration says about outages; the same in all accounts. */
export interface OutagePolicy {
  readonly flapping: FlappingLimits;
  /** The labels promoted onto the series of an item; undefined when there are none. */
  readonly promotedOf: (
    kind: 'check' | 'transaction',
    labels: LabelSources,
  ) => LabelValues | undefined;
}

/** The default limits, and no promoted labels. */
export const defaultOutagePolicy: OutagePolicy = {
  flapping: defaultFlapping,
  promotedOf: () => undefined,
};
