import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { defaultParameters } from '../../src/rules/parameters.ts';
import { isAlert } from '../../src/rules/rule.ts';
import { groupsOf, ruleFileNames } from '../../src/rules/rule-files.ts';

const alerts = join(import.meta.dirname, '..', '..', 'alerts');

/** Series by name and labels; one value for each step in the notation of promtool. */
export type Input = Readonly<Record<string, string>>;

export interface Fired {
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly description: string;
}

export interface RuleCase {
  /** One of its own. */
  readonly name: string;
  readonly input: Input;
  /** In seconds, between two values of a series and between two evaluations; a minute, unless said otherwise. */
  readonly pace?: { readonly step: number; readonly evaluation: number };
  /** The rule files that are loaded; those of the alerts that it names, unless said otherwise. */
  readonly files?: readonly string[];
  /** With all labels and texts: by alert, what fires at each time. */
  readonly alerts?: Readonly<Record<string, Readonly<Record<string, readonly Fired[]>>>>;
  /** What an expression has at a time; labels as promtool writes them. */
  readonly expressions?: readonly {
    readonly expr: string;
    readonly at: string;
    readonly samples: readonly { readonly labels: string; readonly value: number }[];
  }[];
}

/**
 * Runs all cases by the rule files as they are delivered, in one process. Resolves with promtool's account of
 * what each one got instead, by name; undefined for a case that holds.
 */
export async function runCases(
  promtool: string,
  cases: readonly RuleCase[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const folder = await mkdtemp(join(tmpdir(), 'promtool-'));
  const files = cases.map((_, at) => join(folder, `${at}.yaml`));
  try {
    await Promise.all(cases.map((one, at) => writeFile(files[at] ?? '', stringify(document(one)))));
    return outcomes(await outputOf(promtool, ['test', 'rules', ...files], folder), cases);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Both streams in the order of their lines: results are on one and their reasons on the other. */
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

/** Results in the order of the files: a line, and below `FAILED:` the reasons, however many there are. */
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

function document({ input, pace, files, alerts: expected = {}, expressions = [] }: RuleCase) {
  const { step, evaluation } = pace ?? { step: 60, evaluation: 60 };
  return {
    rule_files: (
      files ??
      filesWith([
        ...Object.keys(expected),
        ...expressions.flatMap(({ expr }) => expr.match(/\bUptime\w+/g) ?? []),
      ])
    ).map((name) => join(alerts, name)),
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
                runbook_url: `https://example.com/uptime-exporter/docs/runbook.md#${alertname.toLowerCase()}`,
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

/** Those that have alerts whose names begin so, as each evaluation of more rules takes its time; without any, the outages'. */
function filesWith(names: readonly string[]) {
  const wanted = names.length === 0 ? ['UptimeCheckDown'] : names;
  return ruleFileNames.filter((file) =>
    groupsOf(file, defaultParameters).some(({ rules }) =>
      rules.some((rule) => isAlert(rule) && wanted.some((one) => rule.alert.startsWith(one))),
    ),
  );
}
