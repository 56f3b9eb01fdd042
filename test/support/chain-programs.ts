import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import type { RuleSet } from '../../src/rules/rule-sets.ts';
import { type ToolName, toolPath } from './tools.ts';

const root = join(import.meta.dirname, '..', '..');

/** The rules in a version of Prometheus, in virtual time. */
export type RuleEvaluator = ToolName & `rule-evaluator-${string}`;

/** The configuration of Prometheus. */
export interface ChainConfiguration {
  /** A file of deploy/prometheus. */
  readonly file: 'prometheus.yaml' | 'replicas.yaml';
  /** Metric relabelling in place of that of the file. */
  readonly relabelling?: readonly object[];
  /** Sets of rules besides those of the file. */
  readonly with?: readonly RuleSet[];
  /** With the alert that always fires, whose messages would be among all others. */
  readonly hasHeartbeat?: true;
}

/** The receiver of the alert that always fires. */
export const heartbeatReceiver = 'watchdog';

/** Changes the text of a rule file, so that a test can plant a fault. */
export type RuleChange = (rules: string) => string;

const labels = z.record(z.string(), z.string());
const sent = z.object({
  at: z.number(),
  labels,
  annotations: labels,
  startsAt: z.number(),
  endsAt: z.number(),
});
const received = z.object({
  at: z.number(),
  receiver: z.string(),
  groupLabels: labels,
  alerts: z.array(
    z.object({
      status: z.string(),
      labels,
      annotations: labels,
      startsAt: z.number(),
      endsAt: z.number(),
    }),
  ),
});

/** An alert that Prometheus sends. All times are UNIX milliseconds. */
export type SentAlert = z.infer<typeof sent>;
/** A message to a receiver. */
export type Received = z.infer<typeof received>;

/** A configuration of Prometheus as it is delivered, with another relabelling if there is one. */
export function prometheusConfiguration({ file, relabelling }: ChainConfiguration) {
  const settings = delivered('prometheus', file);
  if (relabelling !== undefined) settings.scrape_configs[0].metric_relabel_configs = relabelling;
  return settings;
}

/** The rule files of a configuration, in the repository. */
function ruleFilesOf(configuration: ChainConfiguration): readonly string[] {
  const { rule_files: files } = prometheusConfiguration(configuration);
  const delivered = files
    .map((path: string) => path.replace('/etc/prometheus/', ''))
    .filter((path: string) => configuration.hasHeartbeat || path !== 'alerts/watchdog.yaml');
  return [...delivered, ...(configuration.with ?? []).map((set) => `alerts/with/${set}.yaml`)];
}

/** What Prometheus sends to Alertmanager while it scrapes these pages: a file of JSON lines. */
export async function sentAlerts(
  evaluator: RuleEvaluator,
  pages: string,
  folder: string,
  configuration: ChainConfiguration,
  changed: RuleChange = (rules) => rules,
): Promise<readonly SentAlert[]> {
  const prometheus = join(folder, 'prometheus.yaml');
  await writeFile(prometheus, stringify(prometheusConfiguration(configuration)));
  const rules = await Promise.all(
    ruleFilesOf(configuration).map(async (path) => {
      const file = join(folder, basename(path));
      await writeFile(file, changed(readFileSync(join(root, path), 'utf8')));
      return file;
    }),
  );
  // The resend delay that docs/alerting.md asks for.
  const flags = [`-config=${prometheus}`, '-resend-delay=5m', ...rules];
  const lines = await linesOf(evaluator, flags, pages);
  return lines.map((line) => sent.parse(JSON.parse(line)));
}

/** What the receivers get when these alerts, starts and stops reach Alertmanager. */
export async function receivedMessages(
  events: readonly object[],
  folder: string,
): Promise<readonly Received[]> {
  const file = join(folder, 'alerts.ndjson');
  await writeFile(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const alertmanager = join(folder, 'alertmanager.yaml');
  await writeFile(alertmanager, withWebhooks());
  const lines = await linesOf('alert-dispatcher', [`-config=${alertmanager}`], file);
  return lines.map((line) => received.parse(JSON.parse(line)));
}

/** The delivered example, in which every receiver is a webhook. Nobody resolves a ticket or the heartbeat. */
function withWebhooks(): string {
  const settings = delivered('alertmanager', 'alertmanager.yaml');
  const webhook = (name: string) => ({
    url: 'http://receiver.invalid/',
    send_resolved: name !== 'tickets' && name !== heartbeatReceiver,
  });
  return stringify({
    ...settings,
    receivers: settings.receivers.map(({ name }: { readonly name: string }) => ({
      name,
      webhook_configs: [webhook(name)],
    })),
  });
}

/** A file of `deploy`. */
function delivered(folder: string, file: string) {
  return parse(readFileSync(join(root, 'deploy', folder, file), 'utf8'));
}

/** The lines that a program writes about a file. */
async function linesOf(
  tool: ToolName,
  flags: readonly string[],
  file: string,
): Promise<readonly string[]> {
  const input = await open(file);
  try {
    const child = spawn(toolPath(tool), flags, { stdio: [input.fd, 'pipe', 'pipe'] });
    const { stdout, stderr } = child;
    if (stdout === null || stderr === null) throw new Error('the program has no output');
    const ended = once(child, 'exit');
    const [output, complaints] = await Promise.all([text(stdout), text(stderr)]);
    const [code] = await ended;
    if (code !== 0) throw new Error(`${tool} ended with ${code}: ${complaints}`);
    return output.split('\n').filter((line) => line !== '');
  } finally {
    await input.close();
  }
}
