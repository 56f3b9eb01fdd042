import type { Wire } from '../../sandbox/src/wire.ts';

/** Lists and reports have everything at once, and no request is refused by chance. */
export const promptWire = {
  reportLagSeconds: { min: 0, max: 0 },
  listLagSeconds: { min: 0, max: 0 },
  stray401: 0,
  stray403: 0,
  omittedChecks: 0,
  missedOutages: 0,
  lateStatusSeconds: 0,
} as const satisfies Partial<Wire>;
