import type { Horizon } from '../../tally/advance.ts';

/** By check, up to where an outage report is needed: the lists that asked for it have shown that it is final. */
export type PendingReports = Map<number, Horizon>;
