import type { RuleParameters } from './parameters.ts';
import { account, rose, span, wasReadable } from './promql.ts';
import type { AlertRule, RuleGroup, Severity } from './rule.ts';
import { ask } from './texts.ts';

/** The exporter as a process: one alert for an instance, whatever accounts it has. */
export function exporterAlerts(parameters: RuleParameters): RuleGroup {
  const { job, thresholds } = parameters;
  const { clock, scrape } = thresholds;
  const slowScrape = scrape.timeout_seconds * scrape.share;
  const rules: readonly Omit<AlertRule, 'subject'>[] = [
    {
      alert: 'UptimeExporterDown',
      severity: 'critical',
      expr: `up{job="${job}"} == 0`,
      forSeconds: 300,
      summary: 'The uptime exporter {{ $labels.instance }} is down',
      description:
        'Prometheus has failed to scrape the exporter {{ $labels.instance }} for 5 minutes. Nobody is watching its accounts; alerts about checks that were down stay open. When the exporter is back, it fills the gap in its counters.',
    },
    {
      alert: 'UptimeExporterAbsent',
      severity: 'critical',
      expr: `absent(up{job="${job}"})`,
      forSeconds: 600,
      summary: 'No uptime exporter is being scraped',
      description: `Prometheus has had no target with the job ${job} for 10 minutes: nobody watches the checks.`,
    },
    {
      alert: 'UptimeExporterClockWrong',
      severity: 'warning',
      expr: `max by (job, instance) (abs(uptime_exporter_api_clock_offset_seconds)) > ${clock.off_by_seconds}`,
      forSeconds: 900,
      summary: 'The clock of {{ $labels.instance }} is wrong',
      description:
        "The clock of the exporter {{ $labels.instance }} and the service's differ by {{ $value | humanizeDuration }}. Counters go by the service's clock and are right; ages and forecasts are off by as much.",
    },
    {
      alert: 'UptimeExporterStoreFailing',
      severity: 'critical',
      expr: `increase(uptime_exporter_store_errors_total[${span(900, parameters)}]) > 0`,
      summary: 'The exporter {{ $labels.instance }} cannot store its counters',
      description:
        'Writes to the storage of the exporter {{ $labels.instance }} have failed in the last 15 minutes. It serves what it had stored; counters are paused until a write works.',
    },
    {
      alert: 'UptimeExporterScrapeSlow',
      severity: 'warning',
      expr: `max_over_time(scrape_duration_seconds{job="${job}"}[${span(600, parameters)}]) > ${slowScrape}`,
      forSeconds: 600,
      summary: 'Scrapes of {{ $labels.instance }} nearly time out',
      description: `A scrape of the exporter {{ $labels.instance }} took {{ $value | humanizeDuration }} in the last 10 minutes. At ${scrape.timeout_seconds} s Prometheus gives up, and nothing is known.`,
    },
    {
      alert: 'UptimeExporterConfigReloadFailed',
      severity: 'warning',
      expr: 'uptime_exporter_config_last_reload_successful == 0',
      forSeconds: 300,
      summary: 'The exporter {{ $labels.instance }} could not reload its configuration',
      description:
        'The last reload of the configuration of the exporter {{ $labels.instance }} failed, so it still uses the former one. It would not start with what is in the file now.',
    },
  ];
  return {
    name: 'uptime-exporter',
    rules: rules.map((rule) => ({ ...rule, subject: 'exporter' })),
  };
}

const theAccount = 'account {{ $labels.account }}';
const paused = 'uptime_exporter_budget_paused == 1';

/**
 * Problems of polling, per account. A cause is reported once: what follows from it is left out by the
 * expressions, so that nothing has to be inhibited.
 */
export function pollingAlerts(parameters: RuleParameters): RuleGroup {
  const rules = [
    unauthorized(parameters),
    budgetPaused,
    unreadable(parameters),
    stale('critical', 'dataset="transactions"', 600, parameters),
    stale('warning', 'dataset!~"checks|transactions"', 1800, parameters),
    exhaustionPredicted(parameters),
    budgetTooSmall(parameters),
    tallyLag(parameters),
    rejectedEntries(parameters),
    countersReset(parameters),
    twoPollers,
    labelLimit,
  ];
  return { name: 'uptime-polling', rules: rules.map((rule) => ({ ...rule, subject: 'exporter' })) };
}

type Rule = Omit<AlertRule, 'subject'>;

/** A dataset that the plan of the account does not include answers 403 too; without the check list all is refused. */
function refused(parameters: RuleParameters): string {
  const errors = 'uptime_exporter_dataset_errors_total';
  const last = 7200;
  return `max by (${account}) (
  ${rose(`${errors}{reason="unauthorized"}`, last, parameters)}
  or ${rose(`${errors}{reason="forbidden", dataset="checks"}`, last, parameters)}
)
and on (${account}) (uptime_up == 0)`;
}

function unauthorized(parameters: RuleParameters): Rule {
  return {
    alert: 'UptimeExporterUnauthorized',
    severity: 'critical',
    expr: refused(parameters),
    summary: 'The service rejects the credentials of {{ $labels.account }}',
    description: `The service rejects the credentials of ${theAccount} (401), or does not let them read the check list (403). Nothing will be refreshed until the exporter gets new credentials; alerts about checks that were down stay open.`,
  };
}

const budgetPaused: Rule = {
  alert: 'UptimeExporterBudgetPaused',
  severity: 'critical',
  expr: paused,
  forSeconds: 600,
  // The hold is lifted for the one request that tries whether it is over.
  keepFiringSeconds: 300,
  summary: 'Account {{ $labels.account }} is out of API requests',
  description: `The exporter has sent no requests for ${theAccount} for 10 minutes: only the reserve for other clients is left, or the service answered 429. Another client is using up the account's requests. Nothing will be refreshed until the limit resets; alerts about checks that were down stay open.`,
};

function unreadable(parameters: RuleParameters): Rule {
  return {
    alert: 'UptimeExporterAccountUnreadable',
    severity: 'critical',
    expr: `uptime_up == 0
unless on (${account}) (${paused})
unless on (${account}) (
  ${refused(parameters).replaceAll('\n', '\n  ')}
)`,
    forSeconds: 600,
    summary: 'The checks of {{ $labels.account }} cannot be read',
    description: `The exporter has failed to read the check list of ${theAccount} for 10 minutes. New outages go unnoticed; alerts about checks that were down stay open.`,
  };
}

/** UptimeExporterAccountUnreadable covers the check list. Data that never arrived are stale as well. */
function stale(
  severity: Severity,
  datasets: string,
  forSeconds: number,
  parameters: RuleParameters,
): Rule {
  return {
    alert: 'UptimeExporterDataStale',
    severity,
    // What is asked for on evidence only has no interval, and what was never needed no attempt.
    expr: `uptime_exporter_dataset_stale{${datasets}} == 1
and uptime_exporter_dataset_interval_seconds
and uptime_exporter_dataset_last_attempt_timestamp_seconds
and on (${account}) (${wasReadable(parameters)})`,
    forSeconds,
    summary: 'The {{ $labels.dataset }} of {{ $labels.account }} are out of date',
    description: `The dataset {{ $labels.dataset }} of ${theAccount} has not been refreshed for three of its planned intervals, or never, although the check list is. Its series are withdrawn.`,
  };
}

function exhaustionPredicted(parameters: RuleParameters): Rule {
  const hours = 6;
  const left = 'uptime_exporter_rate_limit_remaining{window="long"}';
  return {
    alert: 'UptimeExporterApiBudgetExhaustionPredicted',
    severity: 'info',
    // After a reset more is left than before, so the old spending predicts nothing.
    expr: `${left}
+ (${left} - ${left} offset ${span(hours * 3600, parameters)}) / ${hours * 3600}
  * (uptime_exporter_rate_limit_reset_timestamp_seconds{window="long"} - time())
< 0
unless on (${account}) (${paused})`,
    forSeconds: 1800,
    summary: 'Account {{ $labels.account }} will run out of API requests before the reset',
    description: `If the spending of the last ${hours} hours goes on, the long window of ${theAccount} is used up before it resets. The exporter slows down by itself; another client does not.`,
  };
}

function budgetTooSmall(parameters: RuleParameters): Rule {
  const missing = 'uptime_exporter_dataset_missing_requests_per_second';
  const names = ask('account', `topk(5, ${missing}{*} > 0)`);
  return {
    alert: 'UptimeExporterBudgetTooSmall',
    severity: 'info',
    expr: `3600 * sum by (${account}) (${missing}) > 0
unless on (${account}) (max_over_time(uptime_exporter_budget_paused[${span(3600, parameters)}]) == 1)`,
    forSeconds: 3600,
    summary: 'The API budget of {{ $labels.account }} is too small',
    description: `${'{{ $value | printf "%.0f" }}'} more requests an hour are needed to refresh everything of ${theAccount} often enough to be of use.{{ with ${names} }} Too seldom now: {{ range $at, $one := . }}{{ if $at }}, {{ end }}{{ $one.Labels.dataset }}{{ end }}.{{ end }}`,
  };
}

function tallyLag(parameters: RuleParameters): Rule {
  const { seconds } = parameters.thresholds.tally_lag;
  return {
    alert: 'UptimeExporterTallyLag',
    severity: 'warning',
    expr: `uptime_exporter_tally_lag_seconds > ${seconds}
and on (${account}) (${wasReadable(parameters)})`,
    forSeconds: 1800,
    summary: 'Counters of {{ $labels.account }} are {{ $value | humanizeDuration }} behind',
    description: `The counters and error budgets of a check of ${theAccount} have not moved for {{ $value | humanizeDuration }}, although the check list is read: its outage report does not arrive.`,
  };
}

function rejectedEntries(parameters: RuleParameters): Rule {
  return {
    alert: 'UptimeExporterRejectedEntries',
    severity: 'warning',
    expr: `sum by (${account}, dataset) ${rose('uptime_exporter_rejected_entries_total', 3600, parameters)}`,
    forSeconds: 900,
    summary: 'Some {{ $labels.dataset }} of {{ $labels.account }} cannot be read',
    description: `In the last hour entries of the dataset {{ $labels.dataset }} of ${theAccount} were left out because they were malformed. What they describe is not watched.`,
  };
}

function countersReset(parameters: RuleParameters): Rule {
  const outages = 'uptime_check_outages_total';
  const lost = 'uptime_exporter_store_records_lost_total';
  return {
    alert: 'UptimeExporterCountersReset',
    severity: 'warning',
    expr: `count by (${account}) (resets(${outages}[${span(900, parameters)}]) > 0)
or on (job, instance) sum by (job, instance) ${rose(lost, 900, parameters)}`,
    keepFiringSeconds: 3600,
    summary: 'Counters of {{ $labels.instance }} were lost',
    description:
      'The exporter {{ $labels.instance }}{{ with $labels.account }} (account {{ . }}){{ end }} lost stored counters of {{ $value }} checks or records. They begin again; Prometheus sees a counter reset.',
  };
}

const twoPollers: Rule = {
  alert: 'UptimeExporterTwoPollers',
  severity: 'warning',
  expr: 'count by (job, account, base_url) (uptime_account_info) > 1',
  forSeconds: 900,
  summary: '{{ $value }} exporters poll account {{ $labels.account }}',
  description: `{{ $value }} exporters of the job {{ $labels.job }} serve ${theAccount}. They spend its API requests {{ $value }} times. If these are different accounts, give them different names.`,
};

const labelLimit: Rule = {
  alert: 'UptimeExporterLabelLimitReached',
  severity: 'info',
  expr: 'uptime_exporter_label_values_dropped_total > 0',
  forSeconds: 300,
  summary: 'The label {{ $labels.label }} of {{ $labels.account }} has too many values',
  description: `{{ $value }} values of the promoted label {{ $labels.label }} of ${theAccount} were left empty: alerts of those checks cannot be routed by it.`,
};
