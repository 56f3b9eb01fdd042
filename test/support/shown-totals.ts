import { resultStatuses } from '../../src/domain/results.ts';
import { whole } from '../../src/lib/whole.ts';
import type { StoredItem } from '../../src/store/store.ts';
import type { Samples } from './counter-watch.ts';
import type { ResultTruth, Span, StateSeconds } from './service-truth.ts';

const states = ['up', 'down', 'unknown', 'unmonitored'] as const;

/** The seconds by state and the outages of a check or a transaction on a page. */
export function shownOf(
  samples: Samples,
  kind: 'check' | 'transaction',
  account: string,
  id: number,
): { readonly seconds: StateSeconds; readonly outages: number } {
  const labels = `account="${account}",check_id="${id}"`;
  const seconds = states.map((state) => [
    state,
    valueIn(samples, `uptime_${kind}_state_seconds_total{${labels},state="${state}"}`),
  ]);
  return {
    seconds: Object.fromEntries(seconds) as StateSeconds,
    outages: valueIn(samples, `uptime_${kind}_outages_total{${labels}}`),
  };
}

/** The tests of a check on a page. */
export function shownResults(samples: Samples, account: string, id: number): ResultTruth {
  const labels = `account="${account}",check_id="${id}"`;
  const byStatus = resultStatuses.map((status) => [
    status,
    valueIn(samples, `uptime_check_results_total{${labels},status="${status}"}`),
  ]);
  const sum = valueIn(samples, `uptime_check_response_time_seconds_sum{${labels}}`);
  return {
    byStatus: Object.fromEntries(byStatus) as ResultTruth['byStatus'],
    responseTimes: valueIn(samples, `uptime_check_response_time_seconds_count{${labels}}`),
    responseMilliseconds: Math.round(sum * 1000),
  };
}

/** The counted time. */
export function bookedSpan({ states: { startSeconds, horizonSeconds } }: StoredItem): Span {
  return { fromSeconds: startSeconds, toSeconds: horizonSeconds };
}

/** The time for which results are counted; none if the store has no counters of them. */
export function readSpan({ results, states }: StoredItem): Span {
  const start = whole(states.startSeconds);
  const { startSeconds, atSeconds } = results?.watermark ?? {
    startSeconds: start,
    atSeconds: start,
  };
  return { fromSeconds: startSeconds, toSeconds: atSeconds };
}

function valueIn(samples: Samples, sample: string): number {
  const value = samples.get(sample);
  if (value === undefined) throw new Error(`the page has no ${sample}`);
  return value;
}
