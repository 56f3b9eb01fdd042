import { formatObjective, formatResponse } from '../../http/common/format.tsx';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { plural } from '../../lib/format-number.ts';
import type { ReportRow } from '../report-row.ts';
import { lateRowSeconds } from '../shortfall.ts';
import type { Column, PageColumn } from './columns.ts';
import { DaysCell, dayLetters, dayTexts, hasDays } from './days.tsx';
import { Met } from './group-months.tsx';
import { shortMonthTitle } from './month-titles.ts';
import {
  AvailabilityCell,
  NameCell,
  OutagesCell,
  ResponseCell,
  VerdictCell,
} from './row-cells.tsx';
import { marginText, verdictWord } from './verdict-words.ts';
import {
  carriedText,
  changeTexts,
  formatAvailability,
  noAvailabilityText,
  noResponseText,
  notKnownTexts,
  readAfterwardsText,
  responseRestText,
  restText,
  slowestText,
} from './words.ts';

/** The columns of a group, check or transaction. */
export const rowColumns: readonly Column<ReportRow>[] = [
  { name: 'kind', value: ({ kind }) => kind, help: '`group`, `check` or `transaction`' },
  { name: 'account', value: ({ account }) => account, help: 'its account' },
  { name: 'id', value: ({ id }) => id, help: 'its id at the service; empty for a group' },
  {
    name: 'name',
    value: ({ name }) => name,
    help: 'its name at the end of the month',
    page: {
      heading: 'Name',
      cell: (row, lines) => <NameCell row={row} lines={lines} />,
      help: 'where two have one name, also the host or the id; when it was created or removed, or from when it is known, if that was in the month',
    },
  },
  {
    name: 'groups',
    value: ({ groups }) => groups,
    help: 'its groups at the end of the month, separated by `; `',
  },
  {
    name: 'tags',
    value: ({ tags }) => tags,
    help: 'its tags at the end of the month, separated by `; `',
  },
  { name: 'items', value: ({ items }) => items, help: 'how many checks a group has; otherwise 1' },
  {
    name: 'availability',
    value: ({ availability }) => availability,
    help: 'a ratio; empty while it is not shown',
    page: {
      heading: 'Available',
      class: 'number',
      cell: (row, lines) => <AvailabilityCell row={row} lines={lines} />,
      help: 'up ÷ (up + down), without maintenance, of the time that is known: "of 12 d" where some was not watched. Absent while some of it is awaited, in a group of any of its checks. A group has the sums of its checks, each over its own time',
    },
    text: (row) => {
      const { availability } = row;
      if (availability === undefined) return [noAvailabilityText(row)];
      return [
        [formatAvailability(availability), 'available', restText(row)].filter(Boolean).join(' '),
      ];
    },
  },
  {
    name: 'objective',
    value: ({ objective }) => objective,
    help: 'the availability that is required, as a ratio',
    page: {
      heading: 'Objective',
      class: 'verdict',
      cell: (row) => <VerdictCell row={row} />,
      help: 'the verdict (below), with the downtime that was left or too much',
    },
    text: (row) => [outcomeText(row)],
  },
  {
    name: 'met',
    value: isMetForCertain,
    help: '`true` or `false` if that is certain whatever the unknown time was like, otherwise empty',
  },
  {
    name: 'margin_seconds',
    value: ({ margin }) => margin && Math.floor(margin),
    help: 'the downtime that the objective still permits, in whole seconds; negative if it was too much',
  },
  {
    name: 'down_seconds',
    value: ({ down }) => down,
    help: 'seconds down, without maintenance',
    page: {
      heading: 'Down',
      class: 'number',
      cell: ({ down }) => down > 0 && humanizeDuration(down),
      help: 'time down, without maintenance',
    },
    text: ({ down }) => (down > 0 ? [`down ${humanizeDuration(down)}`] : []),
  },
  {
    name: 'outages',
    value: ({ outages }) => outages,
    help: 'how many outages count in the month',
    page: {
      heading: 'Outages',
      cell: (row, lines) => <OutagesCell row={row} lines={lines} />,
      help: 'those whose first second outside maintenance is in the month. An outage over the end of a month has its minutes in both. `longest` is the part in the month. Below the number the most frequent causes. An outage from before, which counts in an earlier month, has its begin here',
    },
    text: ({ outages, carried }, { times }) => [
      ...(outages > 0 ? [plural(outages, 'outage')] : []),
      ...(carried === undefined ? [] : [carriedText(carried, times)]),
    ],
  },
  {
    name: 'longest_outage_seconds',
    value: ({ longestOutage }) => longestOutage,
    help: 'the longest part in the month of one of them',
    text: ({ outages, longestOutage }) =>
      outages > 1 ? [`longest ${humanizeDuration(longestOutage)}`] : [],
  },
  {
    name: 'maintenance_seconds',
    value: ({ maintenance }) => maintenance,
    help: 'seconds in planned maintenance, in any state',
    page: {
      heading: 'Maintenance',
      class: 'number',
      mayLack: true,
      cell: ({ maintenance }) => maintenance > 0 && humanizeDuration(maintenance),
      help: 'time in planned maintenance, in any state',
    },
    text: ({ maintenance }) =>
      maintenance > 0 ? [`maintenance ${humanizeDuration(maintenance)}`] : [],
  },
  {
    name: 'unknown_seconds',
    value: ({ unknown }) => unknown,
    help: 'seconds of which the service did not know the state',
    page: {
      heading: 'Not known',
      mayLack: true,
      cell: (row) => notKnownTexts(row).join(', '),
      help: '*not known yet*: awaited, it becomes known by itself. *Not watched*: it stays unknown unless you have it read; of a group as a share. *Unknown*: the service did not know the state. *Not monitored*: paused, or never tested',
    },
    text: notKnownTexts,
  },
  {
    name: 'unmonitored_seconds',
    value: ({ unmonitored }) => unmonitored,
    help: 'seconds in which it was paused, or never tested so far',
  },
  {
    name: 'unwatched_seconds',
    value: ({ unwatched }) => unwatched,
    help: 'seconds that stay unknown unless you have them read',
  },
  {
    name: 'folded_seconds',
    value: ({ folded }) => folded,
    help: 'seconds that are known only as sums by the hour, because the state changed more than 4,000 times; outages in them are not listed',
  },
  {
    name: 'known_seconds',
    value: ({ known }) => known,
    help: 'seconds that are known, in any state',
  },
  {
    name: 'known_by',
    value: ({ knownBy }) => knownBy,
    help: '`lists` for a check of which no list showed a failure, otherwise `reports`; of known time only',
  },
  {
    name: 'created',
    value: ({ createdAtSeconds: at }, { iso }) => at && iso(at),
    help: 'when it was created, if that was in the month',
    text: ({ createdAtSeconds: at }, { times }) =>
      at === undefined ? [] : [`created ${times.text(at)}`],
  },
  {
    name: 'removed',
    value: ({ removedAtSeconds: at }, { iso }) => at && iso(at),
    help: 'when it left the account, if that was in the month',
    text: ({ removedAtSeconds: at }, { times }) =>
      at === undefined ? [] : [`removed ${times.text(at)}`],
  },
  {
    name: 'read_afterwards',
    value: ({ readAfterwards: read }) => read?.share,
    help: '`whole` or `part` if the month was read afterwards',
    text: (row, { hasReading, times }) => (hasReading ? list(readAfterwardsText(row, times)) : []),
  },
  {
    name: 'read_at',
    value: ({ readAfterwards: read }, { iso }) => read && iso(read.atSeconds),
    help: 'when it was; of a part, when the first reading was asked for',
  },
  { name: 'verdict', value: ({ verdict }) => verdict, help: 'a word of the table above' },
  {
    name: 'awaited_seconds',
    value: ({ awaited }) => awaited,
    help: 'seconds that become known by themselves',
  },
  {
    name: 'awaited_items',
    value: ({ awaitedItems }) => awaitedItems,
    help: 'how many checks of a group have such seconds',
  },
  {
    name: 'counted_until',
    value: ({ countedUntilSeconds: at }, { iso }) => at && iso(at),
    help: 'where the counted time ends, if that is before the end of the month; of a group the earliest of its checks that have not left',
    text: (row, { report, times }) => {
      const at = lateRowSeconds(row, report);
      return at === undefined ? [] : [`counted until ${times.text(at)}`];
    },
  },
  {
    name: 'hostname',
    value: ({ hostname }) => hostname,
    help: 'the host of a check, as the list shows it',
  },
  {
    name: 'first_seen',
    value: ({ firstSeenSeconds: at }, { iso }) => at && iso(at),
    help: 'from when a check is known whose creation the service does not report, if that was in the month: up to 35 days before it was first seen',
    text: ({ firstSeenSeconds: at }, { times }) =>
      at === undefined ? [] : [`known from ${times.text(at)}`],
  },
  {
    name: 'days',
    value: dayLetters,
    help: 'a letter for each day of the month: `.` no downtime, `a` down within what the objective permits for the day, `b` up to ten times as much, `c` more, `?` no downtime is known, but some of the day is not known, `_` not tested',
    page: {
      heading: 'Days',
      class: 'days',
      mayLack: true,
      cell: (row, lines) => hasDays(row, lines) && <DaysCell row={row} lines={lines} />,
      help: 'a bar for each day, the higher the more of the downtime that the objective permits for the day was used: none, up to all of it, up to ten times as much, more. A mark in the middle: no downtime is known, but some of the day is not known. Nothing: not tested. The days with most downtime lead to their outages',
    },
    text: dayTexts,
  },
  {
    name: 'availability_before',
    value: ({ before }) => before?.availability,
    help: 'its availability in the month before, if at least half of it is known; empty in a month that goes on',
    page: {
      heading: 'Change',
      class: 'number',
      mayLack: true,
      cell: (row) => changeTexts(row).map((text) => <small>{text}</small>),
      help: 'from the month before, of an ended month: availability in percentage points if at least half of both months is known, response time if at least half of it was read in both, time down and outages if all of both is known',
    },
    text: (row, { report }) => {
      const changes = changeTexts(row);
      if (report.monthBefore === undefined || changes.length === 0) return [];
      return [`since ${shortMonthTitle(report.monthBefore.name)}: ${changes.join(', ')}`];
    },
  },
  {
    name: 'down_seconds_before',
    value: ({ before }) => before?.down,
    help: 'its seconds down in the month before, if all of it is known',
  },
  {
    name: 'outages_before',
    value: ({ before }) => before?.outages,
    help: 'its outages in the month before, if all of it is known',
  },
  {
    name: 'response_time_seconds',
    value: ({ response }) => response?.seconds,
    help: 'about the average response time; empty for a group, or if less than a day of it was read',
    page: {
      heading: 'Response',
      class: 'number',
      mayLack: true,
      cell: (row, lines) =>
        lines.hasResponses && row.kind !== 'group' && <ResponseCell row={row} />,
      help: 'about the average response time: the averages of the hours that were read, each weighted by the time up divided by the interval of the tests. "of 12 d" if fewer hours were read than were, or may have been, tested; below it the slowest day. Absent if less than a day was read, because [too little is read](#response-times), or because the month was read afterwards',
    },
    text: (row, { hasResponses }) => {
      const { response } = row;
      if (response === undefined) {
        const why = hasResponses ? noResponseText(row) : undefined;
        return why === undefined ? [] : [`response time ${why}`];
      }
      const rest = responseRestText(row);
      const slowest = slowestText(response);
      const about = `response about ${formatResponse(response.seconds)}`;
      return [rest === undefined ? about : `${about} ${rest}`, ...list(slowest)];
    },
  },
  {
    name: 'response_time_hours',
    value: ({ responseHours }) => responseHours,
    help: 'of how many hours the response time was read',
  },
  {
    name: 'slowest_day',
    value: ({ response }) => response?.slowestDay?.date,
    help: 'the day with the highest average response time, of the days of which half the hours were read; empty if none of them was slower than the average',
  },
  {
    name: 'slowest_day_response_time_seconds',
    value: ({ response }) => response?.slowestDay?.seconds,
    help: 'the average response time of that day',
  },
  {
    name: 'response_time_seconds_before',
    value: ({ before }) => before?.response,
    help: 'its response time in the month before, if at least half of it was read',
  },
];

/** The months of a line are read for the page only: a file would need all records of a year. */
export const monthsColumn: PageColumn<ReportRow> = {
  heading: 'Months',
  class: 'line-months',
  mayLack: true,
  cell: (row, { months }) => {
    const cells = months?.get(row) ?? [];
    return cells.filter((cell) => cell !== undefined).length > 1 && <Met cells={cells} />;
  },
  help: 'a bar for each of the last 13 months up to this one: the objective was met, or was missed, which is higher; a line where that is not decided. Below it how many were met',
};

/** Undefined unless the verdict holds whatever the unknown time was like. */
function isMetForCertain({ verdict }: ReportRow): boolean | undefined {
  if (verdict === 'met') return true;
  return verdict === 'missed' || verdict === 'overspent' ? false : undefined;
}

function outcomeText(row: ReportRow): string {
  const { objective, verdict } = row;
  const margin = marginText(row);
  const of = `objective ${formatObjective(objective)}`;
  if (verdict === undefined) return of;
  const word = verdict === 'within' ? '' : ` ${verdictWord(verdict)}`;
  const by = margin?.startsWith('by ') ? ` ${margin}` : `, ${margin}`;
  return `${of}${word}${margin === undefined ? '' : by}`;
}

function list(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}
