import { overlaps, type StateSpan, type TimeRange, talliedStates } from '../../domain/interval.ts';
import {
  errorBudgetRange,
  rangeLengths,
  type SecondsByRange,
  secondsByRange,
} from '../../slo/range-seconds.ts';
import { emptyLog } from '../../slo/state-log.ts';
import {
  availabilityOf,
  type CheckStateTotals,
  checkWithCounted,
} from '../../state/items/totals.ts';
import { noSeconds } from '../../tally/state-tally.ts';
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

/** The totals at a moment, and the index of the span that is counted next. */
interface Counted {
  readonly totals: CheckStateTotals;
  readonly next: number;
}

const noRanges = { fromSeconds: 0, toSeconds: 0, seconds: [] };

/** The past of one item, and what the exporter would have counted of it at any moment. */
export class Past {
  readonly item: PastItem;
  readonly range: TimeRange;
  /** In order, without gaps. */
  readonly spans: readonly StateSpan[];
  readonly occurrences: readonly TimeRange[];
  /** Empty if they were not requested. */
  readonly responseTimes: PastResponseTimes;
  readonly #begin: Counted;
  /** The last call and its result, because several families have the same moments. */
  #last: TimeRange & { readonly totals: readonly CheckStateTotals[]; readonly counted: Counted };
  /** Of the last call, because two families have the same moments. */
  #seconds: TimeRange & { readonly seconds: readonly SecondsByRange[] } = noRanges;

  /** Decodes the past of an item that was read. Throws a `SyntaxError` for invalid states. */
  constructor(item: PastItem) {
    const { fromSeconds = 0, toSeconds = 0, states = '' } = item.past ?? {};
    this.item = item;
    this.range = { fromSeconds, toSeconds };
    this.spans = decodeStates(states, fromSeconds);
    this.responseTimes = new PastResponseTimes(item.responseTimes ?? []);
    this.occurrences = item.maintenance.map(([from, to]) => ({ fromSeconds: from, toSeconds: to }));
    const tally = { startSeconds: fromSeconds, horizonSeconds: fromSeconds } as const;
    const totals = { states: { ...tally, state: 'unknown' as const }, log: emptyLog(fromSeconds) };
    this.#begin = { totals, next: 0 };
    this.#last = { fromSeconds: 0, toSeconds: 0, totals: [], counted: this.#begin };
  }

  get firstSeenSeconds(): number {
    return this.item.firstSeenSeconds;
  }

  /** The totals at each of these moments, in ascending order. They begin at 0 with the past. */
  totalsAt(moments: readonly number[]): readonly CheckStateTotals[] {
    const [first = 0, last = 0] = [moments[0], moments.at(-1)];
    const { fromSeconds, toSeconds, totals } = this.#last;
    const isSame = first === fromSeconds && last === toSeconds;
    if (isSame && moments.length === totals.length) return totals;
    let counted = first >= toSeconds ? this.#last.counted : this.#begin;
    const all = moments.map((moment) => {
      counted = this.#countedUntil(counted, moment);
      return counted.totals;
    });
    this.#last = { fromSeconds: first, toSeconds: last, totals: all, counted };
    return all;
  }

  #countedUntil({ totals, next }: Counted, moment: number): Counted {
    const { states } = totals;
    const recorded: StateSpan[] = [];
    let place = next;
    for (; place < this.spans.length; place++) {
      const span = this.spans[place];
      if (span === undefined || span.fromSeconds >= moment) break;
      const fromSeconds = Math.max(span.fromSeconds, states.horizonSeconds);
      recorded.push({ ...span, fromSeconds, toSeconds: Math.min(span.toSeconds, moment) });
      if (span.toSeconds > moment) break;
    }
    const last = recorded.at(-1);
    if (last === undefined) return { totals, next };
    const { state, toSeconds: horizonSeconds } = last;
    const update = { tally: { ...states, horizonSeconds, state }, recorded };
    const occurrences = this.occurrencesWithin({ ...last, fromSeconds: states.horizonSeconds });
    return { totals: checkWithCounted(totals, update, occurrences), next: place };
  }

  /** Seconds up and down by range, at each of these moments, in ascending order. */
  secondsAt(moments: readonly number[]): readonly SecondsByRange[] {
    const [first = 0, last = 0] = [moments[0], moments.at(-1)];
    const { fromSeconds, toSeconds, seconds } = this.#seconds;
    if (first === fromSeconds && last === toSeconds && seconds.length === moments.length) {
      return seconds;
    }
    const oldest = first - rangeLengths[errorBudgetRange];
    const occurrences = this.occurrencesWithin({ fromSeconds: oldest, toSeconds: last });
    const counted = this.totalsAt(moments).map((totals) =>
      secondsByRange(totals, { occurrences }, totals.states.horizonSeconds),
    );
    this.#seconds = { fromSeconds: first, toSeconds: last, seconds: counted };
    return counted;
  }

  /** The occurrences of maintenance that overlap a range. */
  occurrencesWithin(range: TimeRange): readonly TimeRange[] {
    return this.occurrences.filter((one) => overlaps(one, range));
  }
}

/** Seconds by state, of all time or of the time in maintenance. */
function stateSeconds(
  kind: PastItem['kind'],
  name: string,
  part: 'seconds' | 'maintenanceSeconds',
): PastFamily {
  return {
    name,
    kind,
    seriesOf: (past, within, fineFromSeconds) => {
      if (past.spans.length === 0) return [];
      if (part === 'maintenanceSeconds' && past.occurrencesWithin(past.range).length === 0)
        return [];
      const times = sampleTimes(past, within, fineFromSeconds);
      const counted = past.totalsAt(times.map(Math.ceil)).map((at) => availabilityOf(at)[part]);
      return talliedStates.flatMap((state) =>
        withZero(past, within, { state }, times, (place) => (counted[place] ?? noSeconds)[state]),
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
      const counted = past.totalsAt(times.map(Math.ceil));
      return withZero(past, within, {}, times, (place) => counted[place]?.log?.outages ?? 0);
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
  stateSeconds('check', 'uptime_check_state_seconds_total', 'seconds'),
  outages('check'),
  stateSeconds('check', 'uptime_check_maintenance_seconds_total', 'maintenanceSeconds'),
  stateSeconds('transaction', 'uptime_transaction_state_seconds_total', 'seconds'),
  outages('transaction'),
];
