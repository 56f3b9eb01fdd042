import { groupPath, itemPath } from '../../http/items.ts';
import {
  displayText,
  formatDecimal,
  formatObjective,
  Moment,
  Name,
  plural,
  Table,
} from '../../http/views/format.tsx';
import { hrefTo, type Site } from '../../http/views/layout.tsx';
import { humanizeDuration } from '../../lib/format-duration.ts';
import type { ZonedTimes } from '../../lib/zoned-times.ts';
import type { MonthReport, ReportRow } from '../report.ts';
import {
  formatAvailability,
  isFlawless,
  lateRowSeconds,
  marginText,
  noAvailabilityText,
  notKnownTexts,
  readText,
  restText,
  toneOf,
  verdictWord,
} from './words.ts';

/** A table of the view has at most this many lines; the CSV file has all. */
export const maxLines = 250;

interface LinesProps {
  readonly site: Site;
  readonly report: MonthReport;
  readonly hasAccount: boolean;
  /** Whether lines say that they were read afterwards. */
  readonly hasReading: boolean;
  readonly times: ZonedTimes;
}

/** Groups, or checks and transactions, as a table. */
export function Rows({
  rows,
  label,
  ...lines
}: LinesProps & { readonly rows: readonly ReportRow[]; readonly label: string }) {
  const more = rows.slice(maxLines);
  return (
    <>
      <Table
        label={label}
        class="report stack"
        columns={['Name', 'Available', 'Objective', 'Down', 'Outages', 'Maintenance', 'Not known']}
      >
        {rows.slice(0, maxLines).map((row) => (
          <Row {...lines} row={row} />
        ))}
      </Table>
      {more.length > 0 && (
        <p class="rest">
          and {formatDecimal(more.length)} more, {formatDecimal(more.filter(isFlawless).length)} of
          them without downtime and known for the whole month; the CSV file has all.
        </p>
      )}
    </>
  );
}

type RowProps = LinesProps & { readonly row: ReportRow };

function Row(props: RowProps) {
  const { site, hasAccount, hasReading, row, report, times } = props;
  const [rest, lateSeconds] = [restText(row), lateRowSeconds(row, report)];
  const { account, availability, objective, outages, longestOutage, maintenance } = row;
  return (
    <tr>
      <th scope="row">
        <RowName site={site} row={row} />
        {(row.kind === 'group' || hasAccount) && (
          <small>
            {row.kind === 'group' && plural(row.items, 'check')}
            {hasAccount && (
              <>
                {' '}
                in <Name text={account} />
              </>
            )}
          </small>
        )}
        {row.distinction !== undefined && (
          <small>
            <Name text={row.distinction} />
          </small>
        )}
        <Life {...{ row, hasReading, times }} />
      </th>
      <td class="number" data-label="Available">
        {availability === undefined ? '–' : formatAvailability(availability)}
        {rest !== undefined && <small>{rest}</small>}
        {lateSeconds !== undefined && (
          <small>
            counted until <Moment at={lateSeconds} toTheMinute times={times} />
          </small>
        )}
      </td>
      <td class="verdict" data-label="Objective">
        {formatObjective(objective)} <Outcome row={row} />
      </td>
      <td class="number" data-label="Down">
        {row.down > 0 && humanizeDuration(row.down)}
      </td>
      <td data-label="Outages">
        {outages > 0 && <a href={outagesHref(props)}>{formatDecimal(outages)}</a>}
        {outages > 1 && <small>longest {humanizeDuration(longestOutage)}</small>}
        <MainCauses causes={row.causes} />
        {row.folded > 0 && <small>and more in {humanizeDuration(row.folded)} of flapping</small>}
      </td>
      <td class="number" data-label="Maintenance">
        {maintenance > 0 && humanizeDuration(maintenance)}
      </td>
      <td data-label="Not known">
        <NotKnown row={row} />
      </td>
    </tr>
  );
}

/** The outages of one line. */
function outagesHref({ site, report: { month }, row }: RowProps): string {
  const { kind, account, id, name } = row;
  const one = kind === 'group' ? { group: name } : { check: `${id}` };
  const search = new URLSearchParams({ month: month.name, account, ...one });
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

function RowName({ site, row }: { readonly site: Site; readonly row: ReportRow }) {
  const { kind, account, id, name, isListed } = row;
  if (!isListed) return <Name text={name} />;
  const path =
    kind === 'group' || id === undefined
      ? groupPath({ account, name })
      : itemPath({ kind, account, id });
  return (
    <a href={hrefTo(site, path)}>
      <Name text={name} />
    </a>
  );
}

function Life({ row, hasReading, times }: Pick<RowProps, 'row' | 'hasReading' | 'times'>) {
  const { createdAtSeconds, firstSeenSeconds, removedAtSeconds } = row;
  const read = hasReading ? readText(row, times) : undefined;
  return (
    <>
      {createdAtSeconds !== undefined && (
        <small>
          created <Moment at={createdAtSeconds} toTheMinute times={times} />
        </small>
      )}
      {firstSeenSeconds !== undefined && (
        <small>
          first seen <Moment at={firstSeenSeconds} toTheMinute times={times} />
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

function Outcome({ row }: Pick<RowProps, 'row'>) {
  const { verdict } = row;
  const margin = marginText(row);
  if (verdict === undefined || verdict === 'undecided') {
    return <small>{verdict === undefined ? noAvailabilityText(row) : verdictWord(verdict)}</small>;
  }
  return (
    <>
      {verdict !== 'within' && (
        <span class={`badge ${toneOf(verdict)}`.trim()}>{verdictWord(verdict)}</span>
      )}
      <small>{margin}</small>
    </>
  );
}

/** The time of the month that is not known. */
function NotKnown({ row }: Pick<RowProps, 'row'>) {
  return <>{notKnownTexts(row).join(', ')}</>;
}
