import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { defaultParameters } from '../../src/rules/parameters.ts';
import { wholeRuleFile } from '../../src/rules/rule-files.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { missing } from '../support/tools.ts';

/** All durations of the rules are divided by this number; rules are evaluated every second. */
const timeDivisor = 300;
/** Evaluations, longer than any alert goes on firing. */
const settled = 4;
const burning = 'alertname=~".+Burn"';

/** Six checks of high importance and one of low importance are down, and so is a transaction. */
function pageOfOutages(): string {
  const start = Math.floor(Date.now() / 1000) - 600;
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

/**
 * The rules, with one before the first alert of the outages that reads from `remote_read`, so that
 * the test decides how long an evaluation takes there.
 */
function rulesWithGate(): string {
  const text = wholeRuleFile({ ...defaultParameters, timeDivisor });
  const gate = '      - record: test:gate:value\n        expr: test_gate\n';
  return text.replace(/(?=^ {6}- alert: UptimeCheckDown$)/m, gate);
}

async function listen(respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Which alerts fire, and since when. */
async function firing(prometheus: Prometheus): Promise<readonly string[]> {
  const since = await prometheus.query(
    'ALERTS_FOR_STATE{account="shop"} and ignoring (alertstate) ALERTS{alertstate="firing"}',
  );
  return since
    .map(({ labels: { alertname, check_id: id, severity }, value }) =>
      [alertname, id, severity, value].join(' '),
    )
    .filter((one) => /^Uptime(?:CheckDown|TransactionFailing|ManyChecksDown|.*Burn) /.test(one))
    .sort();
}

function sendPage(response: ServerResponse): void {
  response.setHeader('content-type', 'text/plain; version=0.0.4');
  response.end(pageOfOutages());
}

const servers = ['prometheus', 'prometheus-3'] as const;

test.skipIf(servers.some(missing))(
  'no alert ends or begins when the exporter leaves or comes back in the middle of an evaluation',
  async () => {
    await Promise.all(servers.map(leaveAndComeBack));
  },
);

async function leaveAndComeBack(server: (typeof servers)[number]): Promise<void> {
  let scraped: (response: ServerResponse) => void = sendPage;
  const target = await listen((_, response) => scraped(response));
  let evaluations = 0;
  let atGate = async () => {};
  const gate = await listen(async (_, response) => {
    await atGate();
    evaluations++;
    response.writeHead(500).end();
  });
  const remoteRead = {
    url: `http://${gate}/read`,
    required_matchers: { __name__: 'test_gate' },
    read_recent: true,
  };
  const prometheus = await startPrometheus(target, {
    server,
    rules: [rulesWithGate()],
    scrapeInterval: '4s',
    remoteRead: [remoteRead],
  });
  const evaluated = async (count: number) => {
    const until = evaluations + count;
    await expect.poll(() => evaluations).toBeGreaterThanOrEqual(until);
  };
  /** A scrape that begins before an evaluation ends in the middle of it, and the next ones too. */
  const inMidst = async (end: (response: ServerResponse) => void, then: string) => {
    const held: ServerResponse[] = [];
    scraped = (response) => void held.push(response);
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await evaluated(1);
    await new Promise<void>((resolve) => {
      atGate = async () => {
        atGate = async () => {};
        scraped = end;
        for (const response of held) end(response);
        await prometheus.eventually(then);
        resolve();
      };
    });
    await evaluated(settled);
  };

  await prometheus.eventually(`count(ALERTS{alertstate="firing", ${burning}}) >= 3`);
  await evaluated(settled);
  const before = await firing(prometheus);
  expect(new Set(before.map((one) => one.split(' ')[0]))).toEqual(
    new Set([
      'UptimeCheckDown',
      'UptimeTransactionFailing',
      'UptimeManyChecksDown',
      'UptimeCheckErrorBudgetBurn',
      'UptimeTransactionErrorBudgetBurn',
      'UptimeGroupErrorBudgetBurn',
    ]),
  );
  await inMidst((response) => response.destroy(), 'up == 0');
  expect(await firing(prometheus), `${server}, while the exporter is away`).toEqual(before);
  await inMidst(sendPage, 'up == 1');
  expect(await firing(prometheus), `${server}, after it has come back`).toEqual(before);
}
