import { displayText, Moment, Name } from '../../http/common/format.tsx';
import { humanizeDuration } from '../../lib/format-duration.ts';
import type { ReportOutage } from '../month-outages.ts';
import { isRange } from '../month-range.ts';
import type { MonthReport } from '../report.ts';
import type { Column } from './columns.ts';
import { OutageNameCell } from './row-cells.tsx';

function partText(seconds: number, { month }: MonthReport): string {
  return `${humanizeDuration(seconds)} in ${isRange(month) ? 'these months' : 'this month'}`;
}

/** The columns of an outage. */
export const outageColumns: readonly Column<ReportOutage>[] = [
  { name: 'account', value: ({ item }) => item.account, help: 'the account of the check' },
  { name: 'kind', value: ({ item }) => item.kind, help: '`check` or `transaction`' },
  { name: 'id', value: ({ item }) => item.id, help: 'the id of the check at the service' },
  {
    name: 'name',
    value: ({ item }) => item.name,
    help: 'the name of the check at the end of the month',
    page: {
      heading: 'Name',
      cell: ({ item }, lines) => <OutageNameCell item={item} lines={lines} />,
      help: 'the check or transaction',
    },
  },
  {
    name: 'begin',
    json: 'from',
    value: ({ fromSeconds }, { iso }) => iso(fromSeconds),
    help: 'when it began, also if that was in an earlier month',
    page: {
      heading: 'Begin',
      cell: ({ fromSeconds, beganBefore, isCounted, maintenance }, { times }) => (
        <>
          {beganBefore && 'before '}
          <Moment at={fromSeconds} toTheMinute times={times} />
          {!isCounted && maintenance !== 'whole' && <small>counted in another month</small>}
        </>
      ),
      help: 'when it began, also if that was in an earlier month',
    },
  },
  {
    name: 'began_before',
    value: ({ beganBefore }) => beganBefore,
    help: '`true` if it began at an unknown time before',
  },
  {
    name: 'end',
    json: 'to',
    value: ({ toSeconds: at }, { iso }) => at && iso(at),
    help: 'when it ended, also if that was in a later month; empty while that is not known',
  },
  {
    name: 'seconds_in_month',
    value: ({ secondsInMonth }) => secondsInMonth,
    help: 'the length of its part in the month',
    page: {
      heading: 'Duration',
      cell: (outage, { report }) => {
        const { seconds, secondsInMonth, maintenance } = outage;
        const noEnd = noEndText(outage);
        return (
          <>
            {noEnd !== undefined && 'at least '}
            {humanizeDuration(seconds)}
            {noEnd !== undefined && <small>{noEnd}</small>}
            {secondsInMonth < seconds && <small>{partText(secondsInMonth, report)}</small>}
            {maintenance !== 'none' && (
              <small>{maintenance === 'whole' ? 'in maintenance' : 'partly in maintenance'}</small>
            )}
          </>
        );
      },
      help: 'its whole length as far as it is known, and the part in the month',
    },
    text: (outage, { report }) => {
      const { seconds, secondsInMonth } = outage;
      const noEnd = noEndText(outage);
      return [
        `${noEnd === undefined ? '' : 'at least '}${humanizeDuration(seconds)}`,
        ...(noEnd === undefined ? [] : [noEnd]),
        ...(secondsInMonth < seconds ? [partText(secondsInMonth, report)] : []),
      ];
    },
  },
  {
    name: 'counted',
    value: ({ isCounted }) => isCounted,
    help: '`false` if it was in maintenance, or counts in another month',
  },
  {
    name: 'maintenance',
    value: ({ maintenance }) => maintenance,
    help: 'how much of it was in maintenance: `none`, `part` or `whole`',
    text: ({ maintenance }) =>
      maintenance === 'none'
        ? []
        : [maintenance === 'whole' ? 'in maintenance' : 'partly in maintenance'],
  },
  {
    name: 'causes',
    value: ({ causes }) => causes,
    help: 'its causes, as far as they were read, separated by `; `',
    page: {
      heading: 'Cause',
      cell: ({ causes }) =>
        causes.length === 0 ? (
          <span class="rest">not known</span>
        ) : (
          <Name text={causes.map(displayText).join('; ')} />
        ),
      help: 'its causes, as far as they were read',
    },
    text: ({ causes }) => causes.map(displayText),
  },
];

/** Why an outage has no end; undefined if it has one. The service has no report of a removed check. */
function noEndText({ toSeconds, goesOn, item }: ReportOutage): string | undefined {
  if (toSeconds !== undefined) return undefined;
  if (goesOn) return 'goes on';
  return item.isListed ? 'end not known' : 'removed before it ended';
}
