/** How long a report that stays incomplete is waited for. */
export interface Patience {
  /** Seconds for which it is late before what it has is used. */
  readonly givenUpAfterSeconds: number;
  /** Seconds for which it is requested at least. */
  readonly leastAskingSeconds: number;
}

/** The time in which reports were read in vain. UNIX seconds. */
export interface Asking {
  readonly sinceSeconds: number;
  /** When the last one was read. */
  readonly lastSeconds: number;
  /** It has begun again. */
  readonly isAgain: boolean;
}

/**
 * With one more report. It begins again after a longer time without any than one is awaited, but only
 * once: a small budget may allow a request every few days.
 */
export function askedOnce(
  asking: Asking | undefined,
  nowSeconds: number,
  { givenUpAfterSeconds }: Patience,
): Asking {
  const { sinceSeconds = nowSeconds, lastSeconds = nowSeconds, isAgain = false } = asking ?? {};
  const beginsAgain = !isAgain && nowSeconds - lastSeconds > givenUpAfterSeconds;
  return {
    sinceSeconds: beginsAgain ? nowSeconds : sinceSeconds,
    lastSeconds: nowSeconds,
    isAgain: isAgain || beginsAgain,
  };
}
