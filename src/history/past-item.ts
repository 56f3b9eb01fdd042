import { z } from 'zod';

const labels = z.record(z.string(), z.string());

/** One line of `GET /-/backfill/items`: all that the command needs of one check or transaction. Times are UNIX seconds. */
export const pastItemSchema = z.object({
  kind: z.enum(['check', 'transaction']),
  id: z.number().int(),
  /** The labels of its series, without `account` and `check_id`, when its counters began. */
  labels,
  /** The same today; absent when it is no longer listed. */
  labelsNow: labels.exactOptional(),
  /** When its counters began at 0. */
  firstSeenSeconds: z.number(),
  /** The time that was read; absent where it was not. */
  past: z
    .object({ fromSeconds: z.number(), toSeconds: z.number(), states: z.string() })
    .exactOptional(),
  /** Why it was not read. */
  refusal: z.string().exactOptional(),
  /** Maintenance within the time that was read: beginning and end. */
  maintenance: z.array(z.tuple([z.number(), z.number()])),
  /** Average response times by the hour, in runs without a gap; absent where they were not read. */
  responseTimes: z
    .array(z.object({ startAtSeconds: z.number(), milliseconds: z.base64() }))
    .exactOptional(),
  /** The objective of today; absent when it is no longer listed. */
  objective: z.number().exactOptional(),
});

export type PastItem = Readonly<z.infer<typeof pastItemSchema>>;
