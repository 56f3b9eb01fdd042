import type { Item } from '../items.ts';

interface ItemQueryOf {
  readonly what: string;
  readonly promql: string;
}

/** PromQL of the main series of an item, to be pasted into Prometheus or Grafana. */
export function mainQueries({
  kind,
  account,
  id,
}: Pick<Item, 'kind' | 'account' | 'id'>): ItemQueryOf[] {
  const of = (name: string, ...labels: readonly string[]) =>
    `uptime_${kind}_${name}{${[`account=${quoted(account)}`, `check_id="${id}"`, ...labels].join(',')}}`;
  return [
    { what: 'Up now', promql: of('up') },
    { what: 'Outage open', promql: of('outage_open') },
    {
      what: 'Availability in 30 days',
      promql: `1 - ${of('error_ratio', 'window="30d"')}`,
    },
    { what: 'Error budget left', promql: of('error_budget_remaining_ratio') },
    {
      what: 'Seconds down in an hour',
      promql: `increase(${of('state_seconds_total', 'state="down"')}[1h])`,
    },
    {
      what: 'Response time',
      promql: of(
        kind === 'check' ? 'last_response_time_seconds' : 'hourly_average_response_time_seconds',
      ),
    },
  ];
}

/** A string of PromQL. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
