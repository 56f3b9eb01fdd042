import { account } from './matching.ts';
import type { AlertRule, RuleGroup, Severity } from './rule.ts';
import { thresholds } from './thresholds.ts';

const { exporterDown, exporterAbsent, unreadable, stale, apiBudget, exhaustion } = thresholds;
const {
  job,
  throttled,
  budgetTooSmall,
  unauthorized,
  clockWrong,
  store,
  configReload,
  labelLimit,
} = thresholds;

const remaining = 'uptime_exporter_rate_limit_remaining';
const left = `${remaining}{window="long"}`;
const theAccount = 'account {{ $labels.account }}';

const lastSuccess = 'uptime_exporter_dataset_last_success_timestamp_seconds';

/** Of the check list UptimeExporterAccountUnreadable tells. */
function dataStale(severity: Severity, datasets: string): AlertRule {
  const age = `time() - ${lastSuccess}{${datasets}}`;
  return {
    alert: 'UptimeExporterDataStale',
    severity,
    expr: `(${age})
> clamp_min(${stale.intervals} * uptime_exporter_dataset_interval_seconds, ${stale.leastSeconds})`,
    for: stale.for,
    summary: 'The {{ $labels.dataset }} of {{ $labels.account }} are out of date',
    description: `The dataset {{ $labels.dataset }} of ${theAccount} was last refreshed {{ $value | humanizeDuration }} ago, more than ${stale.intervals} times its planned interval. Its series are withdrawn, and alerts that rest on them cannot fire.`,
  };
}

/** The first error may be older than the first scrape: then nothing has increased yet. */
function recentErrors(selector: string): string {
  const errors = `uptime_exporter_dataset_errors_total{${selector}}`;
  return `increase(${errors}[${unauthorized.within}]) > 0
    or (${errors} > 0 unless ${errors} offset ${unauthorized.within})`;
}

export const exporterAlerts: RuleGroup = {
  name: 'uptime-exporter',
  rules: [
    {
      alert: 'UptimeExporterDown',
      severity: 'critical',
      expr: `up{job="${job}"} == 0`,
      for: exporterDown.for,
      summary: 'The exporter {{ $labels.instance }} cannot be scraped',
      description: `Prometheus has not reached the exporter {{ $labels.instance }} for ${exporterDown.for}. Nothing is known of its accounts; what was not counted meanwhile is made up for when it is back.`,
    },
    {
      alert: 'UptimeExporterAbsent',
      severity: 'critical',
      expr: `absent(up{job="${job}"})`,
      for: exporterAbsent.for,
      summary: 'No exporter is scraped at all',
      description: `Prometheus has no target with the job ${job}: nobody watches the checks.`,
    },
    {
      alert: 'UptimeExporterAccountUnreadable',
      severity: 'critical',
      expr: 'uptime_up == 0',
      for: unreadable.for,
      summary: 'The checks of {{ $labels.account }} cannot be read',
      description: `For ${unreadable.for} no refresh of the check list of ${theAccount} has worked. Once the list is too old its series are withdrawn, and alerts that rest on them cannot fire.`,
    },
    dataStale('critical', 'dataset="transactions"'),
    dataStale('warning', 'dataset!~"checks|transactions"'),
    {
      alert: 'UptimeExporterApiBudgetLow',
      severity: 'warning',
      expr: `${remaining} / uptime_exporter_rate_limit_limit < ${apiBudget.shareLeft}`,
      for: apiBudget.for,
      summary: 'Account {{ $labels.account }} has few API requests left',
      description: `Only {{ $value | humanizePercentage }} of the {{ $labels.window }} window of ${theAccount} are left. The exporter stops at its reserve, so other clients of the account spend the rest.`,
    },
    {
      alert: 'UptimeExporterApiBudgetExhaustionPredicted',
      severity: 'warning',
      // After a reset more is left than before, so the old spending predicts nothing.
      expr: `${left}
+ (${left} - ${left} offset ${exhaustion.trendHours}h) / ${exhaustion.trendHours * 3600}
  * (uptime_exporter_rate_limit_reset_timestamp_seconds{window="long"} - time())
< 0`,
      for: exhaustion.for,
      summary: 'Account {{ $labels.account }} will run out of API requests before the reset',
      description: `If the spending of the last ${exhaustion.trendHours} hours goes on, ${theAccount} has used up its long window before it is reset, and every client is refused until then.`,
    },
    {
      alert: 'UptimeExporterApiThrottled',
      severity: 'warning',
      expr: `sum by (${account}) (
  increase(uptime_exporter_dataset_errors_total{reason="rate_limited"}[${throttled.within}])
) > 0`,
      summary: 'The service refuses requests of {{ $labels.account }}: limit reached',
      description: `The service answered 429 to requests of ${theAccount} within the last ${throttled.within}. The exporter waits for the reset; nothing is refreshed meanwhile.`,
    },
    {
      alert: 'UptimeExporterBudgetTooSmall',
      severity: 'warning',
      expr: '3600 * uptime_exporter_dataset_missing_requests_per_second > 0',
      for: budgetTooSmall.for,
      summary: 'The API budget of {{ $labels.account }} is too small for {{ $labels.dataset }}',
      description: `The budget of ${theAccount} lacks {{ $value | printf "%.1f" }} requests an hour to refresh the dataset {{ $labels.dataset }} often enough to be of use.`,
    },
    {
      alert: 'UptimeExporterUnauthorized',
      severity: 'critical',
      // A dataset that the account does not include answers 403 too; only without the check list is all refused.
      expr: `sum by (${account}) (
  (
    ${recentErrors('reason="unauthorized"')}
    or ${recentErrors('reason="forbidden", dataset="checks"')}
  )
  unless on (${account}, dataset)
    (${lastSuccess} >= uptime_exporter_dataset_last_attempt_timestamp_seconds)
)`,
      summary: 'The service does not let the exporter read {{ $labels.account }}',
      description: `The last requests of ${theAccount} were refused: the service does not accept its credentials (401), or does not let them read the check list (403). Nothing is refreshed until the exporter has other credentials.`,
    },
    {
      alert: 'UptimeExporterClockWrong',
      severity: 'warning',
      expr: `abs(uptime_exporter_api_clock_offset_seconds) > ${clockWrong.offByMoreThanSeconds}`,
      for: clockWrong.for,
      summary: 'The clocks of {{ $labels.instance }} and of the service are apart',
      description: `The clock of the service is off that of the exporter {{ $labels.instance }} by {{ $value | humanizeDuration }}, seen with ${theAccount}. When the exporter's is more than five minutes slow, its counters stand still until it is set.`,
    },
    {
      alert: 'UptimeExporterStoreFailing',
      severity: 'critical',
      expr: `increase(uptime_exporter_store_errors_total[${store.within}]) > 0`,
      summary: 'The exporter {{ $labels.instance }} cannot store its counters',
      description:
        'Writes to the storage of the exporter {{ $labels.instance }} fail. It goes on serving what it had stored; counters stand still until a write works.',
    },
    {
      alert: 'UptimeExporterConfigReloadFailed',
      severity: 'warning',
      expr: 'uptime_exporter_config_last_reload_successful == 0',
      for: configReload.for,
      summary: 'The exporter {{ $labels.instance }} could not reload its configuration',
      description:
        'The last reading of the configuration of the exporter {{ $labels.instance }} failed, so that it still uses the former one. With what is in the file now it would not start.',
    },
    {
      alert: 'UptimeExporterLabelLimitReached',
      severity: 'info',
      expr: 'uptime_exporter_label_values_dropped_total > 0',
      for: labelLimit.for,
      summary: 'The label {{ $labels.label }} of {{ $labels.account }} has too many values',
      description: `{{ $value }} values of the promoted label {{ $labels.label }} of ${theAccount} were left empty: alerts cannot be routed by it for those checks.`,
    },
  ],
};
