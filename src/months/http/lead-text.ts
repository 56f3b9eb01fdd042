import { displayText } from '../../http/common/format.tsx';
import type { UnreadAccount } from '../../http/common/unread-accounts.ts';
import { formatDecimal, plural } from '../../lib/format-number.ts';
import { type ZonedTimes, zonedTimes } from '../../lib/zoned-times.ts';
import type { DaysNotRead } from '../documents.ts';
import { isRange } from '../month-range.ts';
import type { MonthReport } from '../report.ts';
import { itemWords, nameText } from './words.ts';

/** From when to when it is. */
export function rangeText({ month }: MonthReport): string {
  const { fromSeconds, toSeconds, zone } = month;
  const times = zonedTimes(zone);
  return `${times.text(fromSeconds)} to ${times.text(toSeconds)}, months of the time zone ${zone}.`;
}

/** How the report was made. */
export function leadText(report: MonthReport): string {
  const { state, items } = report;
  if (items.length === 0) return '';
  const texts = [
    state === 'present' ? presentText(report) : namesText(report),
    missingText(report),
    leftOutText(report),
    ...responsesTexts(report),
  ];
  return [...texts, 'Availability is without maintenance.'].filter(Boolean).join(' ');
}

function presentText({ month, countedUntilSeconds }: MonthReport): string {
  const until = `Counted until ${zonedTimes(month.zone).text(countedUntilSeconds)}`;
  return isRange(month)
    ? `${until}, with the names and groups of now, and the objectives of each month.`
    : `${until}, with the names, groups and objectives of now.`;
}

/** The groups that have no row, because of `max_groups`. */
function leftOutText({ groupsLeftOut: names }: MonthReport): string {
  if (names.length === 0) return '';
  const named = listText(names, displayText);
  return `${plural(names.length, 'more group is', 'more groups are')} left out, because of max_groups: ${named}.`;
}

/** Why no line has a response time, or some are of few days. */
function responsesTexts({ facts, daysNotRead, month }: MonthReport): readonly string[] {
  const { hasResponses, wasUp, readDay } = facts;
  if (!hasResponses && !wasUp) return [];
  const whyFew: Readonly<Record<Exclude<DaysNotRead, 'not read yet'>, string>> = {
    'too few requests': 'the request limits leave too little for the others',
    'other time zone': `the days of the service are not those of the time zone ${month.zone} (report.time_zone)`,
  };
  const few = [...daysNotRead].flatMap((why) => (why === 'not read yet' ? [] : whyFew[why]));
  const texts: string[] = [];
  if (!hasResponses) {
    const why = ['less than a day of them was read', ...few].join(', and ');
    const ofRead = 'A month that was read afterwards has no response times.';
    texts.push(readDay === undefined ? `Response times are absent: ${why}.` : ofRead);
  } else if (few.length > 0) {
    texts.push(`Response times are those of some days only: ${few.join(', and ')}.`);
  }
  if (daysNotRead.has('not read yet')) texts.push('Response times of some checks are being read.');
  return texts;
}

/** Which items are not complete, and why. */
function missingText(report: MonthReport): string {
  const { state, month, items, facts } = report;
  const { awaited, late } = facts;
  const ofAll = (some: readonly unknown[]) =>
    `${formatDecimal(some.length)} of ${plural(items.length, ...itemWords)}`;
  const parts: string[] = [];
  if (awaited.length > 0) {
    const named = listText(awaited, (row) => nameText(row, report));
    const isOne = awaited.length === 1;
    parts.push(
      `Some time of ${ofAll(awaited)} is not known yet: ${named}. ${isOne ? 'Its figures and those of its groups are' : 'Their figures and those of their groups are'} complete when it is.`,
    );
  }
  if (state !== 'partial') return parts.join(' ');
  const times = zonedTimes(month.zone);
  if (late.length > 0) {
    const named = listText(
      late,
      ({ row, seconds }) => `${nameText(row, report)} (until ${times.text(seconds)})`,
    );
    parts.push(
      `${ofAll(late)} ${late.length === 1 ? 'is' : 'are'} not counted to the end of the month: ${named}.`,
    );
  } else if (awaited.length === 0) {
    parts.push('The last tests of the month are not counted yet.');
  }
  return parts.join(' ');
}

/** So many are named where many are meant. */
const mostNamed = 3;

function listText<T>(all: readonly T[], textOf: (one: T) => string): string {
  const named = all.slice(0, mostNamed).map(textOf).join(', ');
  const others = all.length - mostNamed;
  return others > 0 ? `${named} and ${formatDecimal(others)} more` : named;
}

/** Of which time the names, groups and objectives of a past month are. */
function namesText({ month, facts }: MonthReport): string {
  if (facts.readDay !== undefined) {
    return `Read afterwards: with the names, groups and objectives of ${facts.readDay}.`;
  }
  if (facts.areSeenLater) {
    const these = isRange(month) ? 'these months' : 'this month';
    return `All were first seen after ${these}: names, groups and objectives are those of a later time.`;
  }
  const ofMonth = isRange(month)
    ? 'Names and groups are those of the last of these months, objectives those of each'
    : 'Names, groups and objectives are those of that month';
  return facts.readAfterwards
    ? `${ofMonth}; where a line was read afterwards, those of the day of reading.`
    : `${ofMonth}.`;
}

/** What the report says of accounts whose items may be missing, one sentence for each. */
export function accountTexts(
  unread: readonly UnreadAccount[],
  times: ZonedTimes,
): readonly string[] {
  return unread.map(({ account, missing, isStarting, text, lastReadAtSeconds }) => {
    const name = displayText(account);
    if (missing === 'elsewhere') return `The account ${name} is not in this report. ${text}`;
    const what = missing === 'account' ? 'The account' : 'The transactions of the account';
    const last =
      lastReadAtSeconds === undefined ? '' : `, last read ${times.text(lastReadAtSeconds)}`;
    const how = isStarting ? 'has not been read since the start of the exporter' : 'cannot be read';
    return `${what} ${name} ${how}${last}. ${text}`;
  });
}
