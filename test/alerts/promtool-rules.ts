import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { deliveredRuleFiles } from '../../src/rules/rule-files.ts';
import { neededRules, type RuleFile, readRuleFile } from './needed-rules.ts';

/** Series keyed by name and labels; one value per step in the notation of promtool. */
export type Input = Readonly<Record<string, string>>;

export interface Fired {
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly description: string;
}

export interface RuleCase {
  /** Unique. */
  readonly name: string;
  readonly input: Input;
  /** Seconds between two values of a series and between two evaluations; by default a minute. */
  readonly pace?: { readonly step: number; readonly evaluation: number };
  /** The rule files to load as a whole; by default the rules that the case's alerts need. */
  readonly files?: readonly string[];
  /** The firing alerts at each time, with all labels and texts, keyed by alert. */
  readonly alerts?: Readonly<Record<string, Readonly<Record<string, readonly Fired[]>>>>;
  /** The result of an expression at a time; labels as promtool writes them. */
  readonly expressions?: readonly {
    readonly expr: string;
    readonly at: string;
    readonly samples: readonly { readonly labels: string; readonly value: number }[];
  }[];
}

/**
 * Runs all cases with the delivered rule files, in one process. Resolves with promtool's message
 * about each failed case, keyed by name; undefined for a case that passed.
 */
export async function runCases(
  promtool: string,
  cases: readonly RuleCase[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const folder = await mkdtemp(join(tmpdir(), 'promtool-'));
  const files = cases.map((_, at) => join(folder, `${at}.yaml`));
  const delivered = new Map(
    [...deliveredRuleFiles().keys()].map((path) => [path, readRuleFile(path)]),
  );
  try {
    await Promise.all(
      cases.map(async (one, at) => {
        const rules = join(folder, `${at}.rules.yaml`);
        await writeFile(rules, rulesOf(one, delivered));
        await writeFile(files[at] ?? '', stringify(document(one, rules)));
      }),
    );
    return outcomes(await outputOf(promtool, ['test', 'rules', ...files], folder), cases);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A test of each case; all are run at once. */
export function testCases(promtool: string, cases: readonly RuleCase[]): void {
  let outcomes: ReadonlyMap<string, string | undefined> = new Map();
  beforeAll(async () => {
    outcomes = await runCases(promtool, cases);
  });

  test.each(cases)('$name', ({ name }) => {
    expect(outcomes.has(name)).toBe(true);
    expect(outcomes.get(name)).toBeUndefined();
  });
}

/**
 * Joins both streams in the order of their lines: results are on one, their reasons on the other.
 */
async function outputOf(program: string, parameters: readonly string[], folder: string) {
  const path = join(folder, 'output');
  const output = await open(path, 'w');
  try {
    await once(spawn(program, parameters, { stdio: ['ignore', output.fd, output.fd] }), 'close');
  } finally {
    await output.close();
  }
  return readFile(path, 'utf8');
}

/** Results in the order of the files: one line each, with any number of reasons below `FAILED:`. */
function outcomes(
  output: string,
  cases: readonly RuleCase[],
): ReadonlyMap<string, string | undefined> {
  // Versions before 3 name each file first.
  const [before = '', ...parts] = output
    .replaceAll(/^Unit Testing:.*\n/gm, '')
    .split(/^ {2}(SUCCESS|FAILED:)\n/m);
  if (parts.length !== 2 * cases.length || before.trim() !== '')
    throw new Error(
      `promtool has ${parts.length / 2} results of ${cases.length} cases:\n${output}`,
    );
  return new Map(
    cases.map(({ name }, at) => [
      name,
      parts[2 * at] === 'SUCCESS' ? undefined : parts[2 * at + 1],
    ]),
  );
}

function document(
  { input, pace, alerts: expected = {}, expressions = [] }: RuleCase,
  rules: string,
) {
  const { step, evaluation } = pace ?? { step: 60, evaluation: 60 };
  return {
    rule_files: [rules],
    evaluation_interval: `${evaluation}s`,
    tests: [
      {
        interval: `${step}s`,
        input_series: Object.entries(input).map(([series, values]) => ({ series, values })),
        alert_rule_test: Object.entries(expected).flatMap(([alertname, times]) =>
          Object.entries(times).map(([time, fired]) => ({
            eval_time: time,
            alertname,
            exp_alerts: fired.map(({ labels, summary, description }) => ({
              exp_labels: labels,
              exp_annotations: {
                summary,
                description,
                ...linksOf(alertname, labels),
              },
            })),
          })),
        ),
        promql_expr_test: expressions.map(({ expr, at, samples }) => ({
          expr,
          eval_time: at,
          exp_samples: samples,
        })),
      },
    ],
  };
}

/** Without a name in an expression about alerts, it is about all of them. */
function rulesOf(
  { files, alerts = {}, expressions = [] }: RuleCase,
  delivered: ReadonlyMap<string, RuleFile>,
): string {
  const named = expressions.map(({ expr }) => expr.match(/\b(?:Uptime|uptime:)[\w:]+/g) ?? []);
  const names = [...Object.keys(alerts), ...named.flat()];
  const isOfAll = expressions.some(
    ({ expr }, at) => expr.includes('ALERTS') && named[at]?.length === 0,
  );
  const loaded = [...delivered].filter(([name]) => files?.includes(name) ?? true);
  return neededRules(
    loaded.map(([, file]) => file),
    isOfAll ? [''] : names,
  );
}

/** Its exporter does not respond. */
const withoutExporter = /^UptimeExporter(Down|Absent|AccountUnwatched)$/;

/** The pages of the exporter that has the alert; without `instance` none can be named. */
function linksOf(alertname: string, labels: Fired['labels']) {
  const { instance, account = '', check_id: id = '' } = labels;
  if (instance === undefined || withoutExporter.test(alertname)) return {};
  const [, kind] = /^Uptime(Check|Transaction)(?!s)/.exec(alertname) ?? [];
  const page =
    kind === undefined
      ? ''
      : `accounts/${encodeURIComponent(account)}/${kind.toLowerCase()}s/${encodeURIComponent(id)}`;
  return {
    page_url: `http://${instance}/${page}`,
    runbook_url: `http://${instance}/runbook#${alertname.toLowerCase()}`,
  };
}
