export const severities = ['critical', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

export interface AlertRule {
  /** In CamelCase; docs/runbook.md has a section of this name. */
  readonly alert: string;
  /** A severity, or a template that yields one; then `mildest` is the mildest it yields. */
  readonly severity: Severity | SeverityTemplate;
  readonly expr: string;
  /** In seconds: how long the expression must hold before the alert fires. */
  readonly forSeconds?: number;
  /** How long the alert keeps firing when the expression no longer holds, in seconds. */
  readonly keepFiringSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** One line, with templates of Prometheus. */
  readonly summary: string;
  /** What is known, since when, whom it concerns; with templates of Prometheus. */
  readonly description: string;
  /** What the alert is about, for its links. */
  readonly subject: Subject;
}

export interface SeverityTemplate {
  readonly template: string;
  /** In the words of the documentation. */
  readonly words: string;
}

/** Which dashboard and which page of the exporter show more. */
export type Subject = 'check' | 'transaction' | 'account' | 'group' | 'credits' | 'exporter';

export interface RuleGroup {
  readonly name: string;
  /** In seconds; without it, Prometheus's own evaluation interval. */
  readonly intervalSeconds?: number;
  readonly rules: readonly AlertRule[];
}
