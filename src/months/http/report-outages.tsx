import { itemPath } from '../../http/items.ts';
import { displayText, formatDecimal, Moment, Name, Table } from '../../http/views/format.tsx';
import { hrefTo, type Site } from '../../http/views/layout.tsx';
import { humanizeDuration } from '../../lib/format-duration.ts';
import type { ZonedTimes } from '../../lib/zoned-times.ts';
import type { ReportOutage } from '../report.ts';
import { maxLines } from './report-rows.tsx';

interface LinesProps {
  readonly site: Site;
  readonly hasAccount: boolean;
  readonly times: ZonedTimes;
}

/** The outages of a month as a table. */
export function Outages({
  outages,
  ...lines
}: LinesProps & { readonly outages: readonly ReportOutage[] }) {
  if (outages.length === 0) return <p class="rest">None is known.</p>;
  const shown = outages.slice(0, maxLines);
  return (
    <>
      <Table label="Outages" class="report stack" columns={['Begin', 'Name', 'Duration', 'Cause']}>
        {shown.map((outage) => (
          <OutageRow {...lines} outage={outage} />
        ))}
      </Table>
      {outages.length > shown.length && (
        <p class="rest">
          and {formatDecimal(outages.length - shown.length)} more; the CSV file has all.
        </p>
      )}
    </>
  );
}

function OutageRow(props: LinesProps & { readonly outage: ReportOutage }) {
  const { site, hasAccount, times, outage } = props;
  const { kind, account, id, name, fromSeconds, toSeconds, seconds, causes, maintenance } = outage;
  return (
    <tr>
      <td data-label="Begin">
        {outage.beganBefore && 'before '}
        <Moment at={fromSeconds} toTheMinute times={times} />
        {!outage.isCounted && maintenance !== 'whole' && <small>counted in another month</small>}
      </td>
      <th scope="row">
        {outage.isListed ? (
          <a href={hrefTo(site, itemPath({ kind, account, id }))}>
            <Name text={name} />
          </a>
        ) : (
          <Name text={name} />
        )}
        {outage.distinction !== undefined && (
          <small>
            <Name text={outage.distinction} />
          </small>
        )}
        {hasAccount && (
          <small>
            in <Name text={account} />
          </small>
        )}
      </th>
      <td data-label="Duration">
        {toSeconds === undefined && 'at least '}
        {humanizeDuration(seconds)}
        {toSeconds === undefined && <small>end not known</small>}
        {outage.secondsInMonth < seconds && (
          <small>{humanizeDuration(outage.secondsInMonth)} in this month</small>
        )}
        {maintenance !== 'none' && (
          <small>{maintenance === 'whole' ? 'in maintenance' : 'partly in maintenance'}</small>
        )}
      </td>
      <td data-label="Cause">
        {causes.length === 0 ? (
          <span class="rest">not known</span>
        ) : (
          <Name text={causes.map(displayText).join('; ')} />
        )}
      </td>
    </tr>
  );
}
