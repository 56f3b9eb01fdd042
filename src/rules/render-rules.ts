import { formatDuration, parseDuration } from '../config/fields.ts';
import type { RuleParameters } from './parameters.ts';
import { filled } from './placeholders.ts';
import { type AlertTemplate, ruleTemplate } from './template.ts';

/** An alert as Prometheus loads it. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly keep_firing_for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    readonly dashboard_url?: string;
    readonly page_url?: string;
    readonly runbook_url?: string;
  };
}

interface RecordingRule {
  readonly record: string;
  /** What its values mean. */
  readonly means: string;
  readonly expr: string;
}

export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  readonly rules: readonly (AlertRule | RecordingRule)[];
}

/** The groups without a set, and those of the sets in the parameters. */
export function renderRules(parameters: RuleParameters): readonly RuleGroup[] {
  return ruleTemplate.groups
    .filter(({ set }) => set === undefined || parameters.with.includes(set))
    .map(({ name, interval, rules }) => ({
      name,
      ...(interval !== undefined && { interval: divided(interval, parameters) }),
      rules: rules.flatMap((rule): readonly (AlertRule | RecordingRule)[] =>
        'alert' in rule
          ? rendered(rule, parameters)
          : [{ ...rule, expr: expression(rule.expr, parameters) }],
      ),
    }))
    .filter(({ rules }) => rules.length > 0);
}

export function isAlert(rule: AlertRule | RecordingRule): rule is AlertRule {
  return 'alert' in rule;
}

export function alertRules(parameters: RuleParameters): readonly AlertRule[] {
  return renderRules(parameters).flatMap(({ rules }) => rules.filter(isAlert));
}

/** The alert with what the parameters change of it; empty if they leave it out. */
function rendered(template: AlertTemplate, parameters: RuleParameters): readonly AlertRule[] {
  const { alert, keep_firing_for: keep } = template;
  const {
    enabled = true,
    severity = filled(template.severity, parameters),
    forSeconds,
  } = parameters.alerts[alert] ?? {};
  if (!enabled) return [];
  const wait =
    forSeconds === undefined
      ? template.for && filled(template.for, parameters)
      : formatDuration(forSeconds);
  return [
    {
      alert,
      expr: expression(template.expr, parameters),
      ...(wait !== undefined && { for: divided(wait, parameters) }),
      ...(keep !== undefined && { keep_firing_for: divided(keep, parameters) }),
      labels: { severity },
      annotations: {
        summary: filled(template.summary, parameters),
        description: filled(template.description, parameters),
        ...linksOf(template, parameters),
      },
    },
  ];
}

/** The links whose bases are set, and lead somewhere. A heading's anchor is its text in lower case. */
function linksOf({ alert, about }: AlertTemplate, { links }: RuleParameters) {
  const { grafana } = links;
  const { board, view } = ruleTemplate.pages[about];
  const isNowhere = about === 'exporters' && links.exporter?.includes('$labels');
  const exporter = isNowhere ? undefined : links.exporter;
  const { runbook = exporter && `${withoutSlash(exporter)}/runbook` } = links;
  return {
    ...(grafana !== undefined && { dashboard_url: `${withoutSlash(grafana)}/d/${board}` }),
    ...(exporter !== undefined && { page_url: `${withoutSlash(exporter)}/${view}` }),
    ...(runbook !== undefined && { runbook_url: `${runbook}#${alert.toLowerCase()}` }),
  };
}

function withoutSlash(base: string): string {
  return base.replace(/\/+$/, '');
}

/** An expression whose ranges, steps and offsets are divided, so that a test takes minutes. */
function expression(template: string, parameters: RuleParameters): string {
  const whole = template.replaceAll(
    /(\[|(?<=\[\w+):|\boffset )(\d\w*)/g,
    (_, before: string, span: string) => before + divided(span, parameters),
  );
  return filled(whole, parameters);
}

function divided(duration: string, { timeDivisor }: RuleParameters): string {
  const seconds = parseDuration(duration);
  if (seconds === undefined) throw new Error(`the rules have an unknown duration: ${duration}`);
  return formatDuration(Math.max(0.001, seconds / timeDivisor));
}
