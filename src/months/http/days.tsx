import { hrefTo } from '../../http/common/layout.tsx';
import { DayStrip } from '../../http/common/strip.tsx';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { isRange, monthQuery } from '../month-range.ts';
import { type DayStep, type ReportDay, stepOf } from '../report-days.ts';
import type { ReportRow } from '../report-row.ts';
import type { Lines } from './columns.ts';

/** In text and CSV; none begins like a formula. */
const letters: { readonly [S in DayStep]: string } = {
  none: '.',
  within: 'a',
  over: 'b',
  far_over: 'c',
  unknown: '?',
  untested: '_',
};

/** What the letters and the bars mean. */
const dayLegend = [
  ['none', 'no downtime'],
  ['within', 'down, within what the objective permits for the day'],
  ['over', 'up to ten times as much'],
  ['far_over', 'more'],
  ['unknown', 'not known'],
  ['untested', 'not tested'],
] as const satisfies readonly (readonly [DayStep, string])[];

/** A letter for each day. */
export function dayLetters({ days, objective }: ReportRow): string {
  return days
    .all()
    .map((day) => letters[stepOf(day, objective)])
    .join('');
}

/** What the letters mean, for text. */
export function letterLegend(): string {
  const texts = dayLegend.map(([step, text]) => `${letters[step]} ${text}`);
  return `Days: ${texts.join('; ')}.`;
}

/** The letters, if any is worth it. */
export function dayTexts(row: ReportRow): readonly string[] {
  const text = dayLetters(row);
  return /^(\.|_)*$/.test(text) ? [] : [text];
}

/** A mail has no room for the days of groups, or of a year. */
export function hasDays({ kind }: ReportRow, { site, report }: Lines): boolean {
  return site !== undefined || (kind !== 'group' && !isRange(report.month));
}

/** So many of the worst days are named. */
const mostNamed = 3;

/** The days of a row: on the page as bars, with its worst days as links; in a mail as cells. */
export function DaysCell({ row, lines }: { readonly row: ReportRow; readonly lines: Lines }) {
  const { objective } = row;
  const days = row.days.all();
  const steps = days.map((day) => stepOf(day, objective));
  if (lines.site === undefined) {
    return <MailDays days={days} steps={steps} />;
  }
  const worst = days
    .filter(({ down }) => down > 0)
    .sort((a, b) => b.down - a.down)
    .slice(0, mostNamed)
    .sort((a, b) => a.fromSeconds - b.fromSeconds);
  const others = days.filter(({ down }) => down > 0).length - worst.length;
  const { state, countedUntilSeconds } = lines.report;
  const ahead = days.findIndex(
    (day) => state === 'present' && day.fromSeconds >= countedUntilSeconds,
  );
  return (
    <>
      <DayStrip steps={steps} label={labelOf(ahead < 0 ? steps : steps.slice(0, ahead))} />
      {worst.length > 0 && (
        <small>
          {worst.map((day, place) => (
            <>
              {place > 0 && ', '}
              <a href={dayHref(row, day, lines)} title={humanizeDuration(day.down)}>
                {dateText(day)}
              </a>
            </>
          ))}
          {others > 0 && ` and ${others} more`}
        </small>
      )}
    </>
  );
}

function dayHref({ kind, account, id, name }: ReportRow, day: ReportDay, lines: Lines): string {
  const { site, report } = lines;
  const search = new URLSearchParams({
    ...monthQuery(report.month),
    account,
    ...(kind === 'group' ? { group: name } : { check: `${id}` }),
    day: day.date,
  });
  return hrefTo(site ?? { root: '' }, `report?${search}#outages`);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Such as `4 Oct`. */
export function dateText({ date }: Pick<ReportDay, 'date'>): string {
  const [, month, day] = date.split('-').map(Number);
  return `${day} ${months[(month ?? 1) - 1]}`;
}

/** The days so far in words, such as `29 days without downtime, 1 day down beyond the objective`. */
function labelOf(steps: readonly DayStep[]): string {
  const parts = dayLegend.flatMap(([step, text]) => {
    const count = steps.filter((one) => one === step).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? 'day' : 'days'} ${text}`];
  });
  return parts.join('; ') || 'no day is counted yet';
}

const mailColours: { readonly [S in DayStep]: string } = {
  none: '#d7f5e9',
  within: '#fff1c9',
  over: '#ffb596',
  far_over: '#c2410c;color:#fff',
  unknown: '#d8dee4',
  untested: '#fff',
};

/** Mail programs keep no pictures, so a day is a cell; its letter is for those without colours. */
function MailDays({
  days,
  steps,
}: {
  readonly days: readonly ReportDay[];
  readonly steps: readonly DayStep[];
}) {
  return (
    <table style="border-collapse:collapse;font:10px monospace">
      <tr>
        {days.map((day, place) => {
          const step = steps[place] ?? 'untested';
          const down = day.down > 0 ? `: down ${humanizeDuration(day.down)}` : '';
          return (
            <td
              style={`padding:2px 1px;background:${mailColours[step]}`}
              title={`${dateText(day)}${down}`}
            >
              {letters[step]}
            </td>
          );
        })}
      </tr>
    </table>
  );
}
