import type { RuleParameters } from './parameters.ts';
import { anyInstanceLabels, perAccount, quoted, span, wasReadable } from './promql.ts';
import { onAnyReplica } from './replica-alerts.ts';
import type { AlertRule, RecordingRule, RuleGroup } from './rule.ts';
import { ask, failureReason } from './texts.ts';

type PollingAlert = Omit<AlertRule, 'subject'>;

const theAccount = 'account {{ $labels.account }}';
const exhausted = 'uptime_exporter_budget_paused == 1';
const unnoticed =
  'New outages of account {{ $labels.account }} go unnoticed. Open alerts stay open.';

/** Problems of polling, per account: only causes, without their consequences. */
export function pollingAlerts(parameters: RuleParameters): RuleGroup {
  const rules = [
    ...causes(parameters),
    unwatched(parameters),
    stale(parameters),
    exhaustionPredicted(parameters),
    budgetTooSmall(parameters),
    tallyLag(parameters),
    rejectedEntries(parameters),
    twoPollers,
    labelLimit,
  ];
  return {
    name: 'uptime-polling',
    rules: [
      staleDatasets(parameters),
      ...rules.map((rule) => ({ ...rule, subject: 'exporter' as const })),
    ],
  };
}

/** Accounts with an unreadable check list for these reasons, of which each account has one. */
function failure(reasons: string, parameters: RuleParameters): string {
  const present = `uptime_exporter_account_failure{${reasons}} == 1`;
  return onAnyReplica(present, parameters, 'reason');
}

/** In seconds, so that a failed scrape or a restart does not count as a recovery. */
const keepFiringSeconds = 300;

const causes = (parameters: RuleParameters): readonly PollingAlert[] => [
  {
    alert: 'UptimeExporterUnauthorized',
    severity: 'critical',
    expr: failure('reason=~"unauthorized|forbidden"', parameters),
    forSeconds: 120,
    keepFiringSeconds,
    summary: 'The service rejects the credentials of {{ $labels.account }}',
    description: `${failureReason(parameters)}${unnoticed}`,
  },
  {
    alert: 'UptimeExporterBudgetPaused',
    severity: 'critical',
    expr: failure('reason="budget"', parameters),
    forSeconds: 600,
    keepFiringSeconds,
    summary: 'Account {{ $labels.account }} is out of API requests',
    description: `The reserve is reached, or the service answered 429. ${unnoticed}`,
  },
  {
    alert: 'UptimeExporterAccountUnreadable',
    severity: 'critical',
    expr: failure('reason!~"none|unauthorized|forbidden|budget"', parameters),
    forSeconds: 600,
    keepFiringSeconds,
    summary: 'The checks of {{ $labels.account }} cannot be read',
    description: `${failureReason(parameters)}${unnoticed}`,
  },
];

/**
 * Accounts that were served within the last day and are served by no exporter now, because theirs
 * disappeared from the targets or from service discovery. If a target exists but does not respond,
 * UptimeExporterDown reports that. If replicas have the account, UptimeExporterAccountWithoutHolder
 * does. If an exporter was moved, it serves the account under an instance that is less than a day
 * old.
 */
function unwatched(parameters: RuleParameters): PollingAlert {
  const day = span(86_400, parameters);
  const someInstance = anyInstanceLabels(parameters);
  const target = ['job', ...parameters.identity].join(', ');
  return {
    alert: 'UptimeExporterAccountUnwatched',
    severity: 'warning',
    expr: `last_over_time(uptime_up[${day}])
unless on (${perAccount(parameters)}) uptime_up
unless on (${someInstance}) (uptime_up unless uptime_up offset ${day})
unless on (${someInstance}) {__name__=~"uptime_exporter_account_removed|uptime_exporter_lease_held"}
and on (${target}) min by (${target}) (up{job=${quoted(parameters.job)}}) == 1`,
    forSeconds: 600,
    summary: 'No exporter watches account {{ $labels.account }}',
    description: `The exporter {{ $labels.instance }}, which served ${theAccount}, is no longer among the targets of Prometheus, and no other one serves the account.`,
  };
}

const late = 'uptime:dataset_late:present';

/**
 * Datasets that are late while the check list is not, which the alerts in `causes` cover. Data that
 * never arrived are stale, too.
 */
function staleDatasets(parameters: RuleParameters): RecordingRule {
  return {
    record: late,
    // A dataset that is requested only on evidence has no interval; one that was never needed has
    // no attempt.
    expr: `uptime_exporter_dataset_stale{dataset!="checks"} == 1
and uptime_exporter_dataset_interval_seconds
and uptime_exporter_dataset_last_attempt_timestamp_seconds
and on (${anyInstanceLabels(parameters)}) (${wasReadable(parameters)})`,
  };
}

function stale(parameters: RuleParameters): PollingAlert {
  return {
    alert: 'UptimeExporterDataStale',
    severity: {
      template: '{{ if eq $labels.dataset "transactions" }}critical{{ else }}warning{{ end }}',
      words: 'critical for transactions, else warning',
    },
    expr: onAnyReplica(late, parameters),
    forSeconds: 900,
    summary: 'The {{ $labels.dataset }} of {{ $labels.account }} are out of date',
    description: `The {{ $labels.dataset }} of ${theAccount} are not refreshed, although its check list is. Their series are withdrawn.`,
  };
}

function exhaustionPredicted(parameters: RuleParameters): PollingAlert {
  const hours = 6;
  const left = 'uptime_exporter_rate_limit_remaining{window="long"}';
  return {
    alert: 'UptimeExporterApiBudgetExhaustionPredicted',
    severity: 'info',
    // After a reset, more requests are left than before, so the spending before the reset predicts
    // nothing.
    expr: `${left}
+ (${left} - ${left} offset ${span(hours * 3600, parameters)}) / ${hours * 3600}
  * (uptime_exporter_rate_limit_reset_timestamp_seconds{window="long"} - time())
< 0
unless on (${perAccount(parameters)}) (${exhausted})`,
    forSeconds: 1800,
    summary: 'Account {{ $labels.account }} will run out of API requests before the reset',
    description: `At the rate of the last ${hours} hours, the long window of ${theAccount} is used up before it resets. The exporter slows down by itself; other clients do not.`,
  };
}

function budgetTooSmall(parameters: RuleParameters): PollingAlert {
  const missing = 'uptime_exporter_dataset_missing_requests_per_second';
  const names = ask('account', `topk(5, ${missing}{*} > 0)`, parameters);
  const account = perAccount(parameters);
  return {
    alert: 'UptimeExporterBudgetTooSmall',
    severity: 'info',
    expr: `3600 * sum by (${account}) (${missing}) > 0
unless on (${account}) (max_over_time(uptime_exporter_budget_paused[${span(3600, parameters)}]) == 1)`,
    forSeconds: 3600,
    summary: 'The request budget of {{ $labels.account }} is too small for some data',
    description: `${'{{ $value | printf "%.0f" }}'} more requests an hour would refresh all data of ${theAccount} often enough.{{ with ${names} }} Too rare now:{{ range $at, $one := . }}{{ if $at }},{{ end }} {{ $one.Labels.dataset }}{{ end }}.{{ end }}`,
  };
}

function tallyLag(parameters: RuleParameters): PollingAlert {
  const { seconds } = parameters.thresholds.tally_lag;
  return {
    alert: 'UptimeExporterTallyLag',
    severity: 'warning',
    expr: `(${onAnyReplica(`uptime_exporter_tally_lag_seconds > ${seconds}`, parameters)})
and on (${anyInstanceLabels(parameters)}) (${wasReadable(parameters)})`,
    forSeconds: 1800,
    summary: 'Counters of {{ $labels.account }} are {{ $value | humanizeDuration }} behind',
    description: `The counters and error budgets of a check of ${theAccount} have not moved for {{ $value | humanizeDuration }}, although the check list is read. Its outage report does not arrive.`,
  };
}

function rejectedEntries(parameters: RuleParameters): PollingAlert {
  const rejected = 'uptime_exporter_rejected_entries_total';
  return {
    alert: 'UptimeExporterRejectedEntries',
    severity: 'warning',
    expr: `sum by (${perAccount(parameters)}, dataset) (increase(${rejected}[${span(3600, parameters)}])) > 0`,
    forSeconds: 900,
    summary: 'Some {{ $labels.dataset }} of {{ $labels.account }} cannot be read',
    description: `Entries of the dataset {{ $labels.dataset }} of ${theAccount} are malformed and left out. The objects that they describe are not watched.`,
  };
}

/**
 * Several exporters, each with its own store, poll one account. All customers of a service have the
 * same base URL, so the lowest check id identifies the account. Replicas share one store.
 */
const twoPollers: PollingAlert = {
  alert: 'UptimeExporterTwoPollers',
  severity: 'warning',
  expr: `count by (account, base_url, first_check) (
  count by (account, base_url, first_check, store) (uptime_account_info{first_check!=""})
) > 1`,
  forSeconds: 900,
  summary: '{{ $value }} exporters poll account {{ $labels.account }}',
  description: `{{ $value }} exporters, each with its own store, poll ${theAccount}. Together they spend {{ $value }} times as many API requests.`,
};

const labelLimit: PollingAlert = {
  alert: 'UptimeExporterLabelLimitReached',
  severity: 'info',
  expr: 'uptime_exporter_label_values_dropped_total > 0',
  forSeconds: 300,
  summary: 'The label {{ $labels.label }} of {{ $labels.account }} has too many values',
  description: `{{ $value }} values of the promoted label {{ $labels.label }} of ${theAccount} were left empty. Alerts of those checks cannot be routed by this label.`,
};
