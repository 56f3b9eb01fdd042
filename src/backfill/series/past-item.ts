import { z } from 'zod';
import { labelValue } from '../../exposition/text-format.ts';

/** Labels as scrapers know them, from labels as the exporter knows them. */
const labels = z.record(z.string(), z.string().transform(labelValue));

/** What was read of the past of one item. It is stored, and sent to the command. */
export const readPastSchema = z.object({
  /** The range that was read, and its states (src/backfill/series/past-states.ts). */
  past: z
    .object({ fromSeconds: z.number(), toSeconds: z.number(), states: z.string() })
    .exactOptional(),
  /** The number of entries of its reports that could not be read; absent if there are none. */
  unreadable: z.number().exactOptional(),
  /** The reason why the past was not read. */
  refusal: z.string().exactOptional(),
  /** Average response times of each hour, in runs without a gap; absent if they were not read. */
  responseTimes: z
    .array(z.object({ startAtSeconds: z.number(), milliseconds: z.base64() }))
    .exactOptional(),
});

/** One line of `GET /-/backfill/items`: the data of one item. Times are UNIX seconds. */
export const pastItemSchema = readPastSchema.extend({
  kind: z.enum(['check', 'transaction']),
  id: z.number().int(),
  /** The labels of its series when its counters began, without `account` and `check_id`. */
  labels,
  /** The present labels; absent if it is no longer listed. */
  labelsNow: labels.exactOptional(),
  /** The time at which its counters began at 0. */
  firstSeenSeconds: z.number(),
  /** Start and end of each maintenance within the range. */
  maintenance: z.array(z.tuple([z.number(), z.number()])),
  /** The present objective; absent if the item is no longer listed. */
  objective: z.number().exactOptional(),
});

export type PastItem = Readonly<z.infer<typeof pastItemSchema>>;
