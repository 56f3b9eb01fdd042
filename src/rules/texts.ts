import type { RuleParameters } from './parameters.ts';
import type { Kind } from './promql.ts';
import { span } from './promql.ts';
import type { Severity, SeverityTemplate, Subject } from './rule.ts';

const labelSets = {
  check: ['job', 'instance', 'account', 'check_id'],
  transaction: ['job', 'instance', 'account', 'check_id'],
  account: ['job', 'instance', 'account'],
  group: ['job', 'instance', 'account', 'group'],
} as const;
type Scope = keyof typeof labelSets;

/**
 * A call of `query` for the series of the alert's own item. Only an alert that fires costs a query, so this
 * is cheaper than a join in the expression, which would read the series of every check at each evaluation.
 * `expression` has SERIES{…} where the family's selector stands, with further matchers after a comma.
 */
export function ask(scope: Scope, expression: string): string {
  const labels = labelSets[scope];
  const matchers = labels.map((label) => `${label}=%q`).join(',');
  let uses = 0;
  const format = expression
    .replaceAll('%', '%%')
    .replaceAll(/(\w+)\{\*(,[^}]*)?\}/g, (_match, family: string, more = '') => {
      uses++;
      return `${family}{${matchers}${more}}`;
    });
  const given = Array(uses)
    .fill(labels.map((label) => `$labels.${label}`).join(' '))
    .join(' ');
  return `query (printf ${JSON.stringify(format)} ${given})`;
}

const first = '. | first | value';

/** The item as a person knows it: its name is in the summary. */
export function where(kind: Kind): string {
  const account = 'account {{ $labels.account }}';
  if (kind === 'transaction') return account;
  const host = ask('check', 'group by (hostname) (uptime_check_info{*})');
  return `{{ with ${host} }}{{ (. | first).Labels.hostname }}, {{ end }}${account}`;
}

/** ` since 03:12 UTC on 21 Nov`, where it is known. */
export function since(kind: Kind, parameters: RuleParameters): string {
  const start = ask(
    kind,
    `max(last_over_time(uptime_${kind}_outage_start_timestamp_seconds{*}[${span(86_400, parameters)}]))`,
  );
  return `{{ with ${start} }} since {{ (${first} | toTime).UTC.Format "15:04 UTC on 2 Jan" }}{{ end }}`;
}

/** What is left of the error budget of 30 days, and how much that is in minutes. */
export function budget(scope: 'check' | 'transaction' | 'group'): string {
  const used = ask(scope, `100 * (1 - max(uptime_${scope}_error_budget_remaining_ratio{*}))`);
  const allowed = ask(scope, `2592000 * (1 - max(uptime_${scope}_objective_ratio{*}))`);
  return `{{ with ${used} }} {{ ${first} | printf "%.0f" }} % of its 30-day error budget is used{{ with ${allowed} }} ({{ ${first} | humanizeDuration }} of downtime allowed){{ end }}.{{ end }}`;
}

/** Said while nobody can look; true in a resolution too, which repeats the last text. */
export function unseen(): string {
  const readable = `query (printf "uptime_up{job=%q,account=%q} == 1" $labels.job $labels.account)`;
  return `{{ if not (${readable}) }} This is what was known when the exporter last read the account.{{ end }}`;
}

/** An item that the service calls of low importance; what was known last counts while nothing is. */
export function severityOf(
  kind: Kind,
  low: Severity,
  parameters: RuleParameters,
): Severity | SeverityTemplate {
  if (low === 'critical') return low;
  const info = `uptime_${kind}_info`;
  const notLow = ask(kind, `${info}{*,severity!="low"}`);
  const wasLow = ask(
    kind,
    `last_over_time(${info}{*,severity="low"}[${span(86_400, parameters)}])`,
  );
  return {
    template: `{{ if ${notLow} }}critical{{ else if ${wasLow} }}${low}{{ else }}critical{{ end }}`,
    words: `critical, or ${low} where the service calls it low`,
  };
}

/** A label as a part of a path. */
const inPath = (label: string) => `{{ urlquery $labels.${label} | reReplaceAll "[+]" "%20" }}`;
const inQuery = (label: string) => `{{ urlquery $labels.${label} }}`;

const boards: Readonly<Record<Subject, string>> = {
  check: `uptime-check?var-account=${inQuery('account')}&var-check=${inQuery('check_id')}`,
  transaction: `uptime-transactions?var-account=${inQuery('account')}&var-check=${inQuery('check_id')}`,
  account: `uptime-overview?var-account=${inQuery('account')}`,
  group: `uptime-slo?var-account=${inQuery('account')}`,
  credits: `uptime-account?var-account=${inQuery('account')}`,
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

/** Links of an alert, each where its base is set. */
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
