import { type RangeSums, shownAvailability, type Verdict, verdictOf } from '../../slo/verdict.ts';
import type { ReportRow } from '../report-row.ts';

/** A month of a check, a transaction or a group, as a bar shows it. */
export interface MonthCell {
  readonly availability: number;
  readonly verdict: Verdict | undefined;
}

/** The cell of an ended month; undefined if nothing of it is known. */
export function cellOf(sums: RangeSums, objective: number): MonthCell | undefined {
  const availability = shownAvailability(sums);
  if (availability === undefined) return undefined;
  return { availability, verdict: verdictOf(sums, objective) };
}

/** The cell of the month of a report; undefined if nothing of it is known. */
export function cellOfRow({ availability, verdict }: ReportRow): MonthCell | undefined {
  return availability === undefined ? undefined : { availability, verdict };
}
