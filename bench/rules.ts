import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { defaultParameters } from '../src/rules/parameters.ts';
import { wholeRuleFile } from '../src/rules/rule-files.ts';

const scrapeSeconds = 30;
const evaluationSeconds = 10;
const measuredSeconds = 60;
/** Shares of all checks. */
interface Shares {
  /** Down within 30 days. */
  readonly failed: number;
  readonly failedToday: number;
  /** Down now. */
  readonly down: number;
}

const usually: Shares = { failed: 0.1, failedToday: 0.02, down: 0.002 };
const everything: Shares = { failed: 1, failedToday: 1, down: 1 };
/** How long what is down has been down; `OUTAGE=3600 npm run bench:rules` for another time. */
const outageSeconds = Number(process.env.OUTAGE ?? 600);
const objective = 0.999;
const windows: Readonly<Record<string, number>> = {
  '5m': 300,
  '30m': 1800,
  '1h': 3600,
  '2h': 7200,
  '6h': 21_600,
  '1d': 86_400,
  '3d': 259_200,
  '7d': 604_800,
  '30d': 2_592_000,
};
/** CPU seconds of an evaluation: usually, and while everything is down. */
const targets: Readonly<Record<number, readonly [usually: number, everything: number]>> = {
  2000: [0.2, 0.3],
  25000: [2, 3],
};

/** `npm run bench:rules -- 2000` measures one size. */
const sizes = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(targets);

/** `PROMETHEUS=tools/bin/prometheus npm run bench:rules` measures another version. */
const prometheus = process.env.PROMETHEUS ?? 'prometheus';

/** The cost of Prometheus itself for an alert with as many texts for each check that is down. */
const least = JSON.stringify({
  groups: [
    {
      name: 'least',
      rules: [
        {
          alert: 'UptimeCheckDown',
          expr: 'uptime_check_outage_open == 1',
          annotations: { summary: 'a', description: 'b', runbook_url: 'c' },
        },
      ],
    },
  ],
});
// Every group at each evaluation, including groups with a longer interval.
const rules = wholeRuleFile(defaultParameters).replaceAll(/^ +interval: .*\n/gm, '');

/** The CPU time of each evaluation of all rules in a real Prometheus, for accounts of two sizes. */
for (const checks of sizes) {
  for (const [place, shares] of [usually, everything].entries()) {
    const target = targets[Number(checks)]?.[place];
    const page = pageOf(Number(checks), shares);
    // Both run at the same time, because the CPU time of a computation depends on the load of the
    // machine.
    const [idle, floor, busy] = await Promise.all(
      [undefined, least, rules].map((some) => usageWith(page, some)),
    );
    const each = (one?: Usage) => {
      const { perSecond = 0, evaluations = 0 } = one ?? {};
      const more = (perSecond - (idle?.perSecond ?? 0)) * measuredSeconds;
      return (more / evaluations).toFixed(3);
    };
    process.stdout.write(
      `${checks} checks, ${Math.round(Number(checks) * shares.down)} down: ${each(busy)} CPU s an evaluation of all groups (target ${target}), of which Prometheus takes ${each(floor)} for an alert with three texts of one letter\n`,
    );
  }
}

interface Usage {
  /** The CPU seconds in each second. */
  readonly perSecond: number;
  readonly evaluations: number;
}

/** The CPU time of Prometheus while it scrapes the page and evaluates these rules. */
async function usageWith(page: string, rules?: string): Promise<Usage> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-rules-'));
  const server = createServer((_incoming, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4').end(page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await writeFile(join(folder, 'rules.yaml'), rules ?? '');
  await writeFile(
    join(folder, 'prometheus.yaml'),
    JSON.stringify({
      global: {
        scrape_interval: `${scrapeSeconds}s`,
        scrape_timeout: `${scrapeSeconds}s`,
        evaluation_interval: `${evaluationSeconds}s`,
      },
      rule_files: [join(folder, 'rules.yaml')],
      scrape_configs: [
        {
          job_name: 'uptime',
          static_configs: [{ targets: [`127.0.0.1:${(server.address() as AddressInfo).port}`] }],
        },
      ],
    }),
  );
  const child = spawn(
    prometheus,
    [
      `--config.file=${join(folder, 'prometheus.yaml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  try {
    await wait((2 * scrapeSeconds + 10) * 1000);
    const before = await usage(port);
    await wait(measuredSeconds * 1000);
    const after = await usage(port);
    if (rules !== undefined && rules !== least) process.stdout.write(await costliestRules(port));
    return {
      perSecond: (after.seconds - before.seconds) / measuredSeconds,
      evaluations: after.evaluations - before.evaluations,
    };
  } finally {
    child.kill('SIGKILL');
    await once(child, 'close');
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface RulesResponse {
  readonly data: {
    readonly groups: readonly {
      readonly rules: readonly { readonly name: string; readonly evaluationTime: number }[];
    }[];
  };
}

/** Ordered by the time of their last evaluation, which depends on the load of the machine. */
async function costliestRules(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/rules`);
  const { data } = (await response.json()) as RulesResponse;
  const rules = data.groups.flatMap((group) => group.rules);
  const total = rules.reduce((sum, { evaluationTime }) => sum + evaluationTime, 0);
  return rules
    .toSorted((a, b) => b.evaluationTime - a.evaluationTime)
    .slice(0, 8)
    .map(({ name, evaluationTime }) => {
      const share = Math.round((100 * evaluationTime) / total);
      return `  ${(1000 * evaluationTime).toFixed(1)} ms (${share} %) ${name}\n`;
    })
    .join('');
}

/**
 * CPU seconds, and evaluations of the group that costs most. If an evaluation takes longer than the
 * interval, Prometheus misses the next one.
 */
async function usage(port: number) {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const text = await response.text();
  const first = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
  const ofGroup = (counter: string) =>
    first(
      new RegExp(
        `^prometheus_rule_group_${counter}_total\\{.*;(?:uptime-outages|least)"\\} (\\S+)$`,
        'm',
      ),
    );
  return {
    seconds: first(/^process_cpu_seconds_total (\S+)$/m),
    evaluations: ofGroup('iterations') - ofGroup('iterations_missed'),
  };
}

/** Every family that the rules read, with as many series as an account of that size has. */
function pageOf(checks: number, { failed, failedToday, down }: Shares): string {
  const lines: string[] = [];
  const now = Math.floor(Date.now() / 1000);
  const put = (family: string, labels: string, value: number) =>
    lines.push(`${family}{account="shop"${labels}} ${value}`);
  put('uptime_up', '', 1);
  put(
    'uptime_account_info',
    ',api_version="3.1",base_url="https://api.example.com",store="a1",first_check="0"',
    1,
  );
  put('uptime_checks', ',check_type="http",status="up"', checks * (1 - down));
  put('uptime_checks', ',check_type="http",status="down"', checks * down);
  const openNow = Math.round(checks * down);
  put('uptime_outages_open', ',kind="check"', openNow);
  put('uptime_outages_open', ',kind="transaction"', 0);
  put('uptime_exporter_account_failure', ',reason="none"', 0);
  put('uptime_exporter_counted_until_timestamp_seconds', '', now);
  put('uptime_exporter_budget_paused', '', 0);
  for (const window of ['short', 'long']) {
    put('uptime_exporter_rate_limit_remaining', `,window="${window}"`, 300);
    put('uptime_exporter_rate_limit_reset_timestamp_seconds', `,window="${window}"`, now + 900);
  }
  const every = <T>(list: readonly T[], use: (one: T) => void) => list.forEach(use);
  const ofChecks = (family: string, share: number, use: (id: number, labels: string) => void) => {
    lines.push(`# TYPE ${family} gauge`);
    const step = Math.round(1 / share);
    for (let id = 0; id < checks; id += step) use(id, `,check_id="${id}",name="Check ${id}"`);
  };
  const one = (family: string, value: (id: number) => number, share = 1) =>
    ofChecks(family, share, (id, labels) => put(family, labels, value(id)));
  ofChecks('uptime_check_info', 1, (id, labels) =>
    put(
      'uptime_check_info',
      `${labels},check_type="http",hostname="www${id}.example.com",severity="${id % 10 === 0 ? 'low' : 'high'}",ipv6="false"`,
      1,
    ),
  );
  ofChecks('uptime_check_status', 1, (_id, labels) =>
    every(['up', 'down', 'unconfirmed_down', 'unknown', 'paused'], (status) =>
      put('uptime_check_status', `${labels},status="${status}"`, status === 'up' ? 1 : 0),
    ),
  );
  one('uptime_check_paused', () => 0);
  one('uptime_check_resolution_seconds', () => 60);
  one('uptime_check_in_maintenance', () => 0);
  one('uptime_check_last_response_time_seconds', (id) => 0.1 + (id % 100) / 50);
  one('uptime_check_response_time_threshold_seconds', () => 30);
  one('uptime_check_last_test_timestamp_seconds', () => now);
  one('uptime_check_created_timestamp_seconds', () => now - 1e7);
  one('uptime_check_outages_total', (id) => id % 3);
  one('uptime_check_error_budget_remaining_ratio', () => 0.9);
  one('uptime_check_objective_ratio', () => objective);
  ofChecks('uptime_check_average_response_time_seconds', 1, (_id, labels) =>
    every(['24h', '7d', '30d'], (window) =>
      put('uptime_check_average_response_time_seconds', `${labels},window="${window}"`, 1.2),
    ),
  );
  ofChecks('uptime_check_notification_recipients', 1, (_id, labels) =>
    every(['user', 'team', 'integration'], (recipient) =>
      put('uptime_check_notification_recipients', `${labels},recipient="${recipient}"`, 1),
    ),
  );
  const openEvery = Math.round(1 / down);
  ofChecks('uptime_check_outage_open', failedToday, (id, labels) =>
    put(
      'uptime_check_outage_open',
      `${labels},hostname="www${id}.example.com",importance="${id % 10 === 0 ? 'low' : 'high'}"`,
      id % openEvery === 0 ? 1 : 0,
    ),
  );
  one('uptime_check_outage_start_timestamp_seconds', () => now - outageSeconds, down);
  const isOfToday = (id: number) => id % Math.round(1 / failedToday) === 0;
  const recent = (window: string) => !['3d', '7d', '30d'].includes(window);
  const errorRatio = (id: number, window: string, seconds: number) => {
    if (id % openEvery === 0) return Math.min(1, outageSeconds / seconds);
    return recent(window) && !isOfToday(id) ? 0 : 0.0005;
  };
  for (const [family, factor] of [
    ['uptime_check_error_ratio', 1],
    ['uptime_check_burn_rate', 1 / (1 - objective)],
  ] as const) {
    ofChecks(family, failed, (id, labels) =>
      every(Object.entries(windows), ([window, seconds]) =>
        put(family, `${labels},window="${window}"`, factor * errorRatio(id, window, seconds)),
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}
