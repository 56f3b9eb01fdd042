import { formatDecimal } from '../../lib/format-number.ts';
import { displayText, Moment } from '../common/format.tsx';
import { groupProblem } from '../common/group-problem.ts';
import { itemsOf } from '../common/items.ts';
import { hrefTo, LiveSection, renderView, type Site } from '../common/layout.tsx';
import { type ItemQuery, selectItems } from '../common/list-query.ts';
import { MaintenanceList } from '../common/maintenance.tsx';
import { hidesItems, incompleteLists, isListFailing } from '../common/shown-lists.ts';
import { Groups } from '../groups/groups.tsx';
import { FilterForm } from '../list/filter-form.tsx';
import { ItemTable } from '../list/item-list.tsx';
import type {
  AccountStatus,
  LargePage,
  LastReload,
  ReplicasView,
  ServedSeries,
  StorageFailure,
} from '../ports.ts';
import { AccountNotes, Operators } from './accounts.tsx';
import { headline, noItemsHeadline, titleOf } from './headline.ts';
import { LastOutages } from './last-outages.tsx';
import { Problems } from './problems.tsx';
import { StateTiles } from './state-tiles.tsx';

const maxGroups = 50;

interface HomeFacts {
  readonly site: Site;
  readonly accounts: readonly AccountStatus[];
  readonly query: ItemQuery;
  /** The tags to choose from. */
  readonly tags: readonly string[];
  /** Absent if there is no configuration to reload. */
  readonly configuration?: LastReload;
  readonly storageFailure?: StorageFailure;
  /** Absent if no other replica shares the accounts. */
  readonly replicas?: ReplicasView;
  readonly largePage?: LargePage;
  readonly served?: ServedSeries;
}

/** Renders the status page: problems, last outages, all items, and the exporter's state. */
export function homeView(facts: HomeFacts): string {
  const { site, accounts, query, replicas } = facts;
  const { nowSeconds } = site;
  const items = itemsOf(accounts);
  const names = accounts.map(({ snapshot }) => snapshot.account);
  const selection = selectItems(items, query, nowSeconds);
  const areHidden = accounts.some(hidesItems);
  const isPartial =
    areHidden ||
    accounts.some((status) => isListFailing(status) || incompleteLists(status).length > 0);
  return renderView({
    site,
    title: titleOf(items, isPartial),
    children: (
      <>
        <div data-live="notes">
          <StorageNote failure={facts.storageFailure} />
          <ReloadNote last={facts.configuration} />
        </div>
        <div class={items.length > 0 ? 'overview' : undefined}>
          <section class="at-now" aria-labelledby="now">
            <div data-live="now">
              <h1 id="now">
                {accounts.length === 0 && replicas !== undefined
                  ? 'This replica owns no account'
                  : items.length === 0
                    ? noItemsHeadline(accounts)
                    : headline(items, isPartial)}
              </h1>
              <div class="accounts">
                {accounts.length === 0 && replicas === undefined && (
                  <p>No account is configured.</p>
                )}
                {accounts.map((status) => (
                  <AccountNotes status={status} nowSeconds={nowSeconds} />
                ))}
              </div>
              {items.length > 0 && (
                <>
                  <StateTiles {...{ site, items, query, areHidden }} />
                  <Problems
                    {...{ site, items, nowSeconds, isPartial }}
                    severalAccounts={accounts.length > 1}
                  />
                </>
              )}
            </div>
          </section>
          {items.length > 0 && (
            <>
              <LiveSection id="outages" title="Last outages" class="at-outages">
                <LastOutages {...{ site, items, accounts, nowSeconds }} />
                <p class="rest">
                  <a href={hrefTo(site, 'outages')}>All known outages</a>
                  {areHidden && ', including those of lists that are not shown'}
                </p>
              </LiveSection>
              <LiveSection id="groups" title="Groups" class="at-groups">
                <Groups site={site} accounts={accounts} most={maxGroups} />
              </LiveSection>
              <LiveSection id="maintenance" title="Maintenance" class="at-maintenance">
                <MaintenanceList accounts={accounts} nowSeconds={nowSeconds} />
              </LiveSection>
            </>
          )}
        </div>
        {items.length > 0 && (
          <section aria-labelledby="list">
            <h2 id="list">Checks and transactions</h2>
            <FilterForm {...{ site, query, tags: facts.tags }} accounts={names} />
            <div data-live="list">
              <ItemTable
                site={site}
                selection={selection}
                nowSeconds={nowSeconds}
                severalAccounts={accounts.length > 1}
                emptyText={
                  query.group === ''
                    ? undefined
                    : groupProblem(query.group, accounts, replicas?.accounts ?? [])
                }
              />
            </div>
          </section>
        )}
        {replicas?.section?.()}
        {accounts.length > 0 && (
          <LiveSection id="operators" title="For operators">
            <SeriesNote served={facts.served} path={site.telemetryPath} />
            <LargePageNote page={facts.largePage} path={site.telemetryPath} />
            {accounts.map((status, place) => (
              <Operators {...{ status, nowSeconds }} id={`account-${place + 1}`} />
            ))}
          </LiveSection>
        )}
      </>
    ),
  });
}

function StorageNote({ failure }: { readonly failure: StorageFailure | undefined }) {
  if (failure === undefined) return null;
  return (
    <section aria-labelledby="storage">
      <h2 id="storage">
        Storage <span class="badge bad">write failed</span>
      </h2>
      <p>
        Writes have failed since <Moment at={failure.sinceSeconds} />. Counters show the last stored
        values, and go on without a gap once a write succeeds: {displayText(failure.message)}
      </p>
    </section>
  );
}

function SeriesNote({ served, path }: { readonly served: ServedSeries | undefined; path: string }) {
  if (served?.series === undefined) return null;
  return (
    <p>
      {path} has {formatDecimal(served.series)} series (<code>metrics: {served.mode}</code>).
    </p>
  );
}

/** Only for those who use these servers: Prometheus reads a page of any size. */
function LargePageNote({ page, path }: { readonly page: LargePage | undefined; path: string }) {
  if (page === undefined) return null;
  return (
    <div class="note">
      <p>
        <strong>
          {path} has {mebibytes(page.bytes)} MiB of text: VictoriaMetrics and vmagent read{' '}
          {mebibytes(page.limitBytes)} MiB by default, and store nothing of a larger page.
        </strong>
      </p>
      <p>
        With these, scrape it in parts (<code>?account=NAME</code>, <code>?dataset[]=checks</code>),
        or raise <code>-promscrape.maxScrapeSize</code>. Prometheus reads it as it is.
      </p>
    </div>
  );
}

function mebibytes(bytes: number): string {
  return formatDecimal(Math.ceil(bytes / 2 ** 20));
}

function ReloadNote({ last }: { readonly last: LastReload | undefined }) {
  if (last?.failure === undefined) return null;
  return (
    <section aria-labelledby="configuration">
      <h2 id="configuration">
        Configuration <span class="badge bad">not reloaded</span>
      </h2>
      <p>
        The configuration of <Moment at={last.succeededAtSeconds} /> is still in use. Fix these
        errors and reload:
      </p>
      <ul>
        {last.failure.split('\n').map((problem) => (
          <li>{displayText(problem)}</li>
        ))}
      </ul>
    </section>
  );
}
