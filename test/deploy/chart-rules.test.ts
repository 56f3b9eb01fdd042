import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { chartParameters } from '../../src/rules/chart/chart-parameters.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { runCommandLine } from '../support/command-line.ts';
import { promtools } from '../support/promtools.ts';
import { missing } from '../support/tools.ts';
import { chartFolder, objectsOf, template } from './chart.ts';

const run = promisify(execFile);

test('of the chart, parameters.yaml matches its source', async () => {
  await expect(chartParameters()).toMatchFileSnapshot(join(chartFolder, 'files/parameters.yaml'));
});

const folder = join(import.meta.dirname, 'rule-values');
const cases = readdirSync(folder).map((file) => file.replace('.yaml', ''));

const groupsSchema = z.array(
  z.object({
    name: z.string(),
    interval: z.string().optional(),
    rules: z.array(z.looseObject({ expr: z.string() })),
  }),
);

interface Rendered {
  readonly groups: z.infer<typeof groupsSchema>;
  /** The job of the exporter's series in the monitor; undefined without a monitor. */
  readonly job?: string | undefined;
}

/** Every values file is rendered once. */
const rendered = new Map<string, Promise<Rendered>>();
function render(name: string): Promise<Rendered> {
  const before = rendered.get(name);
  if (before !== undefined) return before;
  const result = template(join(folder, `${name}.yaml`)).then((manifest): Rendered => {
    const objects = objectsOf(manifest);
    const spec = (kind: RegExp) => objects.find((one) => kind.test(one.kind))?.spec;
    const { groups } = z.looseObject({ groups: groupsSchema }).parse(spec(/^PrometheusRule$/));
    return { groups, job: jobOf(spec(/Monitor$/)) };
  });
  rendered.set(name, result);
  return result;
}

function jobOf(spec: unknown): string | undefined {
  const endpoints = z.array(
    z.looseObject({ relabelings: z.array(z.record(z.string(), z.unknown())) }),
  );
  const { endpoints: services, podMetricsEndpoints: pods } = z
    .object({ endpoints: endpoints.optional(), podMetricsEndpoints: endpoints.optional() })
    .parse(spec ?? {});
  const [endpoint] = services ?? pods ?? [];
  const [first] = (endpoint?.relabelings ?? []).filter(({ targetLabel }) => targetLabel === 'job');
  return first && String(first.replacement);
}

/** The options of `uptime-exporter rules` that correspond to the values. */
function parametersIn(name: string): Record<string, unknown> {
  const values = parse(readFileSync(join(folder, `${name}.yaml`), 'utf8'));
  const { parameters = {} } = values.prometheusRule;
  const enabled = [values.serviceMonitor, values.podMonitor].find((one) => one?.enabled);
  const monitor = enabled ?? {};
  // The monitor's `instance` is no address, so links lead to the Service.
  const exporter =
    values.config?.web?.external_url ?? (enabled && 'http://uptime-uptime-exporter.sre:9158');
  const seconds =
    monitor.scrapeTimeout === undefined
      ? {}
      : { timeout_seconds: Number.parseInt(monitor.scrapeTimeout, 10) };
  // Exporters with a database take the accounts of each other.
  const replicas = values.database?.url === undefined ? [] : ['replicas'];
  const sets = [...new Set([...(parameters.with ?? []), ...replicas])];
  const scrape = { ...seconds, ...parameters.thresholds?.scrape };
  return {
    ...(exporter !== undefined && { links: { exporter } }),
    ...parameters,
    ...(sets.length > 0 && { with: sets }),
    ...(monitor.jobName !== undefined && { job: monitor.jobName }),
    ...(Object.keys(scrape).length > 0 && { thresholds: { ...parameters.thresholds, scrape } }),
  };
}

describe.skipIf(missing('helm'))('the rules of the chart', () => {
  test('are tried with ten sets of values', () => {
    expect(cases.length).toBeGreaterThanOrEqual(10);
  });

  test.each(cases)('with the values of %s are those that the command prints', async (name) => {
    const file = join(await temporaryFolder(), 'rules.yaml');
    await writeFile(file, stringify(parametersIn(name)));
    const { exitCode, output } = await runCommandLine(['rules', `--config=${file}`]);
    expect(exitCode, output).toBe(0);
    const { groups } = await render(name);
    expect(groups).toEqual(parse(output).groups);
  });

  test.each(cases)('with the values of %s watch the job of the monitor', async (name) => {
    const { groups, job } = await render(name);
    const texts = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)).join('\n');
    const jobs = new Set([...texts.matchAll(/job="([^"]*)"/g)].map(([, found]) => found));
    expect(jobs.size).toBe(1);
    if (job !== undefined) expect(jobs).toEqual(new Set([job]));
  });

  test.each(promtools())('are what promtool $version takes', async ({ path: promtool }) => {
    const files = await temporaryFolder();
    const paths = await Promise.all(
      cases.map(async (name) => {
        const path = join(files, `${name}.yaml`);
        await writeFile(path, stringify({ groups: (await render(name)).groups }));
        return path;
      }),
    );
    // Two rules of one alert with equal severities, which parameters can set, are a remark of the
    // linter.
    const { stdout } = await run(promtool, ['check', 'rules', '--lint=none', ...paths]);
    expect(stdout.match(/SUCCESS: \d+ rules found/g)).toHaveLength(cases.length);
  });

  const monitored = { serviceMonitor: { enabled: true, jobName: 'foo' } };
  const disagreements: [string, object, RegExp][] = [
    [
      'another job than the monitor',
      { ...monitored, prometheusRule: { enabled: true, parameters: { job: 'bar' } } },
      /jobName is "foo", and prometheusRule.parameters.job is "bar"/,
    ],
    [
      'a job that relabelling changes',
      {
        podMonitor: { enabled: true, relabelings: [{ targetLabel: 'job', replacement: 'x' }] },
        prometheusRule: { enabled: true },
      },
      /set the monitor's jobName instead/,
    ],
    [
      'another time limit of a scrape than the monitor',
      {
        serviceMonitor: { enabled: true, scrapeTimeout: '20s' },
        prometheusRule: {
          enabled: true,
          parameters: { thresholds: { scrape: { timeout_seconds: 15 } } },
        },
      },
      /scrapeTimeout is 20s, and .*timeout_seconds is 15/,
    ],
    [
      'a misspelt threshold',
      { prometheusRule: { parameters: { thresholds: { many_dwon: {} } } } },
      /'many_dwon' not allowed/,
    ],
    [
      'a share above 1',
      { prometheusRule: { parameters: { thresholds: { many_down: { share: 2 } } } } },
      /thresholds\/many_down\/share/,
    ],
    [
      'an alert that there is not',
      { prometheusRule: { parameters: { alerts: { UptimeCheckDwon: { enabled: false } } } } },
      /'UptimeCheckDwon' not allowed/,
    ],
    [
      'a wait of no time',
      {
        prometheusRule: {
          enabled: true,
          parameters: { alerts: { UptimeExporterDown: { for: '0s' } } },
        },
      },
      /alerts\.UptimeExporterDown\.for: found "0s"; allowed: a duration such as 30s, 10m or 1h30m/,
    ],
    [
      'a severity that there is not',
      { prometheusRule: { parameters: { alerts: { UptimeCheckDown: { severity: 'page' } } } } },
      /UptimeCheckDown\/severity/,
    ],
  ];

  test.each(disagreements)('are refused with %s', async (_what, values, reason) => {
    const accounts = [{ name: 'a', baseUrl: 'https://a.example', existingSecret: 's' }];
    const file = join(await temporaryFolder(), 'values.yaml');
    await writeFile(file, stringify({ accounts, ...values }));
    await expect(template(file)).rejects.toThrow(reason);
  });
});
