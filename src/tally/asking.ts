/** The time in which reports were read that did not settle everything. UNIX seconds. */
export interface Asking {
  readonly sinceSeconds: number;
  /** When the last one was read. */
  readonly lastSeconds: number;
  /** It has begun again. */
  readonly isAgain: boolean;
}

/** The time begins again after so many seconds without a report. */
const longestGapSeconds = 86_400;

/**
 * With one more report. The time begins again only once: a small budget may allow a request every few
 * days.
 */
export function askedOnce(asking: Asking | undefined, nowSeconds: number): Asking {
  const { sinceSeconds = nowSeconds, lastSeconds = nowSeconds, isAgain = false } = asking ?? {};
  const beginsAgain = !isAgain && nowSeconds - lastSeconds > longestGapSeconds;
  return {
    sinceSeconds: beginsAgain ? nowSeconds : sinceSeconds,
    lastSeconds: nowSeconds,
    isAgain: isAgain || beginsAgain,
  };
}
