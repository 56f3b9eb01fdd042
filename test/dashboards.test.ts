import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { generatedDashboards } from '../dashboards/source/dashboards.ts';
import { nameAndId, reference } from '../dashboards/source/variables.ts';
import { unknownNames } from './alerts/expression-names.ts';
import { rightlyEmpty } from './alerts/rightly-empty.ts';
import { startPrometheus } from './support/prometheus.ts';
import { missing } from './support/tools.ts';
import { startWatchedSandbox, type WatchedSandbox } from './support/watched-sandbox.ts';

const root = join(import.meta.dirname, '..');
const ownDatasource = z.object({
  type: z.literal('prometheus'),
  uid: z.literal(`\${${'datasource'}}`),
});
const text = z.string().min(1);

const target = z.object({
  datasource: ownDatasource,
  expr: text,
  legendFormat: z.string().optional(),
});
const panel = z.object({
  id: z.number(),
  type: text,
  title: text,
  description: text,
  datasource: ownDatasource,
  fieldConfig: z.object({ defaults: z.object({ unit: text }) }),
  targets: z.array(target).min(1),
});
const row = z.object({ type: z.literal('row'), title: text });
const variable = z.looseObject({ name: text, type: text, label: text });
const schema = z.object({
  uid: text,
  title: text,
  description: text,
  editable: z.literal(false),
  tags: z.array(text).min(1),
  templating: z.object({ list: z.array(variable) }),
  annotations: z.object({ list: z.array(target.extend({ name: text })).optional() }),
  panels: z.array(z.union([row, panel])),
});

const boards = [...generatedDashboards()].map(([path, json]) => {
  const board = schema.parse(JSON.parse(json));
  const panels = board.panels.filter((one) => one.type !== 'row') as z.infer<typeof panel>[];
  const targets = [...panels.flatMap((one) => one.targets), ...(board.annotations.list ?? [])];
  return { path, json, board, panels, expressions: targets.map(({ expr }) => expr), targets };
});

/** Variables replaced as Grafana does when all is chosen. */
function filled(expression: string): string {
  return expression
    .replaceAll(/\$(job|instance|account|check)\b/g, '.+')
    .replaceAll('$__rate_interval', '1m')
    .replaceAll('$__range', '1m')
    .replaceAll(reference('results_span'), '60')
    .replaceAll(/\$__(from|to)\b/g, (_, limit) => (limit === 'from' ? '0' : '2000000000000'));
}

test.each(boards)('$path is what its source says', async ({ path, json }) => {
  await expect(json).toMatchFileSnapshot(join(root, path));
});

test('identifiers and titles are unique', () => {
  for (const of of [({ uid }: { uid: string }) => uid, ({ title }: { title: string }) => title]) {
    const values = boards.map(({ board }) => of(board));
    expect(new Set(values).size).toBe(values.length);
  }
});

test('a check is chosen by its name and found by its identifier', () => {
  const pattern = new RegExp(nameAndId.slice(1, -1));
  const shown = (name: string) =>
    `uptime_check_info{account="a",check_id="7",check_type="dns",hostname="x.example.com",instance="e:9158",ipv6="false",job="uptime",name="${name}",severity="high"} 1 1795224158000`;
  for (const name of ['Front page', 'Say "hi" \\ back\nsecond line', 'a,name="b', '']) {
    expect(shown(name).match(pattern)?.groups).toEqual({ value: '7', text: name });
  }
});

/** The rules of grafana/dashboard-linter, by their names there. */
describe.each(boards)('$path keeps the rules of the dashboard linter', (one) => {
  const { board, panels, expressions } = one;
  const named = (name: string) => board.templating.list.find((found) => found.name === name);

  test('template-datasource-rule', () => {
    expect(named('datasource')).toMatchObject({
      type: 'datasource',
      label: 'Data source',
      query: 'prometheus',
    });
  });

  test.each([
    ['job', 'Job'],
    ['instance', 'Instance'],
  ])('template-%s-rule', (name, label) => {
    expect(named(name)).toMatchObject({
      type: 'query',
      label,
      datasource: { uid: `\${${'datasource'}}` },
      multi: true,
      includeAll: true,
      allValue: '.+',
    });
  });

  test('template-on-time-change-reload-rule', () => {
    const queries = board.templating.list.filter(({ type }) => type === 'query');
    for (const { refresh } of queries) expect(refresh).toBe(2);
  });

  test('target-job-rule and target-instance-rule', () => {
    for (const expression of expressions) {
      for (const [selector] of expression.matchAll(/(?<!\$)\{[^}]*\}/g)) {
        expect(selector).toContain('job=~"$job", instance=~"$instance"');
      }
      if (!expression.startsWith('vector(')) expect(expression).toMatch(/\{[^}]*\}/);
    }
  });

  /** Counters that are fed once an interval of their dataset need a range that spans several. */
  const otherRanges = [`${reference('results_span')}s`, '1h', '$__range'];

  test('target-rate-interval-rule', () => {
    for (const expression of expressions) {
      const ranges = [...expression.matchAll(/\[([^\]]+)\]/g)].map(([, range]) => range);
      for (const range of ranges) {
        expect(['$__rate_interval', ...otherRanges], expression).toContain(range);
      }
    }
  });

  test('target-counter-agg-rule', () => {
    for (const expression of expressions) {
      const counters = [...expression.matchAll(/(.{9})\b\w+_total\{/gs)];
      for (const [, before] of counters) expect(before, expression).toMatch(/(increase|rate)\($/);
    }
  });

  test('panels have numbers of their own', () => {
    const ids = panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('every metric and label exists', () => {
    const legends = one.targets.flatMap(({ legendFormat = '' }) =>
      [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => `sum by (${label}) (up)`),
    );
    expect([...expressions, ...legends].flatMap(unknownNames)).toEqual([]);
  });
});

test.skipIf(missing('prometheus'))(
  'every expression of a panel and a variable has series in a real Prometheus',
  { timeout: 180_000 },
  async () => {
    const watched = await startWatchedSandbox();
    await watched.pass(3 * 3_600_000);
    trouble(watched);
    await watched.pass(3_600_000);
    const prometheus = await startPrometheus(new URL(watched.url).host);
    await watched.pass(600_000);
    await prometheus.eventually('uptime_check_error_budget_remaining_ratio offset 3s');

    const ofPanels = boards.flatMap(({ expressions }) => expressions);
    const ofVariables = boards.flatMap(({ board }) =>
      board.templating.list.flatMap((one) => {
        const definition = z.string().optional().parse(one.definition);
        const [, expr] =
          definition?.match(/^(?:label_values|query_result)\((.*?)(?:, \w+)?\)$/s) ?? [];
        return expr ?? [];
      }),
    );
    const empty: string[] = [];
    for (const expression of new Set([...ofPanels, ...ofVariables])) {
      const samples = await prometheus.query(filled(expression));
      if (samples.length === 0 && !rightlyEmpty(expression)) empty.push(expression);
    }
    expect(empty).toEqual([]);
  },
);

/** A check and a transaction that are down, and a check in maintenance, from now on. */
function trouble({ sandbox: { world }, clock }: WatchedSandbox): void {
  const from = Math.floor(clock.now() / 1000);
  const [, down, maintained] = world.checks;
  const [transaction] = world.transactions.all;
  if (!down || !maintained || !transaction) throw new Error('the account is too small');
  world.plant({ checkId: down.id, status: 'down', from });
  world.plant({ checkId: transaction.id, status: 'down', from });
  world.maintenance.add({
    description: 'Database upgrade',
    from,
    to: from + 86_400,
    recurrencetype: 'none',
    repeatevery: 0,
    effectiveto: from + 86_400,
    uptimeids: [maintained.id],
    tmsids: [transaction.id],
  });
}
