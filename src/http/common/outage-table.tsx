import type { ComponentChildren } from 'preact';
import { plural } from '../../lib/format-number.ts';
import type { LastOutage } from '../../slo/last-outages.ts';
import { AskCauses } from './ask-causes.tsx';
import { beginningOfOutage, lengthText } from './beginnings.ts';
import { Ago, displayText, Moment, Name, Table } from './format.tsx';
import { ItemHost, ItemLink } from './item-link.tsx';
import { type Item, isStale, kindNames, serviceNow } from './items.ts';
import type { Site } from './layout.tsx';
import { maintenanceOf } from './outage-list.ts';
import { itemPath } from './paths.ts';

interface Line {
  readonly item: Item;
  readonly outage: LastOutage;
  /** The number of further outages within the day before it. */
  readonly others?: number;
}

/** What the cells of a table need besides their lines. */
interface CellContext {
  readonly site: Site;
  readonly severalAccounts?: boolean;
  /** Whether causes that are not known can be asked for. */
  readonly mayAsk?: boolean;
  /** The names that several of the items have. */
  readonly sharedNames: ReadonlySet<string>;
}

interface OutageColumn {
  readonly heading: string;
  readonly cell: (line: Line, context: CellContext) => ComponentChildren;
}

const outageColumns = {
  check: {
    heading: 'Check',
    cell: ({ item }, { site, severalAccounts = false, sharedNames }) => (
      <>
        <ItemLink site={site} item={item} />
        {sharedNames.has(item.name) ? (
          <ItemHost {...{ item, severalAccounts }} />
        ) : (
          severalAccounts && (
            <small>
              <Name text={item.account} />
            </small>
          )
        )}
      </>
    ),
  },
  began: { heading: 'Began', cell: ({ outage }) => <Began outage={outage} /> },
  beganAgo: {
    heading: 'Began',
    cell: ({ item, outage }, { site }) => {
      const { atSeconds, isExact } = beginningOfOutage(outage);
      return (
        <Ago at={atSeconds} now={serviceNow(item.status, site.nowSeconds)} isExact={isExact} />
      );
    },
  },
  ended: { heading: 'Ended', cell: ({ outage }) => <Ended outage={outage} /> },
  lasted: {
    heading: 'Lasted',
    cell: ({ item, outage, others = 0 }, { site }) => (
      <>
        <OutageLength {...{ item, outage }} now={serviceNow(item.status, site.nowSeconds)} />
        <InMaintenance item={item} outage={outage} />
        {others > 0 && <small>and {plural(others, 'other')} within a day</small>}
      </>
    ),
  },
  why: {
    heading: 'Why',
    cell: ({ item, outage }, { site, mayAsk = false }) => (
      <Causes outage={outage} kind={item.kind}>
        {mayAsk && <AskCauses {...{ site, item, outage }} />}
      </Causes>
    ),
  },
} as const satisfies Readonly<Record<string, OutageColumn>>;

interface OutageTableProps extends Omit<CellContext, 'sharedNames'> {
  readonly label?: string;
  readonly outages: readonly Line[];
  readonly columns: readonly (keyof typeof outageColumns)[];
}

export function OutageTable({ label = 'Outages', outages, columns, ...props }: OutageTableProps) {
  const context = { ...props, sharedNames: sharedNamesOf(outages) };
  const chosen: readonly OutageColumn[] = columns.map((name) => outageColumns[name]);
  return (
    <Table label={label} class="outages stack" columns={chosen.map(({ heading }) => heading)}>
      {outages.map((line) => (
        <tr>
          {chosen.map(({ heading, cell }, place) =>
            place === 0 ? (
              <th scope="row" data-label={columns[0] === 'check' ? undefined : heading}>
                {cell(line, context)}
              </th>
            ) : (
              <td data-label={heading}>{cell(line, context)}</td>
            ),
          )}
        </tr>
      ))}
    </Table>
  );
}

function sharedNamesOf(lines: readonly Line[]): ReadonlySet<string> {
  const items = new Map(lines.map(({ item }) => [itemPath(item), item.name]));
  const names = [...items.values()].sort();
  return new Set(names.filter((name, place) => name === names[place + 1]));
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

function OutageLength({ item, outage, now }: Line & { readonly now: number }) {
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
      {lengthText(beginning, now)}{' '}
      <span class="badge bad">{isStale(item) ? 'open when last read' : 'going on'}</span>
    </>
  );
}

interface CausesProps {
  readonly outage: LastOutage;
  readonly kind: Item['kind'];
  /** Shown if no cause is known. */
  readonly children?: ComponentChildren;
}

function Causes({ outage, kind, children }: CausesProps) {
  const { causes, analysisId } = outage;
  return (
    <>
      {causes.length > 0 ? (
        <Name text={causes.map(displayText).join('; ')} />
      ) : (
        children || <span class="rest">{kindNames[kind].noCause}</span>
      )}
      {analysisId !== undefined && <small>root cause analysis {analysisId}</small>}
    </>
  );
}
