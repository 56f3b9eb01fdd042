import type { ComponentChildren } from 'preact';
import { datasetNames } from '../../domain/dataset.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { windowLengths } from '../../windows/window-seconds.ts';
import type { AccountStatus } from '../ports.ts';
import {
  displayText,
  formatDecimal,
  formatRatio,
  formatResponse,
  Moment,
  Name,
  plural,
} from './format.tsx';
import { mainQueries } from './item-queries.ts';
import {
  availabilityOf,
  downSince,
  type Item,
  pastOf,
  recentSpansOf,
  serviceNow,
  shownWindows,
} from './items.ts';
import { Causes, OutageLength } from './last-outages.tsx';
import { renderPage } from './layout.tsx';
import { pastBars } from './past-bars.ts';
import { ResponseChart } from './response-chart.tsx';
import { hrefTo, type Site } from './site.ts';
import { StateBadge, stateWord } from './state-badge.tsx';
import { BarsTable, describeBars, Strip, StripLegend } from './strip.tsx';

interface PartProps {
  readonly site: Site;
  readonly item: Item;
  /** UNIX seconds by the clock of the service. */
  readonly now: number;
}

/** All that is known of one check or transaction. */
export function itemPage(site: Site, item: Item): string {
  const now = serviceNow(item.status, site.nowSeconds);
  const props = { site, item, now };
  return renderPage({
    site,
    title: `${item.state === 'up' ? '' : `(${stateWord(item.state).toLowerCase()}) `}${displayText(item.name)} · uptime-exporter`,
    hasChart: true,
    children: (
      <>
        <nav aria-label="Way back">
          <a href={hrefTo(site, '') || './'}>All checks and transactions</a>
        </nav>
        <section aria-labelledby="item">
          <div data-live="head">
            <Head {...props} />
          </div>
        </section>
        <section aria-labelledby="month">
          <h2 id="month">Last 30 days</h2>
          <div data-live="month">
            <Month {...props} />
          </div>
        </section>
        <section aria-labelledby="responses">
          <h2 id="responses">Response times, last 7 days</h2>
          <div data-live="responses">
            <ResponseChart
              averages={pastOf(item)?.hourlyAverages}
              quantiles={pastOf(item)?.quantiles}
            />
          </div>
        </section>
        <section aria-labelledby="outages">
          <h2 id="outages">Outages</h2>
          <div data-live="outages">
            <Outages {...props} />
          </div>
        </section>
        <div class="columns">
          <section aria-labelledby="budget">
            <h2 id="budget">Error budget</h2>
            <div data-live="budget">
              <ErrorBudget {...props} />
            </div>
          </section>
          <section aria-labelledby="about">
            <h2 id="about">About this {item.kind}</h2>
            <div data-live="about">
              <About {...props} />
            </div>
          </section>
        </div>
        {item.kind === 'transaction' && (
          <section aria-labelledby="steps">
            <h2 id="steps">Steps</h2>
            <div data-live="steps">
              <Steps item={item} />
            </div>
          </section>
        )}
        <section aria-labelledby="queries">
          <h2 id="queries">PromQL</h2>
          <dl class="queries">
            {mainQueries(item).map(({ what, promql }) => (
              <>
                <dt>{what}</dt>
                <dd>
                  <code>{promql}</code>
                </dd>
              </>
            ))}
          </dl>
        </section>
        <section aria-labelledby="reading">
          <h2 id="reading">How current this is</h2>
          <div data-live="reading">
            <Reading {...props} />
          </div>
        </section>
      </>
    ),
  });
}

function Head({ site, item, now }: PartProps) {
  const { row, kind, id, responseSeconds } = item;
  const host = kind === 'check' ? row.hostname : undefined;
  const { links } = site;
  const atService = (kind === 'check' ? links.check : links.transaction)?.replaceAll(
    '{id}',
    `${id}`,
  );
  return (
    <>
      <h1 id="item">
        <Name text={item.name} />
      </h1>
      <p class="lead">
        <StateBadge item={item} /> <StateSince item={item} now={now} />
      </p>
      <p class="rest">
        {kind === 'check' ? `${row.type} check` : 'transaction'} {id}
        {host !== undefined && (
          <>
            {' '}
            of <Name text={host} />
          </>
        )}{' '}
        in account <Name text={item.account} />
      </p>
      <dl class="figures">
        {shownWindows.map((window) => {
          const up = availabilityOf(row.budget, window);
          return <Figure name={`Up, ${window}`}>{up === undefined ? '–' : formatRatio(up)}</Figure>;
        })}
        <Figure name="Budget left">{budgetLeft(item)}</Figure>
        <Figure name={kind === 'check' ? 'Last response' : 'Response, last hour'}>
          {responseSeconds === undefined ? '–' : formatResponse(responseSeconds)}
        </Figure>
      </dl>
      <p class="links">
        {atService !== undefined && (
          <a href={atService} rel="noreferrer">
            At the service
          </a>
        )}
        {links.grafana !== undefined && (
          <a href={dashboardUrl(links.grafana, item)} rel="noreferrer">
            Dashboard
          </a>
        )}
        {kind === 'check' && <a href={hrefTo(site, `badge/${id}.svg`)}>Badge</a>}
      </p>
    </>
  );
}

function Figure({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The dashboards that come with the exporter have these uids and variables. */
function dashboardUrl(grafana: string, { kind, account, id }: Item): string {
  const uid = kind === 'check' ? 'uptime-check' : 'uptime-transactions';
  const query = new URLSearchParams({ 'var-account': account, 'var-check': `${id}` });
  return `${grafana.replace(/\/+$/, '')}/d/${uid}?${query}`;
}

function budgetLeft({ row }: Item): string {
  const left = row.budget?.remainingRatio;
  if (left === undefined) return '–';
  return left < 0 ? 'overspent' : `${Math.floor(left * 100)} %`;
}

const talliedStateOf = {
  ...{ up: 'up', down: 'down', unconfirmed_down: 'up', unknown: 'unknown', paused: 'unmonitored' },
} as const;

function StateSince({ item, now }: Omit<PartProps, 'site'>) {
  const since = downSince(item) ?? sinceByHistory(item);
  if (since === undefined) return <small>since when is not known</small>;
  return (
    <>
      for {humanizeDuration(now - since)}{' '}
      <small>
        since <Moment at={since} />
      </small>
    </>
  );
}

function sinceByHistory(item: Item): number | undefined {
  const past = pastOf(item);
  if (past === undefined || item.state === 'unconfirmed_down') return undefined;
  const last = past.history?.changes.at(-1);
  if (past.history === undefined) return item.row.createdAtSeconds;
  return last?.state === talliedStateOf[item.state] ? last.fromSeconds : undefined;
}

function Month({ item, now }: PartProps) {
  const bars = pastBars(item, '30d', now);
  return (
    <>
      <div class="tall">
        <Strip bars={bars} label="Last 30 days" />
      </div>
      <p class="rest">{describeBars(bars)}; a bar is a day.</p>
      <StripLegend />
      <details id="month-table">
        <summary>As a table</summary>
        <BarsTable bars={bars} label="Days" />
      </details>
    </>
  );
}

function Outages({ item, now }: PartProps) {
  const outages = pastOf(item)?.outages ?? [];
  if (outages.length === 0) return <p class="rest">None is known of the last 35 days.</p>;
  return (
    <table class="stack" aria-label="Outages">
      <thead>
        <tr>
          <th scope="col">Began</th>
          <th scope="col">Ended</th>
          <th scope="col">Lasted</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {outages.map((outage) => (
          <tr>
            <th scope="row">
              <Moment at={outage.fromSeconds} />
            </th>
            <td>{outage.toSeconds === undefined ? '–' : <Moment at={outage.toSeconds} />}</td>
            <td>
              <OutageLength outage={outage} now={now} />
            </td>
            <td>
              <Causes outage={outage} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ErrorBudget({ item }: PartProps) {
  const { budget } = item.row;
  if (budget === undefined) return <p class="rest">Not known yet.</p>;
  const { objective, remainingRatio, burnRates } = budget;
  const allowed = windowLengths['30d'] * (1 - objective.ratio);
  const burning = Object.entries(burnRates);
  return (
    <>
      <p>
        To be up {formatRatio(objective.ratio)} of 30 days{' '}
        <small>({displayText(objective.reason)})</small>: {humanizeDuration(allowed)} may be spent.
      </p>
      {remainingRatio !== undefined && (
        <>
          <svg class="meter" role="img" aria-label={`${budgetLeft(item)} of the error budget left`}>
            <rect class="track" width="100%" height="100%" rx="4" />
            <rect
              class={remainingRatio < 0.25 ? 'low' : 'left'}
              width={`${Math.max(0, Math.min(1, remainingRatio)) * 100}%`}
              height="100%"
              rx="4"
            />
          </svg>
          <p>
            {remainingRatio >= 0
              ? `${humanizeDuration(allowed * remainingRatio)} left, ${budgetLeft(item)}.`
              : `Overspent by ${humanizeDuration(-allowed * remainingRatio)}.`}
          </p>
        </>
      )}
      {burning.length > 0 && (
        <details id="burn">
          <summary>Burn rates</summary>
          <table aria-label="Burn rates">
            <thead>
              <tr>
                <th scope="col">Window</th>
                <th scope="col">Times the even pace</th>
              </tr>
            </thead>
            <tbody>
              {burning.map(([window, rate]) => (
                <tr>
                  <th scope="row">{window}</th>
                  <td>{formatDecimal(rate)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </>
  );
}

function About({ item, now }: PartProps) {
  const { row, kind } = item;
  const period = kind === 'check' ? row.resolutionSeconds : row.intervalSeconds;
  const recipients = kind === 'check' ? row.settings?.recipients : undefined;
  const told = Object.entries(recipients ?? {}).filter(([, count]) => count > 0);
  return (
    <dl class="facts">
      <Fact name="Tested">{period === undefined ? '–' : `every ${humanizeDuration(period)}`}</Fact>
      <Fact name="Importance">{row.severity ?? '–'}</Fact>
      <Fact name="Created">
        {row.createdAtSeconds === undefined ? (
          '–'
        ) : (
          <Moment at={row.createdAtSeconds} toTheMinute />
        )}
      </Fact>
      <Fact name="Tags">
        {row.tags.length === 0 ? '–' : row.tags.map(({ name }) => displayText(name)).join(', ')}
      </Fact>
      {kind === 'check' && (
        <Fact name="Who is told">
          {recipients === undefined
            ? 'not read yet'
            : told.length === 0
              ? 'nobody'
              : told.map(([what, count]) => plural(count, what)).join(', ')}
        </Fact>
      )}
      {kind === 'transaction' && <Fact name="Run from">{row.region ?? '–'}</Fact>}
      <Fact name="Maintenance">
        <Maintenance status={item.status} item={item} now={now} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Maintenance({ status, item, now }: { status: AccountStatus; item: Item; now: number }) {
  const { maintenance } = status.snapshot;
  if (maintenance === undefined) return <>not known</>;
  const spans = maintenance.windows
    .filter(({ checkIds, transactionIds }) =>
      (item.kind === 'check' ? checkIds : transactionIds).includes(item.id),
    )
    .flatMap((window) => {
      const span = maintenance.next.get(window.id);
      if (span === undefined || span.endAtSeconds <= now) return [];
      return [{ window, span, active: maintenance.activeIds.has(window.id) }];
    })
    .sort((a, b) => a.span.startAtSeconds - b.span.startAtSeconds);
  if (spans.length === 0) return <>none is planned</>;
  return (
    <ul class="plain">
      {spans.map(({ window, span, active }) => (
        <li>
          <Name text={window.description ?? `maintenance ${window.id}`} />
          <small>
            {active ? (
              <>
                under way, until <Moment at={span.endAtSeconds} toTheMinute />
              </>
            ) : (
              <>
                from <Moment at={span.startAtSeconds} toTheMinute />, for{' '}
                {humanizeDuration(span.endAtSeconds - span.startAtSeconds)}
              </>
            )}
          </small>
        </li>
      ))}
    </ul>
  );
}

function Steps({ item }: { readonly item: Extract<Item, { kind: 'transaction' }> }) {
  const { performance, failingStep } = item.row;
  const steps = performance?.steps ?? [];
  if (steps.length === 0) {
    return <p>{failingStep === undefined ? 'Not known yet.' : `Step ${failingStep} fails.`}</p>;
  }
  const longest = Math.max(...steps.map(({ averageResponseTimeSeconds: at = 0 }) => at), 1e-9);
  return (
    <table aria-label="Steps">
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">What it does</th>
          <th scope="col">Average of the last hour</th>
        </tr>
      </thead>
      <tbody>
        {steps.map(({ fn, averageResponseTimeSeconds: seconds }, place) => (
          <tr>
            <th scope="row">
              {place + 1} {failingStep === place + 1 && <span class="badge bad">fails</span>}
            </th>
            <td>{fn}</td>
            <td>
              {seconds === undefined ? (
                '–'
              ) : (
                <>
                  {formatResponse(seconds)}
                  <svg class="rate" aria-hidden="true">
                    <rect width={`${(100 * seconds) / longest}%`} height="100%" rx="2" />
                  </svg>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const readDatasets = {
  check: ['checks', 'outages', 'results', 'performance', 'average', 'detail', 'analyses'],
  transaction: ['transactions', 'transaction_performance'],
} as const;

function Reading({ site, item, now }: PartProps) {
  const countedUntil = recentSpansOf(item).at(-1)?.toSeconds;
  const { datasets } = item.status.snapshot;
  const names = datasetNames.filter((name) =>
    (readDatasets[item.kind] as readonly string[]).includes(name),
  );
  return (
    <>
      <p>
        {countedUntil === undefined ? (
          'Its counters have not begun.'
        ) : (
          <>
            Its counters reach up to <Moment at={countedUntil} />,{' '}
            {humanizeDuration(now - countedUntil)} ago.
          </>
        )}
      </p>
      <table aria-label="Datasets of this item">
        <thead>
          <tr>
            <th scope="col">Dataset</th>
            <th scope="col">Read every</th>
            <th scope="col">Next for this {item.kind}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const status = datasets[name];
            if (status === undefined) return null;
            const { intervalSeconds } = status;
            const next = item.status.nextReadSeconds?.(name, item.id);
            return (
              <tr>
                <th scope="row">{name}</th>
                <td>
                  {intervalSeconds === undefined || !Number.isFinite(intervalSeconds)
                    ? 'when something happens'
                    : humanizeDuration(intervalSeconds)}
                </td>
                <td>{formatNext(next)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="rest">
        As of <Moment at={site.nowSeconds} />. The budget may delay a reading.
      </p>
    </>
  );
}

function formatNext(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return '–';
  return seconds <= 0 ? 'due' : `in ${humanizeDuration(seconds)}`;
}
