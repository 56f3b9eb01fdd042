import type { TimeRange } from '../../domain/interval.ts';
import type { JobDocument } from './documents.ts';

/** The range of one hourly report, with an hour of overlap: 30 days, or a week if refused. */
export const longestReportSeconds = 30 * 86_400 - 3_600;
export const shortestReportSeconds = 7 * 86_400;

/** The number of reports of response times that a range takes. */
export function reportsOf(
  { fromSeconds, toSeconds }: TimeRange,
  {
    responseTimes,
    reportSeconds = longestReportSeconds,
  }: Partial<Pick<JobDocument, 'responseTimes' | 'reportSeconds'>>,
): number {
  if (responseTimes === undefined) return 0;
  return Math.max(0, Math.ceil((toSeconds - fromSeconds) / reportSeconds));
}
