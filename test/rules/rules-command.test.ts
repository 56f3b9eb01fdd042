import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { RulesFlags } from '../../src/cli/flags.ts';
import { printRules } from '../../src/cli/rules.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { ruleSetNames } from '../../src/rules/rule-sets.ts';
import { describeWith, promtools } from '../support/promtools.ts';

const rule = z.object({
  alert: z.string().optional(),
  record: z.string().optional(),
  expr: z.string(),
  for: z.string().optional(),
  keep_firing_for: z.string().optional(),
  labels: z.record(z.string(), z.string()).default({}),
  annotations: z.record(z.string(), z.string()).default({}),
});
const groups = z.array(
  z.object({ name: z.string(), interval: z.string().optional(), rules: z.array(rule) }),
);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'rules-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The output of the command for a file with this text. */
function printed(text?: string, flags: Partial<RulesFlags> = {}): string {
  const config = join(folder(), 'rules.yaml');
  if (text !== undefined) writeFileSync(config, text);
  const parts: string[] = [];
  const stdout = { write: (part: string) => parts.push(part) };
  printRules({ stdout } as unknown as Terminal, {
    format: 'plain',
    timeDivisor: 1,
    with: [],
    ...(text !== undefined && { config }),
    ...flags,
  });
  return parts.join('');
}

function rulesOf(output: string) {
  return groups.parse(parse(output).groups).flatMap((group) => group.rules);
}

function alerts(output: string, name: string) {
  return rulesOf(output).filter(({ alert }) => alert === name);
}

const delivered = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../alerts', name), 'utf8');

test('without a file it prints what is delivered', () => {
  expect(printed()).toBe(delivered('uptime.yaml'));
});

test('sets of further rules are added, each once, by the flag and by the file', () => {
  const named = (output: string) => rulesOf(output).map(({ alert, record }) => alert ?? record);
  const added = ['uptime.yaml', 'with/housekeeping.yaml', 'with/replicas.yaml']
    .map(delivered)
    .flatMap(named);
  const output = printed('with: [replicas, housekeeping]', { with: ['housekeeping'] });
  expect(named(output)).toEqual(added);
  expect(new Set(added).size).toBeGreaterThan(20);
});

test('job, thresholds, severities and waits come from the file', () => {
  const output = printed(`
job: websites
low_severity: info
thresholds:
  many_down: { checks: 12 }
alerts:
  UptimeExporterDown: { severity: warning, for: 10m }
  UptimeCheckWasDown: { enabled: false }
`);

  expect(alerts(output, 'UptimeExporterDown')).toMatchObject([
    {
      expr: expect.stringContaining('up{job="websites"} == 0'),
      for: '10m',
      labels: { severity: 'warning' },
    },
  ]);
  expect(alerts(output, 'UptimeCheckWasDown')).toEqual([]);
  expect(output).toMatch(/\(uptime:check_down:start_timestamp_seconds\) >= 12\n/);
  expect(alerts(output, 'UptimeCheckDown')).toMatchObject([
    { expr: expect.stringContaining('importance!="low"'), labels: { severity: 'critical' } },
    { expr: expect.stringContaining('importance="low"'), labels: { severity: 'info' } },
  ]);
  expect(output).not.toContain('job="uptime"');
});

describe('links', () => {
  test('each is there when its base is', () => {
    const output = printed(`
links:
  runbook: https://wiki.example.com/uptime
  grafana: https://grafana.example.com/
  exporter: https://uptime.example.com
`);

    expect(alerts(output, 'UptimeCheckDown')[0]?.annotations).toMatchObject({
      runbook_url: 'https://wiki.example.com/uptime#uptimecheckdown',
      dashboard_url:
        'https://grafana.example.com/d/uptime-check?var-account={{ urlquery $labels.account }}&var-check={{ urlquery $labels.check_id }}',
      page_url:
        'https://uptime.example.com/accounts/{{ urlquery $labels.account | reReplaceAll "[+]" "%20" }}/checks/{{ urlquery $labels.check_id | reReplaceAll "[+]" "%20" }}',
    });
  });

  test('none is there without a base', () => {
    for (const { alert, annotations } of rulesOf(printed('links: {}'))) {
      if (alert === undefined) continue;
      expect(Object.keys(annotations)).toEqual(['summary', 'description']);
    }
  });
});

test('every duration is divided for a test', () => {
  const whole = rulesOf(printed(undefined, { with: ruleSetNames }));
  const divided = rulesOf(printed(undefined, { with: ruleSetNames, timeDivisor: 60 }));

  const durations = (text: string) =>
    [...text.matchAll(/\[([\dhmsd]+)(?::([\dhmsd]+))?\]|offset ([\dhmsd]+)/g)].flatMap((match) =>
      match.slice(1).filter((one) => one !== undefined),
    );
  const seconds = (text: string) =>
    [...text.matchAll(/(\d+)(ms|[dhms])/g)].reduce(
      (sum, [, count, unit = '']) =>
        sum + Number(count) * ({ d: 86_400, h: 3600, m: 60, s: 1, ms: 0.001 }[unit] ?? Number.NaN),
      0,
    );
  const all = (list: typeof whole) =>
    list.flatMap((one) => [
      ...(one.for === undefined ? [] : [one.for]),
      ...(one.keep_firing_for === undefined ? [] : [one.keep_firing_for]),
      ...durations(one.expr),
    ]);
  expect(all(divided).map((one) => seconds(one) * 60)).toEqual(all(whole).map(seconds));
  expect(all(whole).length).toBeGreaterThan(50);
});

test('a share may be all', () => {
  expect(printed('thresholds: { many_down: { share: 1 } }')).toContain('>= 1 * (sum by');
});

test.each([
  ['budget_left: { share: 0.29 }', 'less than 29 % of its 30-day error budget'],
  ['slow: { share_of_limit: 0.55 }', 'or 55 % of'],
])('a share is a percentage without the error of its multiplication: %s', (threshold, text) => {
  const output = printed(`thresholds: { ${threshold} }`, { with: ruleSetNames });
  expect(output).toContain(text);
});

test('the name of a job is not changed', () => {
  const job = 'shops [60m] offset 120s';
  expect(printed(`job: "${job}"`)).toContain(`up{job="${job}"} == 0`);
});

test('labels that distinguish exporters are in every join and aggregation that names the instance', () => {
  const output = printed('identity: [cluster]', { with: ruleSetNames });
  const lists = [...output.matchAll(/\((job, (?:instance|account)[^)]*)\)/g)].map(
    ([, list]) => list,
  );
  expect(lists.length).toBeGreaterThan(30);
  expect(lists.filter((list) => !list?.includes('cluster'))).toEqual([]);
  expect(output).toContain('cluster=%q');
});

test('an object of the Prometheus operator has the same groups', () => {
  const { spec, ...object } = parse(printed(undefined, { format: 'prometheusrule' }));
  expect(object).toMatchObject({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'uptime-exporter' },
  });
  expect(spec.groups).toEqual(parse(printed()).groups);
});

describeWith(promtools())('promtool $version', ({ path: promtool }) => {
  test.each([
    ['a job whose name has quotes, braces and backslashes', String.raw`job: 'a"b {{ \ }}'`],
    ['a job whose name has brackets', 'job: "shops [1] offset 5x"'],
    ['links with templates', 'links: { exporter: "http://{{ $labels.instance }}" }'],
    ['low importance that is critical', 'low_severity: critical'],
  ])('accepts all rules with %s', (_what, text) => {
    const file = join(folder(), 'all.yaml');
    writeFileSync(file, printed(text, { with: ruleSetNames }));
    // Two rules of one alert with equal severities are a remark of the linter.
    const answer = execFileSync(promtool, ['check', 'rules', '--lint=none', file]);
    expect(answer.toString()).toMatch(/SUCCESS: \d+ rules found/);
  });
});

test.each([
  ['jobs: uptime', /rules.yaml:1:1: .*"jobs".*job/],
  [
    'thresholds: { many_down: { share: 2 } }',
    /thresholds.many_down.share: found 2; allowed: a number above 0, at most 1/,
  ],
  [
    'thresholds: { slow: { seconds: .inf } }',
    /thresholds.slow.seconds: found a number; allowed: a number above 0/,
  ],
  ['thresholds: { many_down: { share: 0 } }', /thresholds.many_down.share: found 0; allowed/],
  [
    'thresholds: { flapping: { outages: 4 } }',
    /rules.yaml:1:15: thresholds: unknown key "flapping"; allowed: many_down/,
  ],
  ['alerts: { UptimeCheckDwon: { for: 1m } }', /UptimeCheckDwon.*UptimeCheckDown/],
  [
    'alerts: { UptimeCheckDown: { for: 0s } }',
    /UptimeCheckDown.for: found "0s"; allowed: a duration/,
  ],
  ['alerts: { UptimeCheckDown: { severity: page } }', /severity.*allowed: critical, warning, info/],
  ['links: { grafana: grafana.example.com }', /links.grafana: .*http/],
  ...['runbook', 'grafana', 'exporter'].map((name): [string, RegExp] => [
    `links: { ${name}: "https://u:hunter2@example.com/?a=@" }`,
    new RegExp(`links.${name}: found a text; allowed: .*without user and password`),
  ]),
  ['job: [', /rules.yaml:1/],
  [
    'with: [everything]',
    /with: .*allowed: a list of slow, groups, housekeeping, exporter, replicas/,
  ],
  ['identity: [the cluster]', /identity: .*allowed: a list of label names/],
])('%s is refused with its place', (text, message) => {
  expect(() => printed(text)).toThrow(message);
});

test('a file that is not there is named', () => {
  expect(() => printed(undefined, { config: '/nowhere/rules.yaml' })).toThrow(
    /cannot read \/nowhere\/rules.yaml/,
  );
});
