import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { defaultParameters } from '../../src/rules/parameters.ts';
import { alertRules } from '../../src/rules/render-rules.ts';
import { ruleSetNames } from '../../src/rules/rule-sets.ts';
import { runCommandLine } from '../support/command-line.ts';
import { missing, toolPath } from '../support/tools.ts';

const root = join(import.meta.dirname, '..', '..');
const deploy = join(root, 'deploy');
const run = promisify(execFile);
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const yamlFiles = readdirSync(deploy, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.yaml') && !path.includes('/templates/'),
);

test.each(yamlFiles)('deploy/%s is YAML without errors and warnings', (path) => {
  for (const { errors, warnings } of parseAllDocuments(readFileSync(join(deploy, path), 'utf8'))) {
    expect([...errors, ...warnings]).toEqual([]);
  }
});

test.skipIf(missing('amtool'))('amtool accepts the example for the Alertmanager', async () => {
  const { stdout } = await run(toolPath('amtool'), [
    'check-config',
    join(root, 'deploy/alertmanager/alertmanager.yaml'),
  ]);
  expect(stdout).toContain('SUCCESS');
});

test.skipIf(missing('promtool')).each([
  ['prometheus.yaml', 2],
  ['replicas.yaml', 3],
])('promtool accepts deploy/prometheus/%s', async (name, files) => {
  const folder = await mkdtemp(join(tmpdir(), 'prometheus-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'prometheus.yaml');
  const here = read(`deploy/prometheus/${name}`).replaceAll(
    '/etc/prometheus/alerts',
    join(root, 'alerts'),
  );
  await writeFile(file, here);
  const { stdout } = await run(toolPath('promtool'), ['check', 'config', file]);
  expect(stdout.match(/SUCCESS: \d+ rules found/g)).toHaveLength(files);
});

test('replicas wait for a database that answers over the network', () => {
  const { services } = parse(read('deploy/compose.replicas.yaml'));
  // While the image creates the database, its server answers on the UNIX socket only.
  expect(services.postgres.healthcheck.test).toContain('--host=127.0.0.1');
});

test('everything scrapes the exporter as the job that the alerts know', () => {
  for (const name of ['prometheus.yaml', 'replicas.yaml']) {
    const { scrape_configs: configs } = parse(read(`deploy/prometheus/${name}`));
    expect(configs[0].job_name).toBe(defaultParameters.job);
  }
  for (const name of ['service-monitor.yaml', 'service-monitor-replicas.yaml']) {
    const [{ relabelings }] = parse(read(`deploy/kubernetes/${name}`)).spec.endpoints;
    expect(relabelings).toContainEqual({ targetLabel: 'job', replacement: defaultParameters.job });
  }
});

test('all families except those of the exporter itself get one instance from all replicas', () => {
  const [job] = parse(read('deploy/prometheus/replicas.yaml')).scrape_configs;
  const [rule] = job.metric_relabel_configs;
  expect(rule).toMatchObject({ source_labels: ['__name__'], target_label: 'instance' });
  const [endpoint] = parse(read('deploy/kubernetes/service-monitor-replicas.yaml')).spec.endpoints;
  expect(endpoint.metricRelabelings).toEqual([
    {
      sourceLabels: ['__name__'],
      regex: rule.regex,
      targetLabel: 'instance',
      replacement: 'uptime-exporter',
    },
  ]);
  const matches = new RegExp(`^(?:${rule.regex})$`);
  const names = [...read('docs/metrics.md').matchAll(/\buptime_[a-z_]+/g)].map(([name]) => name);
  expect(names.length).toBeGreaterThan(100);
  for (const name of names) {
    expect(matches.test(name), name).toBe(!name.startsWith('uptime_exporter_'));
  }
});

test('links in alerts lead to an address that the compose files publish', () => {
  const [one] = parse(read('deploy/prometheus/prometheus.yaml')).scrape_configs;
  const [replicas] = parse(read('deploy/prometheus/replicas.yaml')).scrape_configs;
  const addresses = [
    ['compose.yaml', one.static_configs[0].labels.instance],
    ['compose.replicas.yaml', replicas.metric_relabel_configs[0].replacement],
  ];
  for (const [file, address] of addresses) {
    const [host, port] = address.split(':');
    expect(host).toBe('localhost');
    expect(read(`deploy/${file}`)).toContain(`"127.0.0.1:${port}:9158"`);
  }
});

const compose = z.object({
  services: z.record(
    z.string(),
    z.object({ volumes: z.array(z.string()).default([]), build: z.string().optional() }),
  ),
  volumes: z.record(z.string(), z.null()),
});
/** A variable may have any path as its value. */
const withoutVariables = (text: string) => text.replace(/\$\{[^}]*\}/g, '/variable');

test.each(['compose.yaml', 'compose.account.yaml', 'compose.replicas.yaml'])(
  'all that deploy/%s mounts is there',
  (name) => {
    const { services, volumes } = compose.parse(
      parse(withoutVariables(read(`deploy/${name}`)), { merge: true }),
    );
    for (const { volumes: mounted, build } of Object.values(services)) {
      if (build !== undefined) expect(existsSync(join(deploy, build, 'Dockerfile'))).toBe(true);
      for (const mount of mounted) {
        const [source = ''] = mount.split(':');
        if (source.startsWith('/')) continue;
        if (source.startsWith('.')) expect(existsSync(join(deploy, source)), mount).toBe(true);
        else expect(Object.keys(volumes)).toContain(source);
      }
    }
  },
);

test('deploy/compose.account.yaml asks for the label of every series, which is stored with the counters', () => {
  const required = [...read('deploy/compose.account.yaml').matchAll(/\$\{(\w+):\?/g)];
  expect(required.map(([, name]) => name)).toEqual([
    'UPTIME_ACCOUNT',
    'UPTIME_API_BASE_URL',
    'UPTIME_API_TOKEN_FILE',
  ]);
});

test('the replicas of deploy/compose.replicas.yaml start with flags that `serve` has, and all are scraped', async () => {
  const { services } = parse(withoutVariables(read('deploy/compose.replicas.yaml')), {
    merge: true,
  });
  const replicas = Object.keys(services).filter((name) => name.startsWith('replica-'));
  for (const name of replicas) {
    const { exitCode, output } = await runCommandLine([
      ...services[name].command,
      '--config.check',
    ]);
    expect(exitCode).toBe(1);
    expect(output).toMatch(/cannot read/);
    expect(output).not.toMatch(/unknown option/);
  }
  const [job] = parse(read('deploy/prometheus/replicas.yaml')).scrape_configs;
  expect(job.static_configs).toEqual([{ targets: replicas.map((name) => `${name}:9158`) }]);
});

describe.skipIf(missing('amtool'))('the example routes', () => {
  test.each([
    [{ severity: 'critical', account: 'other' }, 'pager'],
    [{ severity: 'warning', account: 'other' }, 'chat'],
    [{ severity: 'info', account: 'shop' }, 'tickets'],
    [{ severity: 'critical', account: 'shop' }, 'shop-pager'],
    [{ severity: 'warning', account: 'shop' }, 'shop-chat'],
    [{ alertname: 'Watchdog', severity: 'none' }, 'watchdog'],
    [{ alertname: 'UptimeCheckErrorBudgetBurn', severity: 'warning', account: 'shop' }, 'tickets'],
    [{ alertname: 'UptimeGroupErrorBudgetBurn', severity: 'warning', account: 'other' }, 'tickets'],
    [{ alertname: 'UptimeCheckDown', severity: 'critical', account: 'other' }, 'pager'],
    [{ alertname: 'UptimeCheckDown', severity: 'warning', account: 'other' }, 'chat'],
    [{ alertname: 'UptimeManyChecksDown', severity: 'critical', account: 'shop' }, 'shop-pager'],
    [{ alertname: 'UptimeTransactionFailing', severity: 'warning', account: 'shop' }, 'shop-chat'],
  ])('%o to %s', async (labels, receiver) => {
    const file = join(root, 'deploy/alertmanager/alertmanager.yaml');
    const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
    const { stdout } = await run(toolPath('amtool'), [
      'config',
      'routes',
      'test',
      `--config.file=${file}`,
      ...pairs,
    ]);
    expect(stdout.trim()).toBe(receiver);
  });
});

test('the example inhibits nothing, and routes alerts that there are', () => {
  const { inhibit_rules: rules, route } = parse(read('deploy/alertmanager/alertmanager.yaml'));
  expect(rules).toBeUndefined();
  const names = new Set(
    alertRules({ ...defaultParameters, with: ruleSetNames }).map(({ alert }) => alert),
  );
  const routed = JSON.stringify(route)
    .replace('Uptime(Check|Transaction|Group)ErrorBudgetBurn', 'UptimeGroupErrorBudgetBurn')
    .match(/Uptime[A-Za-z]+/g);
  expect(routed).not.toBeNull();
  expect(routed?.filter((name) => !names.has(name))).toEqual([]);
});

test('Prometheus repeats alerts seldom, so that Alertmanager waits for it longer', () => {
  expect(read('deploy/compose.yaml')).toContain('--rules.alert.resend-delay=5m');
});

test('Alertmanager remembers what it has sent for longer than until it repeats it', () => {
  const hours: Readonly<Record<string, number>> = { m: 1 / 60, h: 1, d: 24 };
  const repeats = [
    ...read('deploy/alertmanager/alertmanager.yaml').matchAll(/repeat_interval: (\d+)(\w)/g),
  ];
  // The default of --data.retention, which deploy/compose.yaml does not change.
  const retention = 120;
  expect(read('deploy/compose.yaml')).not.toContain('data.retention');
  expect(repeats.length).toBeGreaterThan(2);
  for (const [, count, unit = ''] of repeats) {
    expect(Number(count) * (hours[unit] ?? Number.NaN)).toBeLessThan(retention);
  }
});
