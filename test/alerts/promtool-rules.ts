import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { toolPath } from '../support/tools.ts';

const alerts = join(import.meta.dirname, '..', '..', 'alerts');

/** What is recorded comes before what uses it. */
const groups = [
  ...['uptime-slo-every-1h', 'uptime-slo-every-6h', 'uptime-slo'],
  ...['uptime-error-budget', 'uptime-checks'],
  ...['uptime-transactions', 'uptime-account', 'uptime-exporter'],
];

/** Series by name and labels; one value a minute in the notation of promtool. */
export type Input = Readonly<Record<string, string>>;

export interface Fired {
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly description: string;
}

/** What fires at each time, by the rule files as they are delivered. */
export interface Expected {
  readonly [time: string]: readonly Fired[];
}

export interface Expression {
  readonly expr: string;
  readonly at: string;
  readonly samples: readonly { readonly labels: string; readonly value: number }[];
}

/** Rejects with promtool's account of what it got instead. */
export function testAlert(alert: string, input: Input, expected: Expected) {
  return run(input, {
    alert_rule_test: Object.entries(expected).map(([time, fired]) => ({
      eval_time: time,
      alertname: alert,
      exp_alerts: fired.map(({ labels, summary, description }) => ({
        exp_labels: labels,
        exp_annotations: {
          summary,
          description,
          runbook_url: `https://example.com/uptime-exporter/docs/runbook.md#${alert.toLowerCase()}`,
        },
      })),
    })),
  });
}

export function testExpressions(input: Input, expressions: readonly Expression[]) {
  return run(input, {
    promql_expr_test: expressions.map(({ expr, at, samples }) => ({
      expr,
      eval_time: at,
      exp_samples: samples,
    })),
  });
}

async function run(input: Input, tests: object): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'promtool-'));
  const file = join(folder, 'test.yaml');
  const series = Object.entries(input).map(([name, values]) => ({ series: name, values }));
  try {
    await writeFile(
      file,
      stringify({
        rule_files: ['slo', 'checks', 'exporter'].map((name) => join(alerts, `${name}.yaml`)),
        evaluation_interval: '1m',
        // Without an order promtool evaluates the groups in another one at every run.
        group_eval_order: groups,
        tests: [{ interval: '1m', input_series: series, ...tests }],
      }),
    );
    await promisify(execFile)(toolPath('promtool'), ['test', 'rules', file]);
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw stderr === undefined ? error : new Error(stderr);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
