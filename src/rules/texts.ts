import type { RuleParameters } from './parameters.ts';
import type { Kind } from './promql.ts';
import type { AlertRule, Severity, Subject } from './rule.ts';

const ownLabels = {
  check: ['check_id'],
  transaction: ['check_id'],
  account: [],
  group: ['group'],
} as const;
export type Scope = keyof typeof ownLabels;

/**
 * A query for the series of the alert's own subject; `{*}` in `expression` is replaced by their
 * selector. Prometheus runs it at each evaluation for each firing alert, so use at most one in a
 * text, and none in a label.
 */
export function ask(scope: Scope, expression: string, { identity }: RuleParameters): string {
  const labels = ['job', 'instance', 'account', ...identity, ...ownLabels[scope]];
  const matchers = labels.map((label) => `${label}=%q`).join(',');
  const format = expression.replaceAll('%', '%%').replace('{*', `{${matchers}`);
  return `query (printf ${JSON.stringify(format)} ${labels.map((label) => `$labels.${label}`).join(' ')})`;
}

/**
 * A sentence with the reason for which the check list cannot be read. The alert has no `instance`
 * if replicas share the account.
 */
export function failureReason({ identity }: RuleParameters): string {
  const labels = ['job', 'account', ...identity];
  const matchers = labels.map((label) => `${label}=%q`).join(',');
  const values = labels.map((label) => `$labels.${label}`).join(' ');
  const format = `uptime_exporter_account_failure{${matchers},instance=~%q} == 1`;
  return `{{ with query (printf ${JSON.stringify(format)} ${values} (or $labels.instance ".+")) }}Reason: {{ first . | label "reason" }}. {{ end }}`;
}

export const name = '{{ $labels.name }}';

/** A UNIX time, as in `03:12 UTC on 21 Nov`. */
export const valueAsTime = '{{ ($value | toTime).UTC.Format "15:04 UTC on 2 Jan" }}';

/** A sentence with the used budget, `query` in percent; none if it yields nothing. */
export function budgetUsed(query: string): string {
  return `{{ with ${query} }} {{ first . | value | printf "%.0f" }} % of its 30-day error budget is used.{{ end }}`;
}

/** Sets the severity of each series by the importance that its item had when the outage began. */
export function bySeverity(expr: string, low: Severity): Pick<AlertRule, 'expr' | 'severity'> {
  if (low === 'critical') return { expr, severity: low };
  return {
    expr: `label_replace(label_replace(
${expr.replaceAll(/^/gm, '  ')}
, "severity", "critical", "", ""), "severity", "${low}", "importance", "low")`,
    severity: { words: `critical, or ${low} where the service calls it low` },
  };
}

const inPath = (label: string) => `{{ urlquery $labels.${label} | reReplaceAll "[+]" "%20" }}`;
const inQuery = (label: string) => `{{ urlquery $labels.${label} }}`;

const boards: Readonly<Record<Subject, string>> = {
  check: `uptime-check?var-account=${inQuery('account')}&var-check=${inQuery('check_id')}`,
  transaction: `uptime-check?var-account=${inQuery('account')}&var-check=${inQuery('check_id')}`,
  account: `uptime-overview?var-account=${inQuery('account')}`,
  group: `uptime-slo?var-account=${inQuery('account')}`,
  credits: `uptime-exporter?var-account=${inQuery('account')}`,
  exporter: 'uptime-exporter',
};

const pages: Readonly<Record<Subject, string>> = {
  check: `accounts/${inPath('account')}/checks/${inPath('check_id')}`,
  transaction: `accounts/${inPath('account')}/transactions/${inPath('check_id')}`,
  account: '',
  group: '',
  credits: '',
  exporter: '',
};

/** The links of an alert, as far as their bases are set. */
export function links(alert: string, subject: Subject, { links: bases }: RuleParameters) {
  const { runbook, grafana, exporter } = bases;
  return {
    ...(grafana !== undefined && {
      dashboard_url: `${withoutSlash(grafana)}/d/${boards[subject]}`,
    }),
    ...(exporter !== undefined && { page_url: `${withoutSlash(exporter)}/${pages[subject]}` }),
    // A heading's anchor is its text in lower case.
    ...(runbook !== undefined && { runbook_url: `${runbook}#${alert.toLowerCase()}` }),
  };
}

function withoutSlash(base: string): string {
  return base.replace(/\/+$/, '');
}

/** The name of a check or a transaction in alert texts. */
export function theItem(kind: Kind): string {
  const what = kind === 'check' ? name : `The transaction ${name}`;
  return `${what} (account {{ $labels.account }})`;
}
