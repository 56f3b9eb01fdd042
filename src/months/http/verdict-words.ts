import type { UnreadAccount } from '../../http/common/unread-accounts.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { formatDecimal, plural } from '../../lib/format-number.ts';
import type { Month } from '../../lib/month-calendar.ts';
import { missedVerdicts, type Verdict } from '../../slo/verdict.ts';
import { isRange } from '../month-range.ts';
import { type MonthReport, type ReportQuery, selectsItems } from '../report.ts';
import type { ReportRow } from '../report-row.ts';
import { itemWords } from './words.ts';

/** What was selected, and which accounts are missing in it. */
export interface ReportScope {
  readonly query: ReportQuery;
  /** Of the accounts that were asked for. */
  readonly unread: readonly UnreadAccount[];
}

/** The number of groups, checks and transactions that missed their objectives, or why there are none. */
export function verdictText(report: MonthReport, scope: ReportScope): string {
  const { month, state, groups, items, facts } = report;
  if (items.length === 0) return nothingText(month, scope);
  const of = (verdict: Verdict) => facts.verdicts.get(verdict) ?? 0;
  const missedGroups = groups.filter(
    ({ verdict }) => verdict !== undefined && missedVerdicts.includes(verdict),
  );
  const missedItems = missedVerdicts.reduce((sum, verdict) => sum + of(verdict), 0);
  const { untested } = facts;
  const parts = [
    ...(groups.length > 0
      ? [`${formatDecimal(missedGroups.length)} of ${plural(groups.length, 'group')}`]
      : []),
    `${formatDecimal(missedItems)} of ${plural(items.length, ...itemWords)}`,
  ];
  const missed =
    state === 'present'
      ? `used up the downtime that their objectives permit for ${isRange(month) ? 'these months' : 'this month'}`
      : 'missed the objective';
  const [missedRest, metRest, undecided] = [of('missed_rest'), of('met_rest'), of('undecided')];
  const ofRest = [
    ...(missedRest > 0 ? [`${formatDecimal(missedRest)} more missed it`] : []),
    ...(metRest > 0 ? [`${formatDecimal(metRest)} met it`] : []),
  ];
  const all = [
    `${parts.join(' and ')} ${missed}.`,
    ...(ofRest.length > 0
      ? [
          `In the part of ${isRange(month) ? 'these months' : 'the month'} that is known, ${ofRest.join(' and ')}.`,
        ]
      : []),
    ...(undecided > 0
      ? [
          `${formatDecimal(undecided)} ${undecided === 1 ? 'is' : 'are'} not decided${state === 'present' ? ' yet' : ''}.`,
        ]
      : []),
    ...(untested > 0
      ? [`${formatDecimal(untested)} ${untested === 1 ? 'was' : 'were'} not tested.`]
      : []),
  ];
  return all.join(' ');
}

function nothingText(month: Month, { query, unread }: ReportScope): string {
  const these = isRange(month) ? 'these months' : 'this month';
  const isPart = query.groups.length + query.tags.length + query.checks.length > 0;
  const nothingSelected = `Nothing that is known of ${these} is selected`;
  const { failed, starting } = missingIn(unread);
  const of = (count: number, one: string, many: string) =>
    count === 0 ? [] : [count === 1 ? one : many];
  const why = [
    ...of(failed, 'an account cannot be read', 'accounts cannot be read'),
    ...of(starting, 'an account is starting', 'accounts are starting'),
  ].join(' and ');
  if (why !== '') {
    return isPart
      ? `${nothingSelected}, and ${why}.`
      : `Nothing is known of ${these}, because ${why}.`;
  }
  return selectsItems(query)
    ? `${nothingSelected}.`
    : `No check or transaction was counted in ${these}.`;
}

/** The verdict for a place without the sentences about accounts, such as the subject of a mail. */
export function shortVerdictText(report: MonthReport, scope: ReportScope): string {
  const { failed, starting } = missingIn(scope.unread);
  const verdict = verdictText(report, scope);
  if (report.items.length === 0) return verdict;
  return [
    ...(failed > 0 ? [`${plural(failed, 'account')} cannot be read.`] : []),
    ...(starting > 0 ? [`${plural(starting, 'account is', 'accounts are')} starting.`] : []),
    verdict,
  ].join(' ');
}

/** How many accounts are not in the report because they cannot be read, or not yet. */
function missingIn(unread: readonly UnreadAccount[]) {
  const whole = unread.filter(({ missing }) => missing === 'account');
  const starting = whole.filter(({ isStarting }) => isStarting).length;
  return { failed: whole.length - starting, starting };
}

const verdictWords: { readonly [V in Verdict]: string } = {
  met: 'met',
  missed: 'missed',
  met_rest: 'met in the known part',
  missed_rest: 'missed in the known part',
  undecided: 'not decided',
  overspent: 'overspent',
  within: 'not used up',
};

export function verdictWord(verdict: Verdict | undefined): string {
  return verdict === undefined ? 'not tested' : verdictWords[verdict];
}

/** The class of a badge. A verdict on a part of the month has no colour. */
export function toneOf(verdict: Verdict | undefined): 'good' | 'bad' | '' {
  if (verdict === 'met') return 'good';
  return verdict === 'missed' || verdict === 'overspent' ? 'bad' : '';
}

/** Such as `12 min left` or `by 3 h`; undefined without a verdict. */
export function marginText({ margin }: ReportRow): string | undefined {
  if (margin === undefined) return undefined;
  return margin < 0
    ? `by ${humanizeDuration(Math.ceil(-margin))}`
    : `${humanizeDuration(margin)} left`;
}
