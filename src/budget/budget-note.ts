import type { WindowName } from '../domain/rate-limit.ts';

/** An implausible or changed limit, and how the budget reacted; for the log. */
export type BudgetNote =
  /** The numbers are implausible. The response is treated as if it had no such header. */
  | {
      readonly kind: 'implausible';
      readonly window: WindowName;
      readonly remaining: number;
      readonly resetSeconds: number;
    }
  /** More requests remain than ever before. The budget waits for a second response that agrees. */
  | {
      readonly kind: 'above';
      readonly window: WindowName;
      readonly limit: number;
      readonly remaining: number;
    }
  /** The limit of the window became smaller. */
  | {
      readonly kind: 'smaller';
      readonly window: WindowName;
      readonly from: number;
      readonly to: number;
    }
  /** These windows are exhausted, but after an idle hour one request checks them. */
  | { readonly kind: 'probe'; readonly windows: readonly WindowName[] };
