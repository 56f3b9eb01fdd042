import type { TimeRange } from '../../domain/interval.ts';
import type { HourlyAverages } from '../../slo/hourly-averages.ts';
import type { PastResponseTimesDocument } from './documents.ts';

const [hourSeconds, daySeconds] = [3_600, 86_400];

/** The period of one report by the hour, which overlaps the next one by an hour: 30 days, or a week where the service allows no more. */
export const longestReportSeconds = 30 * daySeconds - hourSeconds;
export const shortestReportSeconds = 7 * daySeconds;

/** The response times by the hour of the checks of a job, as far as they are read. */
export class ResponseTimeReports {
  readonly #documents: Map<number, PastResponseTimesDocument>;

  constructor(documents: Iterable<readonly [number, PastResponseTimesDocument]> = []) {
    this.#documents = new Map(documents);
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

  /** What is left to read of a past; undefined when nothing is. */
  left(id: number, { fromSeconds, toSeconds }: TimeRange): TimeRange | undefined {
    const document = this.#documents.get(id);
    if (document !== undefined && 'refusal' in document) return undefined;
    const from = document?.untilSeconds ?? fromSeconds;
    return from < toSeconds ? { fromSeconds: from, toSeconds } : undefined;
  }

  /** What is known of a check after another report. */
  extended(
    id: number,
    untilSeconds: number,
    runs: readonly HourlyAverages[],
  ): PastResponseTimesDocument {
    const known = this.#documents.get(id);
    const before = known !== undefined && 'runs' in known ? known.runs : [];
    return { untilSeconds, runs: [...before, ...runs] };
  }
}

/** The reports that a period takes. */
export function reportsOf(
  { fromSeconds, toSeconds }: TimeRange,
  reportSeconds: number | undefined,
): number {
  if (reportSeconds === undefined) return 0;
  return Math.max(0, Math.ceil((toSeconds - fromSeconds) / reportSeconds));
}
