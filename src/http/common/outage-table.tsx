import type { ComponentChildren } from 'preact';
import type { LastOutage } from '../../slo/last-outages.ts';
import { AskCauses } from './ask-causes.tsx';
import { beginningOfOutage, lengthText } from './beginnings.ts';
import { displayText, Moment, Name, Table } from './format.tsx';
import { type Item, itemKinds, serviceNow } from './items.ts';
import type { Site } from './layout.tsx';
import { maintenanceOf } from './outage-list.ts';
import { ItemLink } from './problems.tsx';

interface OutageTableProps {
  readonly site: Site;
  readonly outages: readonly { readonly item: Item; readonly outage: LastOutage }[];
  /** Whether the table has the names of the checks and transactions. */
  readonly hasNames?: boolean;
  readonly severalAccounts?: boolean;
  /** Whether causes that are not known can be asked for. */
  readonly mayAsk?: boolean;
}

export function OutageTable({
  site,
  outages,
  hasNames = false,
  severalAccounts = false,
  mayAsk = false,
}: OutageTableProps) {
  const columns = [...(hasNames ? ['Check'] : []), 'Began', 'Ended', 'Lasted', 'Why'];
  return (
    <Table label="Outages" class="stack" columns={columns}>
      {outages.map(({ item, outage }) => (
        <tr>
          {hasNames && (
            <th scope="row">
              <ItemLink site={site} item={item} />
              {severalAccounts && (
                <small>
                  <Name text={item.account} />
                </small>
              )}
            </th>
          )}
          {hasNames ? (
            <td data-label="Began">
              <Began outage={outage} />
            </td>
          ) : (
            <th scope="row" data-label="Began">
              <Began outage={outage} />
            </th>
          )}
          <td data-label="Ended">
            <Ended outage={outage} />
          </td>
          <td data-label="Lasted">
            <OutageLength outage={outage} now={serviceNow(item.status, site.nowSeconds)} />
            <InMaintenance item={item} outage={outage} />
          </td>
          <td data-label="Why">
            <Causes outage={outage} kind={item.kind}>
              {mayAsk && <AskCauses {...{ site, item, outage }} />}
            </Causes>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function InMaintenance({ item, outage }: { readonly item: Item; readonly outage: LastOutage }) {
  const share = maintenanceOf(item, outage);
  if (share === 'none') return null;
  return <small>{share === 'whole' ? 'in maintenance' : 'partly in maintenance'}</small>;
}

/** The start of an outage, marked as `before` if only a bound is known. */
function Began({ outage }: { readonly outage: LastOutage }) {
  const { atSeconds, isExact } = beginningOfOutage(outage);
  return (
    <>
      {isExact ? '' : 'before '}
      <Moment at={atSeconds} />
    </>
  );
}

/** The end of an outage; empty while it is ongoing. */
function Ended({ outage: { toSeconds, endsLater } }: { readonly outage: LastOutage }) {
  if (toSeconds === undefined) return null;
  return (
    <>
      {endsLater && 'after '}
      <Moment at={toSeconds} />
    </>
  );
}

export function OutageLength({ outage, now }: { readonly outage: LastOutage; now: number }) {
  const { toSeconds, endsLater } = outage;
  const beginning = beginningOfOutage(outage);
  if (toSeconds !== undefined && endsLater) {
    return (
      <>
        {lengthText({ ...beginning, isExact: false }, toSeconds)} <small>end not read yet</small>
      </>
    );
  }
  if (toSeconds !== undefined) return <>{lengthText(beginning, toSeconds)}</>;
  return (
    <>
      {lengthText(beginning, now)} <span class="badge bad">going on</span>
    </>
  );
}

interface CausesProps {
  readonly outage: LastOutage;
  readonly kind: Item['kind'];
  /** Shown if no cause is known. */
  readonly children?: ComponentChildren;
}

export function Causes({ outage, kind, children }: CausesProps) {
  const { causes, analysisId } = outage;
  return (
    <>
      {causes.length > 0 ? (
        <Name text={causes.map(displayText).join('; ')} />
      ) : (
        children || <span class="rest">{itemKinds[kind].noCause}</span>
      )}
      {analysisId !== undefined && <small>root cause analysis {analysisId}</small>}
    </>
  );
}
