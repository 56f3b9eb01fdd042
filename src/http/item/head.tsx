import { humanizeDuration } from '../../lib/format-duration.ts';
import { stateBeginning } from '../common/beginnings.ts';
import { budgetLeft } from '../common/error-budget.tsx';
import { Fact, formatRatio, Moment, Name, WholeName } from '../common/format.tsx';
import { type Item, isStale, kindNames } from '../common/items.ts';
import type { Site } from '../common/layout.tsx';
import { availabilityIn, figuresUntil, uncountedFrom } from '../common/past-bars.ts';
import { shownRanges, youngerThan } from '../common/shown-range.ts';
import { Since, unknownStart } from '../common/since.tsx';
import { StateBadge } from '../common/state-badge.tsx';
import { lastReadOf } from '../common/unread-accounts.ts';
import { LastResponse } from '../list/item-row.tsx';

/** The input of each part of the view of one check or transaction. */
export interface ItemPartProps {
  readonly site: Site;
  readonly item: Item;
  /** UNIX seconds by the clock of the service. */
  readonly now: number;
}

/** Name, state, figures and links of one check or transaction. */
export function ItemHead({ site, item, now }: ItemPartProps) {
  const { kind, id, hostname } = item;
  const { links } = site;
  const until = figuresUntil(item);
  const atService = links[kind]?.replaceAll('{id}', `${id}`);
  return (
    <>
      <h1 id="item">
        <WholeName text={item.name} />
      </h1>
      <p class="lead">
        <StateBadge item={isStale(item) ? { ...item, isLastKnown: true } : item} />{' '}
        <StateSince item={item} now={now} />
      </p>
      {isStale(item) && <p>The list is stale: this is the last known state.</p>}
      <p class="rest">
        {item.type} {id}
        {hostname !== undefined && (
          <>
            {' '}
            of <WholeName text={hostname} />
          </>
        )}{' '}
        in account <Name text={item.account} />
      </p>
      <dl class="figures">
        {shownRanges.map((range) => {
          const up = availabilityIn(item, range, now);
          const age = youngerThan(item, range, now);
          return (
            <Fact name={age === undefined ? `Up, ${range}` : `Up, ${humanizeDuration(age)}`}>
              {up === undefined ? '–' : formatRatio(up)}
            </Fact>
          );
        })}
        <Fact name="Budget left">{budgetLeft(item.budget)}</Fact>
        <Fact name={kindNames[kind].response}>
          <LastResponse item={item} />
        </Fact>
      </dl>
      {until !== undefined && (
        <p class="rest">
          Availability and error budget end at <Moment at={until} />
          {uncountedFrom(item) !== undefined && ': the last outage is not counted yet'}.
        </p>
      )}
      <p class="links">
        {atService !== undefined && (
          <a href={atService} rel="noreferrer">
            Open at the service
          </a>
        )}
        {links.grafana !== undefined && (
          <a href={dashboardUrl(links.grafana, item)} rel="noreferrer">
            Dashboard
          </a>
        )}
      </p>
    </>
  );
}

/** The uid and the variables are those of the exporter's dashboards. */
function dashboardUrl(grafana: string, { account, id }: Item): string {
  const url = new URL(grafana);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/d/uptime-check`;
  url.searchParams.set('var-account', account);
  url.searchParams.set('var-check', `${id}`);
  return url.href;
}

/** The alert of an open outage lasts on; any other state is known up to the last list. */
function StateSince({ item, now }: Omit<ItemPartProps, 'site'>) {
  const isOver = isStale(item) && item.outage?.open !== true;
  const until = isOver ? lastReadOf(item.status, kindNames[item.kind].list) : now;
  const beginning = stateBeginning(item);
  if (beginning === undefined) return <small>{unknownStart(item)}</small>;
  return (
    <>
      for <Since beginning={beginning} now={until ?? now} />
    </>
  );
}
