import type { SecondsByState } from '../../domain/totals.ts';
import type { CountryTally } from '../../tally/country-tally.ts';
import type { EventTally } from '../../tally/event-tally.ts';
import type { ResponseHistogram } from '../../tally/response-histogram.ts';
import type { ResultTally } from '../../tally/result-tally.ts';
import type { TimedEntry, Watermark } from '../../tally/watermark.ts';
import {
  amount,
  listOf,
  optional,
  recordOf,
  repeatedListOf,
  struct,
  text,
  wholeAmount,
} from './readers.ts';
import { CorruptRowError } from './row.ts';

export const secondsByState = struct<SecondsByState>({
  up: amount,
  down: amount,
  unknown: amount,
  unmonitored: amount,
});
const watermark = struct<Watermark>({
  startSeconds: wholeAmount,
  atSeconds: wholeAmount,
  recent: listOf(struct<TimedEntry>({ atSeconds: amount, key: text })),
});
const histogram = struct<ResponseHistogram>({
  boundsSeconds: repeatedListOf(amount),
  counts: listOf(amount),
  sumMilliseconds: amount,
});
export const readResults = struct<ResultTally>({
  watermark,
  counts: struct({ up: amount, down: amount, unconfirmed_down: amount, unknown: amount }),
  responseTimes: (value) => {
    const read = histogram(value);
    if (read.counts.length === read.boundsSeconds.length + 1) return read;
    throw new CorruptRowError(
      `${read.counts.length} counts for ${read.boundsSeconds.length} bounds`,
    );
  },
  byCountry: optional(
    listOf(
      struct<CountryTally>({
        countryIso: text,
        results: amount,
        responseTimes: amount,
        sumMilliseconds: amount,
      }),
    ),
  ),
});

export const readEvents = struct<EventTally>({ watermark, counts: recordOf(amount) });
