import { high, series } from './alert-case.ts';
import { notation } from './notation.ts';
import type { Input, RuleCase } from './promtool-rules.ts';

/**
 * Families of accounts, checks, transactions and groups have this label on all replicas; see
 * docs/alerting.md.
 */
export const fixed = { job: 'uptime', instance: 'uptime-exporter' };

interface Span {
  readonly from: number;
  readonly to: number;
}

/** In seconds, like all times here. */
export interface Pace {
  readonly scrape: number;
  readonly evaluation: number;
}

export interface Replica {
  readonly instance: string;
  /** The phase of its scrapes. */
  readonly phase: number;
  /** When the process runs; by default always. */
  readonly runs?: readonly Span[];
  /** When it has the lease of an account, keyed by the accounts of its configuration. */
  readonly holds: Readonly<Record<string, readonly Span[]>>;
  /** When an account is no longer in its configuration. */
  readonly removed?: Readonly<Record<string, Span>>;
  /** When it cannot reach the database. */
  readonly cutOff?: readonly Span[];
  /** When Prometheus discovers it; by default always. */
  readonly isTarget?: Span;
  /** It does not share its accounts, so it has no leases. */
  readonly isAlone?: boolean;
}

/**
 * The samples of an account's holder at a second, by family and labels; undefined if it has none.
 */
export type Served = Readonly<Record<string, (second: number) => number | undefined>>;

export interface World {
  readonly seconds: number;
  readonly replicas: readonly Replica[];
  /** Keyed by account, under the fixed instance. */
  readonly shared: Readonly<Record<string, Served>>;
  /** Keyed by account, under the instance of the replica. */
  readonly own?: Readonly<Record<string, Served>>;
}

export const from = (begin: number, to = Number.POSITIVE_INFINITY): Span => ({ from: begin, to });
const isIn = (spans: readonly Span[] | undefined, second: number) =>
  (spans ?? [from(0)]).some((one) => second >= one.from && second < one.to);

/**
 * The samples in Prometheus. Each target is scraped in its own phase. A sample that the previous
 * scrape of the target had, but this one lacks, is marked as stale, even if another target has just
 * served the same series.
 */
export function scrapesOf(world: World, { scrape }: Pace): Input {
  const samples = new Map<string, Map<number, number | undefined>>();
  const before = new Map<Replica, ReadonlyMap<string, number>>();
  const put = (name: string, second: number, value: number | undefined) =>
    samples.set(name, (samples.get(name) ?? new Map()).set(second, value));
  for (let second = 0; second < world.seconds; second++) {
    for (const replica of world.replicas) {
      if (second % scrape !== replica.phase % scrape) continue;
      const page = scraped(world, replica, second);
      for (const [name, value] of page) put(name, second, value);
      for (const name of before.get(replica)?.keys() ?? [])
        if (!page.has(name)) put(name, second, undefined);
      before.set(replica, page);
    }
  }
  return Object.fromEntries(
    [...samples].map(([name, list]) => [name, notation(list, world.seconds)]),
  );
}

function scraped(world: World, replica: Replica, second: number): ReadonlyMap<string, number> {
  const page = new Map<string, number>();
  const { instance, isTarget = from(0), runs, cutOff = [], holds, removed, isAlone } = replica;
  if (!isIn([isTarget], second)) return page;
  const target = { job: 'uptime', instance };
  const isRunning = isIn(runs, second);
  page.set(series('up', {}, target), isRunning ? 1 : 0);
  if (!isRunning) return page;
  if (!isAlone)
    page.set(series('uptime_exporter_database_up', {}, target), isIn(cutOff, second) ? 0 : 1);
  page.set(series('uptime_exporter_store_failing', {}, target), isIn(cutOff, second) ? 1 : 0);
  for (const [account, spans] of Object.entries(holds)) {
    if (removed?.[account] !== undefined && isIn([removed[account]], second)) {
      page.set(series('uptime_exporter_account_removed', { account }, target), 1);
      continue;
    }
    const isHolder = isIn(spans, second);
    if (!isAlone)
      page.set(series('uptime_exporter_lease_held', { account }, target), isHolder ? 1 : 0);
    if (!isAlone) {
      const takes = expiredTakes(world, replica, account, second);
      page.set(series('uptime_exporter_lease_expired_takes_total', { account }, target), takes);
    }
    if (!isHolder) continue;
    const add = (labels: Readonly<Record<string, string>>, served: Served) => {
      for (const [family, valueAt] of Object.entries(served)) {
        const value = valueAt(second);
        const [name = '', more = ''] = family.split(' ');
        const pairs = Object.fromEntries(
          more.split(',').map((pair) => pair.split('=') as [string, string]),
        );
        const all = more === '' ? { account } : { account, ...pairs };
        if (value !== undefined) page.set(series(name, all, labels), value);
      }
    };
    add(isAlone ? target : fixed, world.shared[account] ?? {});
    add(target, world.own?.[account] ?? {});
  }
  return page;
}

/** A replica that hands an account over holds it until the take; otherwise its lease expires. */
function expiredTakes(world: World, replica: Replica, account: string, second: number): number {
  const { holds, runs = [from(0)] } = replica;
  const process = runs.find((one) => isIn([one], second));
  const held = world.replicas.flatMap((one) => one.holds[account] ?? []);
  const takes = (holds[account] ?? []).filter(
    (take) => take.from > (process?.from ?? 0) && take.from <= second,
  );
  return takes.filter(
    (take) => held.some((one) => one.to < take.from) && !held.some((one) => one.to === take.from),
  ).length;
}

/** An account that can be read, and its check 7, which is down in these spans. */
export function watched(...outages: readonly Span[]): Served {
  const isDown = (second: number) => isIn(outages, second);
  const wasDown = (second: number) => outages.some((one) => one.from <= second);
  const check = 'check_id=7,name=Front';
  return {
    uptime_up: () => 1,
    'uptime_outages_open kind=check': (second) => (isDown(second) ? 1 : 0),
    'uptime_outages_open kind=transaction': () => 0,
    'uptime_account_info base_url=https://api.example.com,first_check=7,store=a1': () => 1,
    [`uptime_check_outage_open ${check},hostname=${high.hostname},importance=high`]: (second) =>
      isDown(second) ? 1 : wasDown(second) ? 0 : undefined,
    [`uptime_check_outage_start_timestamp_seconds ${check}`]: (second) =>
      outages.find((one) => isIn([one], second))?.from,
    [`uptime_check_last_outage_start_timestamp_seconds ${check}`]: (second) =>
      isDown(second) ? undefined : outages.findLast((one) => one.to <= second)?.from,
  };
}

/** When the account cannot be read, keyed by reason. */
export function failing(reasons: Readonly<Record<string, Span>>): Served {
  return Object.fromEntries([
    ...Object.entries(reasons).map(([reason, span]) => [
      `uptime_exporter_account_failure reason=${reason}`,
      (second: number) => (isIn([span], second) ? 1 : undefined),
    ]),
    [
      'uptime_exporter_account_failure reason=none',
      (second: number) => (isIn(Object.values(reasons), second) ? undefined : 0),
    ],
  ]);
}

export interface ReplicaLife {
  readonly name: string;
  readonly world: World;
  /**
   * The alerts at every evaluation in a span of seconds, as `alertname severity account instance`.
   */
  readonly firing: readonly (readonly [from: number, to: number, ...alerts: readonly string[]])[];
}

export const paces: readonly Pace[] = [
  { scrape: 30, evaluation: 15 },
  { scrape: 15, evaluation: 20 },
  { scrape: 60, evaluation: 45 },
  { scrape: 60, evaluation: 30 },
];

const by = ['alertname', 'severity', 'account', 'instance'] as const;

export function replicaCase({ name, world, firing }: ReplicaLife, pace: Pace): RuleCase {
  const { scrape, evaluation } = pace;
  return {
    name: `${name}; scraped every ${scrape} s, evaluated every ${evaluation} s`,
    pace: { step: 1, evaluation },
    files: ['alerts/uptime.yaml', 'alerts/with/groups.yaml', 'alerts/with/replicas.yaml'],
    input: scrapesOf(world, pace),
    expressions: firing.flatMap(([begin, end, ...alerts]) =>
      Array.from(
        { length: Math.ceil((end - begin) / evaluation) },
        (_, place) => (Math.ceil(begin / evaluation) + place) * evaluation,
      )
        .filter((second) => second < end)
        .map((second) => ({
          expr: `group by (${by.join(', ')}) (ALERTS{alertstate="firing"})`,
          at: `${second}s`,
          samples: alerts.map((alert) => ({ labels: labelsOf(alert), value: 1 })),
        })),
    ),
  };
}

function labelsOf(alert: string): string {
  const [alertname = '', severity = '', account = '', instance = ''] = alert.split(' ');
  const pairs = { account, alertname, instance, severity };
  const present = Object.entries(pairs).filter(([, value]) => value !== '' && value !== '-');
  return `{${present.map(([label, value]) => `${label}="${value}"`).join(',')}}`;
}
