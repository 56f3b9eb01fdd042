import type { WindowName } from '../domain/rate-limit.ts';

/** An implausible or changed limit, and what the budget did about it; for the log. */
export type BudgetNote =
  /** The numbers cannot be what the service means; the answer counts as one without a header. */
  | {
      readonly kind: 'implausible';
      readonly window: WindowName;
      readonly remaining: number;
      readonly resetSeconds: number;
    }
  /** More is left than the window has held; not believed before another reply agrees. */
  | {
      readonly kind: 'above';
      readonly window: WindowName;
      readonly limit: number;
      readonly remaining: number;
    }
  /** The limit was learnt again. */
  | {
      readonly kind: 'smaller';
      readonly window: WindowName;
      readonly from: number;
      readonly to: number;
    }
  /** Everything was held for an hour: one request asks whether that is still right. */
  | { readonly kind: 'probe'; readonly windows: readonly WindowName[] };
