import type { Period } from '../../domain/period.ts';
import { formatDateTime } from './date-time.ts';

export function periodQuery({ fromSeconds, toSeconds }: Period) {
  return { from: fromSeconds, to: toSeconds };
}

/** As the reports of transactions want it (API 3.1, section 4.6). */
export function dateTimeQuery({ fromSeconds, toSeconds }: Period) {
  return { from: formatDateTime(fromSeconds), to: formatDateTime(toSeconds) };
}
