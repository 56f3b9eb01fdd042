import {
  displayText,
  formatObjective,
  formatResponse,
  Moment,
  Name,
} from '../../http/common/format.tsx';
import { hrefTo } from '../../http/common/layout.tsx';
import { groupPath, itemPath } from '../../http/common/paths.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { formatDecimal, plural } from '../../lib/format-number.ts';
import type { ReportOutage } from '../month-outages.ts';
import { monthQuery } from '../month-range.ts';
import type { ReportRow } from '../report-row.ts';
import { lateRowSeconds } from '../shortfall.ts';
import type { Lines } from './columns.ts';
import { dateText } from './days.tsx';
import { marginText, toneOf, verdictWord } from './verdict-words.ts';
import {
  carriedText,
  formatAvailability,
  noAvailabilityText,
  noResponseText,
  readAfterwardsText,
  responseRestText,
  restText,
} from './words.ts';

interface CellProps {
  readonly row: ReportRow;
  readonly lines: Lines;
}

export function NameCell({ row, lines: { site, hasAccount, hasReading, times } }: CellProps) {
  const { kind, account, id, name, items, distinction, isListed } = row;
  const path =
    kind === 'group' || id === undefined
      ? groupPath({ account, name })
      : itemPath({ kind, account, id });
  return (
    <>
      <Linked text={name} href={isListed && site ? hrefTo(site, path) : undefined} />
      {(kind === 'group' || hasAccount) && (
        <small>
          {kind === 'group' && plural(items, 'check')}
          {hasAccount && (
            <>
              {' '}
              in <Name text={account} />
            </>
          )}
        </small>
      )}
      <Distinction text={distinction} />
      <Life row={row} hasReading={hasReading} times={times} />
    </>
  );
}

export function OutageNameCell({
  item: { kind, account, id, name, distinction, isListed },
  lines: { site, hasAccount },
}: Pick<CellProps, 'lines'> & { readonly item: ReportOutage['item'] }) {
  const href = isListed && site ? hrefTo(site, itemPath({ kind, account, id })) : undefined;
  return (
    <>
      <Linked text={name} href={href} />
      <Distinction text={distinction} />
      {hasAccount && (
        <small>
          in <Name text={account} />
        </small>
      )}
    </>
  );
}

function Linked({ text, href }: { readonly text: string; readonly href: string | undefined }) {
  if (href === undefined) return <Name text={text} />;
  return (
    <a href={href}>
      <Name text={text} />
    </a>
  );
}

function Distinction({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <small>
      <Name text={text} />
    </small>
  );
}

function Life({
  row,
  hasReading,
  times,
}: Pick<CellProps, 'row'> & Pick<Lines, 'hasReading' | 'times'>) {
  const { createdAtSeconds, firstSeenSeconds, removedAtSeconds } = row;
  const read = hasReading ? readAfterwardsText(row, times) : undefined;
  return (
    <>
      {createdAtSeconds !== undefined && (
        <small>
          created <Moment at={createdAtSeconds} toTheMinute times={times} />
        </small>
      )}
      {firstSeenSeconds !== undefined && (
        <small>
          known from <Moment at={firstSeenSeconds} toTheMinute times={times} />
        </small>
      )}
      {removedAtSeconds !== undefined && (
        <small>
          removed <Moment at={removedAtSeconds} toTheMinute times={times} />
        </small>
      )}
      {read !== undefined && <small>{read}</small>}
    </>
  );
}

export function AvailabilityCell({ row, lines: { report, times } }: CellProps) {
  const [rest, lateSeconds] = [restText(row), lateRowSeconds(row, report)];
  return (
    <>
      {row.availability === undefined ? '–' : formatAvailability(row.availability)}
      {rest !== undefined && <small>{rest}</small>}
      {lateSeconds !== undefined && (
        <small>
          counted until <Moment at={lateSeconds} toTheMinute times={times} />
        </small>
      )}
    </>
  );
}

export function VerdictCell({ row }: Pick<CellProps, 'row'>) {
  const { objective, verdict } = row;
  const isDecided = verdict !== undefined && verdict !== 'undecided';
  const text = verdict === undefined ? noAvailabilityText(row) : verdictWord(verdict);
  return (
    <>
      {formatObjective(objective)}{' '}
      {isDecided && verdict !== 'within' && (
        <span class={`badge ${toneOf(verdict)}`.trim()}>{text}</span>
      )}
      <small>{isDecided ? marginText(row) : text}</small>
    </>
  );
}

export function ResponseCell({ row }: Pick<CellProps, 'row'>) {
  const { response } = row;
  if (response === undefined) {
    const why = noResponseText(row);
    return why === undefined ? null : <small>{why}</small>;
  }
  const { seconds, slowestDay } = response;
  const rest = responseRestText(row);
  return (
    <>
      {formatResponse(seconds)}
      {rest !== undefined && <small>{rest}</small>}
      {slowestDay !== undefined && (
        <small>
          slowest {dateText(slowestDay)}: {formatResponse(slowestDay.seconds)}
        </small>
      )}
    </>
  );
}

export function OutagesCell({ row, lines }: CellProps) {
  const { outages, longestOutage, causes, folded, carried } = row;
  return (
    <>
      {outages > 0 && <Linked text={formatDecimal(outages)} href={outagesHref(row, lines)} />}
      {outages > 1 && <small>longest {humanizeDuration(longestOutage)}</small>}
      {carried !== undefined && <small>{carriedText(carried, lines.times)}</small>}
      <MainCauses causes={causes} />
      {folded > 0 && <small>and more in {humanizeDuration(folded)} of flapping</small>}
    </>
  );
}

/** The outages of one line. */
function outagesHref(
  { kind, account, id, name }: ReportRow,
  { site, report: { month } }: Lines,
): string | undefined {
  if (site === undefined) return undefined;
  const one = kind === 'group' ? { group: name } : { check: `${id}` };
  const search = new URLSearchParams({ ...monthQuery(month), account, ...one });
  return hrefTo(site, `report?${search}#outages`);
}

/** A line has at most this many causes; the outages below have all. */
const maxCauses = 2;

function MainCauses({ causes }: Pick<ReportRow, 'causes'>) {
  if (causes.length === 0) return null;
  const texts = causes.slice(0, maxCauses).map(displayText);
  return (
    <small>
      <Name text={[...texts, ...(causes.length > maxCauses ? ['…'] : [])].join('; ')} />
    </small>
  );
}
