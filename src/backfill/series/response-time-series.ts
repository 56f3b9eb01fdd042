import type { Past, PastFamily } from './past-series.ts';
import { sampleTimes } from './sample-times.ts';

/**
 * As the live gauge: the last complete hour, and no sample after an hour without a measurement. An
 * average under the name of the last response time would hide slow tests, and the service does not
 * keep single results for a year.
 */
export const pastResponseTimeFamily: PastFamily = {
  name: 'uptime_check_hourly_average_response_time_seconds',
  kind: 'check',
  seriesOf: (past: Past, within, fineFromSeconds) => {
    if (past.responseTimes.isEmpty) return [];
    const samples = sampleTimes(past, within, fineFromSeconds).flatMap((at) => {
      const seconds = past.responseTimes.lastHour(at);
      return seconds === undefined ? [] : [[at, seconds] as const];
    });
    return samples.length === 0 ? [] : [{ labels: {}, samples }];
  },
};
