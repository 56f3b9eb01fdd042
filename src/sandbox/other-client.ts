import type { Clock } from '../lib/clock.ts';
import type { RequestLimits } from './server/rate-limit.ts';

const hourMilliseconds = 3_600_000;

/** Another client of the account, which spends requests at an even pace until it is stopped. */
export async function runOtherClient(
  limits: Pick<RequestLimits, 'otherClientSpends'>,
  requestsPerHour: number,
  clock: Pick<Clock, 'sleep'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (;;) {
      await clock.sleep(hourMilliseconds / requestsPerHour, signal);
      limits.otherClientSpends(1);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
