export const severities = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

export interface AlertRule {
  /** In CamelCase; docs/runbook.md has a section of this name. */
  readonly alert: string;
  /** A severity, a template that yields one, or words where the expression sets the label. */
  readonly severity: Severity | SeverityTemplate | SeverityOfSeries;
  readonly expr: string;
  /** In seconds: how long the expression must be true before the alert fires. */
  readonly forSeconds?: number;
  /** How long the alert keeps firing when the expression is no longer true, in seconds. */
  readonly keepFiringSeconds?: number;
  /** One line, with templates of Prometheus. */
  readonly summary: string;
  /** At most 400 characters and one query, which runs for each alert at each evaluation. */
  readonly description: string;
  /** The subject of the alert, for its links. */
  readonly subject: Subject;
}

/** Records a value for rules of the next evaluation, so its position matters. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

export type Rule = AlertRule | RecordingRule;

export function isAlert(rule: Rule): rule is AlertRule {
  return 'alert' in rule;
}

interface SeverityTemplate extends SeverityOfSeries {
  readonly template: string;
}

/**
 * The expression sets the severity as a label of its series. This is cheaper than a template,
 * because Prometheus expands each text of a rule for each alert at each evaluation, even one
 * without a template.
 */
interface SeverityOfSeries {
  /** In the words of the documentation. */
  readonly words: string;
}

/** The subject of an alert, which selects the dashboard and the view of its links. */
export type Subject = 'check' | 'transaction' | 'account' | 'group' | 'credits' | 'exporter';

export interface RuleGroup {
  readonly name: string;
  /** In seconds; without it, Prometheus's own evaluation interval. */
  readonly intervalSeconds?: number;
  /** In the order of their evaluation. */
  readonly rules: readonly Rule[];
}
