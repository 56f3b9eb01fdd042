import { present } from '../../lib/present.ts';
import { ErrorBudgetSection } from '../common/error-budget.tsx';
import { displayText, formatResponse, Identifier, Moment, Table } from '../common/format.tsx';
import { type Item, isStale, itemPastOf, kindNames, serviceNow } from '../common/items.ts';
import { lastOutagesOfItem, noOutagesOfItemText } from '../common/known-outages.ts';
import { hrefTo, LiveSection, renderView, type Site } from '../common/layout.tsx';
import { OutageTable } from '../common/outage-table.tsx';
import { describeBars, pastBars, wholeAvailabilityIn } from '../common/past-bars.ts';
import { outagesPath } from '../common/paths.ts';
import { stateWord } from '../common/state-badge.tsx';
import { BarsTable, Strip, StripEnds, StripLegend } from '../common/strip.tsx';
import { About, ItemFreshness } from './about.tsx';
import { Badges } from './badges.tsx';
import { ItemHead, type ItemPartProps } from './head.tsx';
import { ResponseChart } from './response-chart.tsx';

/** Renders the view of one item. `range`: the time of the response chart, if offered. */
export function itemView(exporter: Site, item: Item, range?: string): string {
  const { list: _, ...rest } = exporter;
  const site: Site = present({ ...rest, list: item.status.list });
  const now = serviceNow(item.status, site.nowSeconds);
  const props = { site, item, now };
  return renderView({
    site,
    title: `${titleStart(item)}${displayText(item.name)} · uptime-exporter`,
    hasChart: true,
    children: (
      <>
        <nav aria-label="Breadcrumb">
          <a href={site.root}>All checks and transactions</a>
        </nav>
        <section aria-labelledby="item">
          <div data-live="head">
            <ItemHead {...props} />
          </div>
        </section>
        <LiveSection id="month" title="Last 30 days">
          <Month {...props} />
        </LiveSection>
        <LiveSection id="responses" title="Response times">
          <ResponseChart
            averages={itemPastOf(item)?.hourlyAverages}
            quantiles={itemPastOf(item)?.quantiles}
            createdAtSeconds={item.createdAtSeconds}
            periodSeconds={item.periodSeconds}
            readEverySeconds={readEvery(item)}
            range={range}
            now={now}
          />
        </LiveSection>
        <LiveSection id="outages" title="Outages">
          <Outages site={site} item={item} />
        </LiveSection>
        <div class="columns">
          <LiveSection id="budget" title="Error budget">
            <ErrorBudgetSection budget={item.budget} />
          </LiveSection>
          <LiveSection id="about" title={`About this ${item.kind}`}>
            <About item={item} now={now} />
          </LiveSection>
        </div>
        {item.kind === 'transaction' && (
          <LiveSection id="steps" title="Steps">
            <Steps item={item} />
          </LiveSection>
        )}
        <section class="print-hidden" aria-labelledby="queries">
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
        <section class="print-hidden" aria-labelledby="badges">
          <h2 id="badges">Badges</h2>
          <Badges site={site} item={item} />
        </section>
        <LiveSection id="reading" title="Data freshness">
          <ItemFreshness {...props} />
        </LiveSection>
      </>
    ),
  });
}

/** What is wrong, at the beginning of the title: a tab may show no more. */
function titleStart(item: Item): string {
  if (isStale(item) && item.outage?.open !== true) return '(not known) ';
  return item.state === 'up' ? '' : `(${stateWord(item.state).toLowerCase()}) `;
}

/** The planned interval of hourly averages; Infinity if disabled, undefined without a plan. */
function readEvery({ kind, status }: Item): number | undefined {
  if (status.plan?.datasets === undefined) return undefined;
  const planned = status.plan.datasets.find(({ name }) => name === kindNames[kind].averages);
  return planned === undefined ? Number.POSITIVE_INFINITY : planned.intervalSeconds;
}

function Month({ item, now }: Omit<ItemPartProps, 'site'>) {
  const bars = pastBars(item, '30d', now);
  const up = wholeAvailabilityIn(item, '30d', now);
  return (
    <>
      <div class="tall">
        <Strip bars={bars} label="Last 30 days" up={up} hasTitles />
        <StripEnds bars={bars} />
      </div>
      <p class="rest">{describeBars(bars, up)}.</p>
      <StripLegend range="30d" />
      <details id="month-table">
        <summary>As a table</summary>
        <BarsTable bars={bars} label="Days" />
      </details>
    </>
  );
}

function Outages({ site, item }: Omit<ItemPartProps, 'now'>) {
  const outages = lastOutagesOfItem(item);
  if (outages.length === 0) {
    return <p class="rest">{noOutagesOfItemText(item, site.nowSeconds)}</p>;
  }
  const path = outagesPath({ account: item.account, check: `${item.id}` });
  return (
    <>
      <OutageTable
        site={site}
        outages={outages.map((outage) => ({ item, outage }))}
        columns={['began', 'ended', 'lasted', 'why']}
        mayAsk
      />
      <p class="rest">
        <a href={hrefTo(site, path)}>All known outages</a>
      </p>
    </>
  );
}

function Steps({ item }: { readonly item: Extract<Item, { kind: 'transaction' }> }) {
  const { failingStep, row } = item;
  const steps = row.performance?.steps ?? [];
  if (steps.length === 0) {
    const { transaction_performance: read } = item.status.snapshot.datasets;
    const none = read === undefined ? 'Steps are not read.' : 'Not known yet.';
    return <p>{failingStep === undefined ? none : `Step ${failingStep} failed.`}</p>;
  }
  const from = row.performance?.startAtSeconds;
  const longest = Math.max(...steps.map(({ averageResponseTimeSeconds: at = 0 }) => at), 1e-9);
  return (
    <>
      <Table label="Steps" columns={['Step', 'Action', 'Average']}>
        {steps.map(({ fn, averageResponseTimeSeconds: seconds }, place) => (
          <tr>
            <th scope="row">
              {place + 1} {failingStep === place + 1 && <span class="badge bad">fails</span>}
            </th>
            <td>
              <Identifier text={fn} />
            </td>
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
      </Table>
      {from !== undefined && (
        <p class="rest">
          Averages of the hour from <Moment at={from} toTheMinute />.
        </p>
      )}
    </>
  );
}

interface ItemQueryOf {
  readonly what: string;
  readonly promql: string;
}

/** Returns PromQL of the main series of an item, to paste into Prometheus or Grafana. */
function mainQueries({ kind, account, id }: Item): ItemQueryOf[] {
  const series = (name: string, ...labels: readonly string[]) =>
    `uptime_${kind}_${name}{${[`account=${quoted(account)}`, `check_id="${id}"`, ...labels].join(',')}}`;
  return [
    { what: 'Up now', promql: series('up') },
    { what: 'Outage open', promql: series('outage_open') },
    {
      what: 'Availability in 30 days',
      promql: `1 - ${series('error_ratio', 'window="30d"')}`,
    },
    { what: 'Error budget left', promql: series('error_budget_remaining_ratio') },
    {
      what: 'Seconds down in an hour',
      promql: `increase(${series('state_seconds_total', 'state="down"')}[1h])`,
    },
    {
      what: 'Response time',
      promql: series(kindNames[kind].responseMetric),
    },
  ];
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
