import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type RuleEvaluator, type SentAlert, sentAlerts } from '../support/chain-programs.ts';
import { extent } from '../support/extent.ts';
import { missing } from '../support/tools.ts';

const group = 'uptime-outages';
const origin = Date.UTC(2026, 0, 5, 12);
/** In minutes. By then, every alert of the page fires. */
const settled = 20;
const scrape = { job: 'uptime', instance: 'exporter:9158' };

/** Six checks of high importance and one of low importance are down, and so is a transaction. */
function pageOfOutages(): string {
  const start = origin / 1000 - 600;
  const checks = ['1', '2', '3', '4', '5', '6', '7'];
  const labelsOf = (id: string) =>
    `account="shop",check_id="${id}",name="check ${id}",importance="${id === '7' ? 'low' : 'high'}"`;
  const windows = ['5m', '30m', '1h', '2h', '6h', '1d', '3d', '30d'];
  const item = (kind: string, id: string) => [
    `uptime_${kind}_outage_open{${labelsOf(id)}} 1`,
    `uptime_${kind}_outage_start_timestamp_seconds{${labelsOf(id)}} ${start}`,
    ...windows.map((window) => `uptime_${kind}_burn_rate{${labelsOf(id)},window="${window}"} 100`),
  ];
  return [
    'uptime_up{account="shop"} 1',
    'uptime_checks{account="shop",status="down"} 7',
    'uptime_outages_open{account="shop",kind="check"} 7',
    'uptime_outages_open{account="shop",kind="transaction"} 1',
    'uptime_group_outages_open{account="shop",group="Checkout"} 1',
    ...windows.map(
      (window) => `uptime_group_burn_rate{account="shop",group="Checkout",window="${window}"} 100`,
    ),
    ...checks.flatMap((id) => item('check', id)),
    ...item('transaction', '8'),
    '',
  ].join('\n');
}

interface Scrape {
  readonly page?: string;
  /** The number of the query of the evaluation before which the page is stored. */
  readonly query?: number;
}

/** The alerts that Prometheus sends when the scrapes, one in half a minute, have these results. */
async function alertsAfter(
  evaluator: RuleEvaluator,
  scrapes: readonly Scrape[],
): Promise<readonly SentAlert[]> {
  const folder = await mkdtemp(join(tmpdir(), 'one-moment-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const events = [
    { at: origin, prometheus: 'start' },
    ...scrapes.map(({ page, query }, at) => ({
      at: origin + 5_000 + 30_000 * at,
      scrape,
      page,
      ...(query !== undefined && { during: { group, query } }),
    })),
    { at: origin + 30_000 * scrapes.length },
  ];
  const pages = join(folder, 'pages.ndjson');
  await writeFile(pages, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return sentAlerts(evaluator, pages, folder, { file: 'prometheus.yaml', with: ['groups'] });
}

/** How many queries the evaluation after these scrapes makes, as the program says. */
async function queriesAfter(evaluator: RuleEvaluator, scrapes: readonly Scrape[]): Promise<number> {
  const beyond = { ...scrapes.at(-1), query: 1_000_000 };
  const said = await alertsAfter(evaluator, [...scrapes, beyond]).catch(String);
  const [, count] = /has (\d+) queries/.exec(String(said)) ?? [];
  return Number(count);
}

/** Which alerts fire, and since when. */
function firing(alerts: readonly SentAlert[]): readonly string[] {
  const lines = alerts.map(({ labels: { alertname, check_id: id, severity }, startsAt }) =>
    [alertname, id, severity, startsAt].join(' '),
  );
  return [...new Set(lines)].sort();
}

const evaluators = extent(['rule-evaluator-3'], ['rule-evaluator-3', 'rule-evaluator-2']);

test
  .skipIf(evaluators.some((name) => missing(name as RuleEvaluator)))
  .each(evaluators as RuleEvaluator[])(
  'no alert ends or begins when the exporter leaves or comes back between any two queries, by %s',
  async (evaluator) => {
    const page = pageOfOutages();
    const there = Array.from({ length: 2 * settled }, () => ({ page }));
    const [leaving, returning] = [
      await queriesAfter(evaluator, there),
      await queriesAfter(evaluator, [...there, {}, {}]),
    ];
    expect(returning).toBeGreaterThan(10);
    expect(leaving).toBeGreaterThanOrEqual(returning);
    const moments = Array.from({ length: leaving }, (_, query) => query).filter(
      (query) => query % extent(4, 1) === 0,
    );
    const scrapes = moments.flatMap((query): Scrape[] => [
      { query },
      ...[{}, {}, {}],
      { page, query: query % returning },
      ...[{ page }, { page }, { page }],
    ]);

    const alerts = await alertsAfter(evaluator, [...there, ...scrapes]);

    const ofOutages = alerts.filter(({ labels: { alertname = '' } }) =>
      /^Uptime(?:CheckDown|TransactionFailing|ManyChecksDown|.*Burn)$/.test(alertname),
    );
    const before = ofOutages.filter(({ at }) => at < origin + 30_000 * there.length);
    expect(new Set(before.map(({ labels }) => labels.alertname))).toEqual(
      new Set([
        'UptimeCheckDown',
        'UptimeTransactionFailing',
        'UptimeManyChecksDown',
        'UptimeCheckErrorBudgetBurn',
        'UptimeTransactionErrorBudgetBurn',
        'UptimeGroupErrorBudgetBurn',
      ]),
    );
    expect(ofOutages.filter(({ at, endsAt }) => endsAt <= at)).toEqual([]);
    expect(firing(ofOutages)).toEqual(firing(before));
  },
);
