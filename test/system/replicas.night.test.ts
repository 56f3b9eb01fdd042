import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { defaultParameters } from '../../src/rules/parameters.ts';
import { ruleFile } from '../../src/rules/rule-files.ts';
import { PostgresCluster } from '../replicas/support/postgres-cluster.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import type { Child } from '../support/child.ts';
import { startExporter } from '../support/exporter-command.ts';
import { freePort } from '../support/free-port.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { missing } from '../support/tools.ts';

const accounts = ['blog', 'forum', 'shop'];
const example = join(import.meta.dirname, '..', '..', 'deploy', 'prometheus', 'replicas.yaml');
/** A process that stands still for a sixth of it loses its accounts. */
const ttlSeconds = 18;

interface Replica {
  readonly target: string;
  child: Child;
  start(): void;
}

/** Three replicas that share three accounts, each with a simulated service. */
async function startReplicas(databaseUrl: string): Promise<readonly Replica[]> {
  const entries = await Promise.all(
    accounts.map(async (name, at) => {
      const token = `token-of-${name}-0123456789`;
      const flags = ['--port=0', `--token=${token}`, `--seed=${at + 1}`, '--checks=12'];
      const sandbox = startExporter(['sandbox', ...flags, '--short-limit=4000']);
      const [, url] = await sandbox.until(/(http:\/\/127\.0\.0\.1:\d+)/);
      return { name, base_url: url, token };
    }),
  );
  const config = join(await temporaryFolder(), 'uptime.yaml');
  await writeFile(config, JSON.stringify({ accounts: entries }));
  const ports = await Promise.all(accounts.map(() => freePort()));
  return ports.map((port) => {
    const target = `127.0.0.1:${port}`;
    const run = () =>
      startExporter([
        'serve',
        `--config.file=${config}`,
        `--storage.url=${databaseUrl}`,
        `--storage.lease-ttl=${ttlSeconds}s`,
        `--web.listen-address=${target}`,
      ]);
    const replica: Replica = {
      target,
      child: run(),
      start() {
        replica.child = run();
      },
    };
    return replica;
  });
}

/** Scrapes all replicas as the delivered example does, and evaluates the delivered rules. */
async function scraped(
  replicas: readonly Replica[],
  server: 'prometheus' | 'prometheus-3',
): Promise<Prometheus> {
  const [job] = parse(readFileSync(example, 'utf8')).scrape_configs;
  const targets = replicas.map(({ target }) => target);
  return startPrometheus(targets[0] ?? '', {
    server,
    rules: [ruleFile(defaultParameters)],
    scrape: {
      static_configs: [{ targets }],
      metric_relabel_configs: job.metric_relabel_configs,
    },
  });
}

describe.skipIf(missing('initdb') || missing('prometheus'))('replicas scraped by', () => {
  let cluster: PostgresCluster;
  beforeAll(async () => {
    cluster = await PostgresCluster.start();
    return () => cluster.stop();
  });

  test.for(['prometheus', 'prometheus-3'] as const)(
    '%s have one series for each check before and after takeovers, and no alert fires or resolves',
    async (server, context) => {
      context.skip(missing(server));
      const replicas = await startReplicas(await cluster.createDatabase());
      const prometheus = await scraped(replicas, server);
      const own = 'uptime_exporter_lease_held == 1';
      await prometheus.eventually(`count(count by (instance) (${own})) == 3`);
      await prometheus.eventually('count(uptime_up == 1) == 3');
      await prometheus.eventually('count(count by (account) (uptime_check_error_ratio)) == 3');
      await prometheus.eventually('ALERTS{alertname="UptimeCheckDown",alertstate="firing"}');
      const start = Date.now() / 1000;

      const instances = async (selector: string) =>
        (await prometheus.eventually(`count by (instance) (${selector})`)).map(
          ({ labels }) => labels.instance ?? '',
        );
      expect(await instances('{__name__=~"uptime_.+",__name__!~"uptime_exporter_.+"}')).toEqual([
        'uptime',
      ]);
      // The series of a replica are absent for a moment after a scrape that was too slow.
      const ofReplicas = async () => (await instances('{__name__=~"uptime_exporter_.+"}')).sort();
      await expect.poll(ofReplicas).toEqual(replicas.map(({ target }) => target).sort());

      // The account with an open outage moves.
      const [open] = await prometheus.eventually(
        'topk(1, sum by (account) (uptime_outages_open{kind="check"}))',
      );
      const account = open?.labels.account ?? '';
      const alerts = `ALERTS_FOR_STATE{alertname="UptimeCheckDown",account="${account}"}`;
      const since = await prometheus.eventually(alerts);
      const counters = `uptime_check_state_seconds_total{account="${account}"}`;
      const before = await prometheus.eventually(`count(${counters})`);
      const statuses = await prometheus.eventually(
        `count(uptime_check_status{account="${account}"})`,
      );
      const [held] = await prometheus.eventually(
        `uptime_exporter_lease_held{account="${account}"} == 1`,
      );
      const first = held?.labels.instance;
      const victim = replicas.find(({ target }) => target === first);
      if (victim === undefined) throw new Error(`no replica is called ${first}`);

      victim.child.process.kill('SIGKILL');
      await prometheus.eventually(
        `uptime_exporter_lease_held{account="${account}",instance!="${first}"} == 1`,
        180,
      );
      await prometheus.eventually(`uptime_up{account="${account}"} == 1`);
      // It gets an account again, which may be the same.
      victim.start();
      await prometheus.eventually(`count(count by (instance) (${own})) == 3`);
      await prometheus.eventually('count(uptime_up == 1) == 3');

      const range = `[${Math.ceil(Date.now() / 1000 - start + 20)}s]`;
      // A series of another instance would be counted, too.
      expect(await prometheus.query(`count(count_over_time(${counters}${range}))`)).toEqual(before);
      expect(
        await prometheus.query(
          `count(count_over_time(uptime_check_status{account="${account}"}${range}))`,
        ),
      ).toEqual(statuses);
      for (const family of ['uptime_check_state_seconds_total', 'uptime_check_outages_total']) {
        expect(await prometheus.query(`resets(${family}${range}) > 0`)).toEqual([]);
      }
      // An alert that resolved, and fired again, would be active since another time.
      const now = new Map(
        (await prometheus.query(alerts)).map(({ labels, value }) => [labels.check_id, value]),
      );
      for (const { labels, value } of since) expect(now.get(labels.check_id)).toBe(value);
      // A busy machine loses leases of such a short ttl, so that accounts move more often than
      // here.
      const others = 'alertname!="UptimeExporterOwnershipFlapping"';
      const firing = `ALERTS{alertname=~"UptimeExporter.+",${others},alertstate="firing"}`;
      expect(await prometheus.query(`count_over_time(${firing}${range})`)).toEqual([]);
    },
  );
});
