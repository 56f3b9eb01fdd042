import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reference } from '../dashboards/source/selectors.ts';
import { nameAndId } from '../dashboards/source/variables.ts';
import { unknownNames } from './alerts/expression-names.ts';
import { boards } from './support/boards.ts';

const root = join(import.meta.dirname, '..');

test.each(boards)('$path matches its source', async ({ path, json }) => {
  await expect(json).toMatchFileSnapshot(join(root, path));
});

test.each(boards)('the links of $path are shown, not behind a menu', ({ json }) => {
  expect(json).toContain('"links"');
  expect(json).not.toContain('inControlsMenu');
});

test.each(boards)(
  'no expression of $path is longer than a person reads',
  ({ board, expressions }) => {
    const definitions = board.templating.list.map(({ definition = '' }) => String(definition));
    const long = [...expressions, ...definitions].filter(({ length }) => length > 800);
    expect(long).toEqual([]);
  },
);

test('identifiers and titles are unique', () => {
  for (const of of [({ uid }: { uid: string }) => uid, ({ title }: { title: string }) => title]) {
    const values = boards.map(({ board }) => of(board));
    expect(new Set(values).size).toBe(values.length);
  }
});

/** The file that compares the panels of a board with what the service knows. */
const truthFiles: Readonly<Record<string, string>> = {
  'uptime-overview': 'overview-truth.ts',
  'uptime-check': 'check-truth.ts',
  'uptime-slo': 'objectives-truth.ts',
  'uptime-exporter': 'account-truth.ts',
};

/** The titles of the panels that a file looks at. The trust panel of all boards has one function. */
function titlesSeenBy(file: string): Set<string> {
  const source = readFileSync(join(root, 'test/dashboards', file), 'utf8');
  const named = source.matchAll(/(?:\bsee\(|\btitle = )'([^']+)'/g);
  const listed = source.matchAll(/\btitle of \[([^\]]+)\]/g);
  return new Set([
    ...(source.includes('await trust(') ? ['Can this be believed?'] : []),
    ...[...named].map(([, title = '']) => title),
    ...[...listed].flatMap(([, list = '']) =>
      [...list.matchAll(/'([^']+)'/g)].map((one) => one[1] ?? ''),
    ),
  ]);
}

test.each(boards)('each panel of $path is compared with the truth', ({ board, panels }) => {
  const titles = panels.map(({ title }) => title);
  expect([...titlesSeenBy(truthFiles[board.uid] ?? '')].sort()).toEqual(
    [...new Set(titles)].sort(),
  );
});

test('a check is chosen by its name and found by its identifier', () => {
  const pattern = new RegExp(nameAndId.slice(1, -1));
  // API 2.x has no severity, and Prometheus has no empty label.
  const shown = (name: string, after: string) =>
    `uptime_check_info{account="a",check_id="7",check_type="dns",hostname="x.example.com",instance="e:9158",ipv6="false",job="uptime",name="${name}"${after}} 1 1795224158000`;
  for (const name of ['Front page', 'Say "hi" \\ back\nsecond line', 'a,name="b', 'a"} 1', '']) {
    for (const after of [',severity="high"', '']) {
      expect(shown(name, after).match(pattern)?.groups).toEqual({ value: '7', text: name });
    }
  }
});

/** The rules of grafana/dashboard-linter, keyed by their names there. */
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
      // Excludes the repetitions in a regular expression.
      for (const [selector, name = ''] of expression.matchAll(/(\w+)\{(?!\d)[^}]*\}/g)) {
        // Alerts such as the one about a missing exporter have no job.
        expect(selector).toContain(name === 'ALERTS' ? 'job=~"$job|"' : 'job=~"$job"');
        // Monitors give others a fixed instance.
        const isOfProcess = /^(ALERTS$|uptime_exporter_|process_)/.test(name);
        expect(selector.includes('instance=~"$instance"'), selector).toBe(!isOfProcess);
      }
      if (!expression.startsWith('vector(')) expect(expression).toMatch(/\{[^}]*\}/);
    }
  });

  /**
   * Counters that change once per interval of their dataset need a range of several intervals. An
   * exporter that does not respond is shown for a day.
   */
  const otherRanges = [
    `${reference('results_span')}s`,
    ...['1h', '$__range', '$__interval', '1d', '1d:1m'],
  ];

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
    // Labels of the series ALERTS, which Prometheus derives from the rules.
    const ofAlerts = ['alertname', 'alertstate'];
    const unknown = [...expressions, ...legends].flatMap(unknownNames);
    expect(unknown.filter((found) => !ofAlerts.includes(found))).toEqual([]);
  });
});
