import { displayText } from '../../http/common/format.tsx';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { plural } from '../../lib/format-number.ts';
import type { AccountTotal, MonthReport } from '../report.ts';
import type { Before } from '../report-row.ts';
import { monthTitle } from './month-titles.ts';
import { formatAvailability, noAvailabilityText, ofKnownTime, restText } from './words.ts';

/** The total of each account, compared with the month before. */
export function totalTexts({ totals, monthBefore }: MonthReport): readonly string[] {
  return totals.map((total) => {
    const { account, before } = total;
    const whose = totals.length > 1 ? `The account ${displayText(account)}` : 'In total';
    const now = nowTexts(total).join(', ');
    // Time down is absent unless all of that month is known.
    const rest = before?.down === undefined ? ofKnownTime : undefined;
    const then =
      before?.availability === undefined || monthBefore === undefined
        ? ''
        : `; ${monthTitle(monthBefore.name)}: ${sumTexts(before, rest).join(', ')}`;
    return `${whose}: ${now}${then}.`;
  });
}

/** A total of which some time is awaited has no sums yet, only what is known of them. */
function nowTexts(total: AccountTotal): readonly string[] {
  const { availability, down, outages } = total;
  const known = sumTexts(total, restText(total));
  if (availability !== undefined) return known;
  const isAny = down > 0 || outages > 0;
  return [noAvailabilityText(total), ...(isAny ? [`so far ${known.join(', ')}`] : [])];
}

function sumTexts(
  { availability, down, outages }: Omit<Before, 'response'>,
  rest: string | undefined,
): readonly string[] {
  return [
    ...(availability === undefined
      ? []
      : [[formatAvailability(availability), 'available', rest].filter(Boolean).join(' ')]),
    ...(down === undefined ? [] : [`down ${humanizeDuration(down)}`]),
    ...(outages === undefined ? [] : [plural(outages, 'outage')]),
  ];
}
