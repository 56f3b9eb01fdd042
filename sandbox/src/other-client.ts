import type { Clock } from './lib/clock.ts';
import type { RequestLimits } from './server/rate-limit.ts';

const hourMilliseconds = 3_600_000;

interface OtherClientHabits {
  /** The number of requests that it sends at once, and when. */
  readonly burst: number;
  readonly burstAfterMilliseconds: number;
  /** Its rate after that. */
  readonly requestsPerHour: number;
}

/** Another client of the account, which spends requests until it is stopped. */
export async function runOtherClient(
  limits: Pick<RequestLimits, 'otherClientSpends'>,
  { burst, burstAfterMilliseconds, requestsPerHour }: OtherClientHabits,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    await clock.sleep(burstAfterMilliseconds, signal);
    limits.otherClientSpends(burst);
    for (;;) {
      await clock.sleep(hourMilliseconds / requestsPerHour, signal);
      limits.otherClientSpends(1);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
