/** `none` tells nobody: the alert is there to silence others. */
export type Severity = 'critical' | 'warning' | 'info' | 'none';

export interface AlertRule {
  /** In CamelCase; docs/runbook.md has a section of this name. */
  readonly alert: string;
  readonly severity: Severity;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** One line, with templates of Prometheus. */
  readonly summary: string;
  /** What is known, whom it concerns; with templates of Prometheus. */
  readonly description: string;
}

export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

export interface RuleGroup {
  readonly name: string;
  /** One minute is enough at most: the service tests no check more often. */
  readonly interval?: string;
  readonly rules: readonly (AlertRule | RecordingRule)[];
}

export function isAlert(rule: AlertRule | RecordingRule): rule is AlertRule {
  return 'alert' in rule;
}
