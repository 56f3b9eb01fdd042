import { ApiError } from '../api/errors.ts';
import type { TimeRange } from '../domain/interval.ts';
import { type RefreshResult, result } from '../schedule/refresh.ts';
import { runsOf } from '../slo/hourly-averages.ts';
import { isDenied } from './denied.ts';
import { type RefreshContext, requireComplete } from './refresh-context.ts';

type Context = Pick<RefreshContext, 'service' | 'state'>;

const hourSeconds = 3_600;

/** Reads the next part of the response times of a check before it was first seen, with one request. */
export async function readResponseTimes(
  { service, state }: Context,
  id: number,
  period: TimeRange,
  signal: AbortSignal,
): Promise<RefreshResult> {
  const { job } = state.backfill;
  // An hour that begins in the period may end after it: hours are those of the account's time zone.
  const toSeconds = period.toSeconds + hourSeconds;
  const query = { checkId: id, ...period, toSeconds, resolution: 'hour' } as const;
  try {
    const { items, rejected } = await service.performance(query, signal);
    requireComplete('get_performance', rejected);
    const hours = items.filter(
      ({ complete, startAtSeconds }) => complete && startAtSeconds < period.toSeconds,
    );
    await job.readResponseTimes(id, period.toSeconds, runsOf(hours));
    return { ...result(items.length, rejected), isUnfinished: job.isOpen(id) };
  } catch (error) {
    if (isDenied(error)) await job.refusedResponseTimes(id, error.message);
    // The service limits the period of a report by the hour, and does not document the limit (API 3.1, section 4.4).
    const isTooLong = error instanceof ApiError && error.reason === 'bad_request';
    if (!isTooLong || !(await job.shortenReports(period))) throw error;
    return { ...result(0), isUnfinished: true };
  }
}
