import { type StateSpan, type TimeRange, talliedStates } from '../../domain/interval.ts';
import { clip } from '../../tally/maintenance-tally.ts';
import { PastCounters } from './past-counters.ts';
import type { PastItem } from './past-item.ts';
import { PastResponseTimes } from './past-response-times.ts';
import { decodeStates } from './past-states.ts';
import { sampleTimes } from './sample-times.ts';

/** Samples of one series. Times are UNIX seconds, in order. */
export interface SeriesSamples {
  /** The labels of the series in addition to those of its item. */
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [atSeconds: number, value: number])[];
}

/** A family that can have history, and the kind of item that has it. */
export interface PastFamily {
  readonly name: string;
  readonly kind: PastItem['kind'];
  readonly seriesOf: (past: Past, within: TimeRange, fineFromSeconds: number) => SeriesSamples[];
}

/** The past of one item, decoded. */
export class Past {
  readonly item: PastItem;
  readonly range: TimeRange;
  /** In order, without gaps. */
  readonly spans: readonly StateSpan[];
  readonly counters: PastCounters;
  readonly occurrences: readonly TimeRange[];
  /** Only the time in maintenance. */
  readonly maintenance: PastCounters;
  /** Empty if they were not requested. */
  readonly responseTimes: PastResponseTimes;

  /** Decodes the past of an item that was read. Throws a `SyntaxError` for invalid states. */
  constructor(item: PastItem) {
    const { fromSeconds = 0, toSeconds = 0, states = '' } = item.past ?? {};
    const spans = decodeStates(states, fromSeconds);
    const occurrences = item.maintenance.map(([from, to]) => ({
      fromSeconds: from,
      toSeconds: to,
    }));
    this.item = item;
    this.range = { fromSeconds, toSeconds };
    this.spans = spans;
    this.counters = new PastCounters(spans);
    this.responseTimes = new PastResponseTimes(item.responseTimes ?? []);
    this.occurrences = occurrences;
    this.maintenance = countersOf(spans, ({ fromSeconds, toSeconds }) =>
      clip(occurrences, fromSeconds, toSeconds),
    );
  }

  get firstSeenSeconds(): number {
    return this.item.firstSeenSeconds;
  }
}

/** Counts the parts of each span. */
export function countersOf(
  spans: readonly StateSpan[],
  partsOf: (span: StateSpan) => readonly TimeRange[],
): PastCounters {
  return new PastCounters(
    spans.flatMap((span) => partsOf(span).map((part) => ({ ...part, state: span.state }))),
  );
}

type CountersOf = (past: Past) => PastCounters;

/** Seconds by state. They begin and end at 0, because the live counters begin there. */
function stateSeconds(kind: PastItem['kind'], name: string, choose: CountersOf): PastFamily {
  return {
    name,
    kind,
    seriesOf: (past, within, fineFromSeconds) => {
      const counters = choose(past);
      if (counters.isEmpty) return [];
      const times = sampleTimes(past, within, fineFromSeconds);
      const counted = counters.at(times.map(Math.ceil));
      return talliedStates.flatMap((state) =>
        withZero(past, within, { state }, times, (place) => counted[place]?.seconds[state] ?? 0),
      );
    },
  };
}

function outages(kind: PastItem['kind']): PastFamily {
  return {
    name: `uptime_${kind}_outages_total`,
    kind,
    seriesOf: (past, within, fineFromSeconds) => {
      const times = sampleTimes(past, within, fineFromSeconds);
      const counted = past.counters.at(times.map(Math.ceil));
      return withZero(past, within, {}, times, (place) => counted[place]?.outages ?? 0);
    },
  };
}

/** A counter's samples, and the 0 where the live one begins, which is a reset for all servers. */
function withZero(
  { firstSeenSeconds }: Past,
  { fromSeconds, toSeconds }: TimeRange,
  labels: SeriesSamples['labels'],
  times: readonly number[],
  valueAt: (place: number) => number,
): SeriesSamples[] {
  const samples = times.map((at, place) => [at, valueAt(place)] as const);
  const hasSeam = firstSeenSeconds >= fromSeconds && firstSeenSeconds < toSeconds;
  const all = hasSeam ? [...samples, [firstSeenSeconds, 0] as const] : samples;
  return all.length === 0 ? [] : [{ labels, samples: all }];
}

/** The counters of checks and transactions that follow from reported states. */
export const pastCounterFamilies: readonly PastFamily[] = [
  stateSeconds('check', 'uptime_check_state_seconds_total', ({ counters }) => counters),
  outages('check'),
  stateSeconds('check', 'uptime_check_maintenance_seconds_total', ({ maintenance }) => maintenance),
  stateSeconds('transaction', 'uptime_transaction_state_seconds_total', ({ counters }) => counters),
  outages('transaction'),
];
