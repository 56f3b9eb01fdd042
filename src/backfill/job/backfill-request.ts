import type { BackfillJobDocument } from './documents.ts';

/** The request of an operator. Times are UNIX seconds. */
export interface BackfillRequest {
  readonly fromSeconds: number;
  /** The end of the range; absent if it is the first sight of each item. */
  readonly toSeconds?: number;
  /** Whether the hourly response times of checks are also read. */
  readonly responseTimes?: true;
}

export function requestOf({
  fromSeconds,
  toSeconds,
  reportSeconds,
}: BackfillJobDocument): BackfillRequest {
  return {
    fromSeconds,
    ...(toSeconds !== undefined && { toSeconds }),
    ...(reportSeconds !== undefined && { responseTimes: true }),
  };
}
