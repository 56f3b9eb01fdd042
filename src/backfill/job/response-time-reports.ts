import type { TimeRange } from '../../domain/interval.ts';
import type { HourlyAverages } from '../../slo/hourly-averages.ts';
import type { PastResponseTimesDocument } from './documents.ts';

const [hourSeconds, daySeconds] = [3_600, 86_400];

/** The range of one hourly report, with an hour of overlap: 30 days, or a week if refused. */
export const longestReportSeconds = 30 * daySeconds - hourSeconds;
export const shortestReportSeconds = 7 * daySeconds;

/** The data of one report, which ends at `untilSeconds`. */
export interface ReadResponseTimes {
  readonly untilSeconds: number;
  readonly runs: readonly HourlyAverages[];
  /** The number of entries that could not be read. */
  readonly unreadable: number;
}

/** The hourly response times of a job's checks, as far as they are read. */
export class ResponseTimeReports {
  readonly #documents: Map<number, PastResponseTimesDocument>;

  constructor(documents = new Map<number, PastResponseTimesDocument>()) {
    this.#documents = documents;
  }

  ids(): Iterable<number> {
    return this.#documents.keys();
  }

  get(id: number): PastResponseTimesDocument | undefined {
    return this.#documents.get(id);
  }

  set(id: number, document: PastResponseTimesDocument): void {
    this.#documents.set(id, document);
  }

  /** The unread rest of a past; undefined if all of it is read. */
  left(id: number, { fromSeconds, toSeconds }: TimeRange): TimeRange | undefined {
    const document = this.#documents.get(id);
    if (document !== undefined && 'refusal' in document) return undefined;
    const from = document?.untilSeconds ?? fromSeconds;
    return from < toSeconds ? { fromSeconds: from, toSeconds } : undefined;
  }

  /** The response times of a check after one more report. */
  extended(
    id: number,
    { untilSeconds, runs, unreadable }: ReadResponseTimes,
  ): PastResponseTimesDocument {
    const known = this.#documents.get(id);
    const before = known !== undefined && 'runs' in known ? known : undefined;
    const unreadableSoFar = (before?.unreadable ?? 0) + unreadable;
    return {
      untilSeconds,
      runs: [...(before?.runs ?? []), ...runs],
      ...(unreadableSoFar > 0 && { unreadable: unreadableSoFar }),
    };
  }
}

/** The number of reports that a range takes. */
export function reportsOf(
  { fromSeconds, toSeconds }: TimeRange,
  reportSeconds: number | undefined,
): number {
  if (reportSeconds === undefined) return 0;
  return Math.max(0, Math.ceil((toSeconds - fromSeconds) / reportSeconds));
}
