import type { WindowName } from '../domain/rate-limit.ts';

/** An implausible or changed limit, and how the budget reacted; for the log. */
export type BudgetNote =
  /** The numbers are implausible; the response counts as one without the header. */
  | {
      readonly kind: 'implausible';
      readonly window: WindowName;
      readonly remaining: number;
      readonly resetSeconds: number;
    }
  /** More requests remain than the window has ever had. The budget waits for a second response that agrees. */
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
  /** No request was sent for an hour, so one request checks whether that is still right. */
  | { readonly kind: 'probe'; readonly windows: readonly WindowName[] };
