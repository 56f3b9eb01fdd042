import { z } from 'zod';
import { type SecondsByState, talliedStates } from '../domain/totals.ts';
import type { CountryTally } from '../tally/country-tally.ts';
import type { EventTally } from '../tally/event-tally.ts';
import type { StateChange } from '../tally/recent-changes.ts';
import type { ResultTally } from '../tally/result-tally.ts';
import type { StateTally } from '../tally/state-tally.ts';
import type { Watermark } from '../tally/watermark.ts';
import { type StateHistory, unknownHistory } from '../windows/state-history.ts';
import { decodeHistory, encodeHistory } from './format/state-history.ts';
import type { Json, StoredItem } from './store.ts';

/** The version of the layout below; raise it with every change after which a former layout is not read as what it is. */
export const formatVersion = 2;

const amount = z.number().nonnegative();
const maybe = amount.nullable();
const seconds = z.tuple([amount, amount, amount, amount]);
const states = z.tuple([
  z.number(),
  z.number(),
  seconds,
  amount,
  z.enum(talliedStates),
  z.boolean(),
  maybe,
  maybe,
  maybe,
  maybe,
]);
const watermark = z.tuple([z.number(), z.number(), z.array(z.tuple([z.number(), z.string()]))]);
const results = z
  .tuple([
    watermark,
    seconds,
    z.array(amount),
    z.array(amount),
    amount,
    z.array(z.tuple([z.string(), amount, amount, amount])).nullable(),
  ])
  .refine(([, , bounds, counts]) => counts.length === bounds.length + 1);
const counts = z.record(z.string(), amount);
/** Only shown, so that damage is forgotten in place of refusing what is counted. */
const recent = z
  .array(z.tuple([z.enum(talliedStates), amount]))
  .refine((changes) => changes.every(([, at], place) => at > (changes[place - 1]?.[1] ?? -1)))
  .optional()
  .catch(undefined);
/** Of a history that is damaged nothing is known: the service is asked for it again. */
const history = z.unknown().transform(decodeHistoryOrNone).optional();
/** Short of the last ones when there are none. */
const extras = z.tuple([
  seconds.nullable(),
  results.nullable(),
  z.tuple([watermark, counts]).nullable(),
  counts.nullable(),
  recent,
  history,
]);
const item = z.tuple([z.unknown(), z.unknown()]);

/** What is counted of an item besides its states. It changes less often, and may be far larger. */
export type ItemExtras = Omit<StoredItem, 'states'>;

/** One check or transaction as rows without names, because there may be 25,000. */
export function encodeItem(stored: StoredItem): Json {
  return [encodeStates(stored.states), encodeExtras(stored)];
}

/** Throws when the value is not what `encodeItem` makes. */
export function decodeItem(value: unknown): StoredItem {
  const [states, extras] = item.parse(value);
  return { states: decodeStates(states), ...decodeExtras(extras) };
}

export function encodeExtras(extras: ItemExtras): Json {
  const { maintenance, results, analyses, alerts, recent } = extras;
  return [
    maintenance === undefined ? null : encodeSeconds(maintenance),
    results === undefined ? null : encodeResults(results),
    analyses === undefined ? null : [encodeWatermark(analyses.watermark), analyses.counts],
    alerts ?? null,
    ...optionalTail(recent?.map(encodeChange), extras.history),
  ];
}

/** Throws when the value is not what `encodeExtras` makes. */
export function decodeExtras(value: unknown): ItemExtras {
  const [maintenance, result, analyses, alerts, changes, history] = extras.parse(value);
  return {
    ...(maintenance !== null && { maintenance: decodeSeconds(maintenance) }),
    ...(result !== null && { results: decodeResults(result) }),
    ...(analyses !== null && { analyses: decodeEvents(analyses) }),
    ...(alerts !== null && { alerts }),
    ...(changes !== undefined && {
      recent: changes.map(([state, fromSeconds]) => ({ state, fromSeconds })),
    }),
    ...(history !== undefined && { history }),
  };
}

function decodeHistoryOrNone(value: unknown): StateHistory {
  if (typeof value !== 'string') return unknownHistory;
  try {
    return decodeHistory(Buffer.from(value, 'base64'));
  } catch {
    return unknownHistory;
  }
}

function optionalTail(
  recent: Json | undefined,
  history: StateHistory | undefined,
): readonly Json[] {
  if (history === undefined) return recent === undefined ? [] : [recent];
  return [recent ?? null, Buffer.from(encodeHistory(history)).toString('base64')];
}

export function encodeStates(tally: StateTally): Json {
  return [
    tally.startSeconds,
    tally.horizonSeconds,
    encodeSeconds(tally.seconds),
    tally.outages,
    tally.state,
    tally.inOutage,
    tally.outageSinceSeconds ?? null,
    tally.lastOutageSeconds ?? null,
    tally.resolutionSeconds ?? null,
    tally.reportUntilSeconds ?? null,
  ];
}

/** Throws when the value is not what `encodeStates` makes. */
export function decodeStates(value: unknown): StateTally {
  const [start, horizon, booked, outages, state, inOutage, since, last, resolution, until] =
    states.parse(value);
  return {
    startSeconds: start,
    horizonSeconds: horizon,
    seconds: decodeSeconds(booked),
    outages,
    state,
    inOutage,
    ...(since !== null && { outageSinceSeconds: since }),
    ...(last !== null && { lastOutageSeconds: last }),
    ...(resolution !== null && { resolutionSeconds: resolution }),
    ...(until !== null && { reportUntilSeconds: until }),
  };
}

function encodeChange({ state, fromSeconds }: StateChange): Json {
  return [state, fromSeconds];
}

function encodeSeconds({ up, down, unknown, unmonitored }: SecondsByState): readonly number[] {
  return [up, down, unknown, unmonitored];
}

function decodeSeconds([up, down, unknown, unmonitored]: z.infer<typeof seconds>): SecondsByState {
  return { up, down, unknown, unmonitored };
}

function encodeResults({ watermark, counts, responseTimes, byCountry }: ResultTally): Json {
  const { up, down, unconfirmed_down, unknown } = counts;
  return [
    encodeWatermark(watermark),
    [up, down, unconfirmed_down, unknown],
    responseTimes.boundsSeconds,
    responseTimes.counts,
    responseTimes.sumMilliseconds,
    byCountry?.map(encodeCountry) ?? null,
  ];
}

function encodeCountry(tally: CountryTally): Json {
  return [tally.countryIso, tally.results, tally.responseTimes, tally.sumMilliseconds];
}

function decodeResults(row: z.infer<typeof results>): ResultTally {
  const [mark, [up, down, unconfirmed_down, unknown], boundsSeconds, buckets, sum, countries] = row;
  return {
    watermark: decodeWatermark(mark),
    counts: { up, down, unconfirmed_down, unknown },
    responseTimes: { boundsSeconds, counts: buckets, sumMilliseconds: sum },
    ...(countries !== null && {
      byCountry: countries.map(([countryIso, results, responseTimes, sumMilliseconds]) => ({
        countryIso,
        results,
        responseTimes,
        sumMilliseconds,
      })),
    }),
  };
}

function decodeEvents([mark, counts]: [
  z.infer<typeof watermark>,
  Record<string, number>,
]): EventTally {
  return { watermark: decodeWatermark(mark), counts };
}

function encodeWatermark({ startSeconds, atSeconds, recent }: Watermark): Json {
  return [startSeconds, atSeconds, recent.map((entry) => [entry.atSeconds, entry.key])];
}

function decodeWatermark([startSeconds, atSeconds, recent]: z.infer<typeof watermark>): Watermark {
  return {
    startSeconds,
    atSeconds,
    recent: recent.map(([at, key]) => ({ atSeconds: at, key })),
  };
}
