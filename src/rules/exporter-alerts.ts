import type { RuleParameters } from './parameters.ts';
import { perAccount, perTarget, quoted, span } from './promql.ts';
import { isReplaceable, rememberedReplicas, unlessDatabaseDown } from './replica-alerts.ts';
import type { AlertRule, RuleGroup } from './rule.ts';

/** Alerts about the exporter process: one for each instance, not for each account. */
export function exporterAlerts(parameters: RuleParameters): RuleGroup {
  const { clock, scrape } = parameters.thresholds;
  const job = `job=${quoted(parameters.job)}`;
  const slowScrape = scrape.timeout_seconds * scrape.share;
  const instance = perTarget(parameters);
  const rules: readonly Omit<AlertRule, 'subject'>[] = [
    {
      alert: 'UptimeExporterDown',
      severity: { words: 'critical, or warning if other replicas have its accounts' },
      // If no other replica takes an account, UptimeExporterAccountWithoutHolder reports that.
      expr: `label_replace(up{${job}} == 0 ${isReplaceable(parameters)}, "severity", "warning", "", "")
or on (${instance}) label_replace(up{${job}} == 0, "severity", "critical", "", "")`,
      forSeconds: 300,
      summary: 'The uptime exporter {{ $labels.instance }} is down',
      description:
        'Prometheus cannot scrape {{ $labels.instance }}. {{ if eq $labels.severity "warning" }}Other replicas take its accounts.{{ else }}Nobody is watching its accounts. Open alerts stay open.{{ end }}',
    },
    {
      alert: 'UptimeExporterAbsent',
      severity: 'critical',
      expr: `absent(up{${job}})`,
      forSeconds: 600,
      summary: 'No uptime exporter is being scraped',
      description:
        'Prometheus has no target with the job {{ $labels.job }}. Nobody is watching the checks.',
    },
    {
      alert: 'UptimeExporterClockWrong',
      severity: 'warning',
      expr: `max by (${instance}) (abs(uptime_exporter_api_clock_offset_seconds)) > ${clock.off_by_seconds}`,
      forSeconds: 900,
      summary: 'The clock of {{ $labels.instance }} is wrong',
      description:
        "The clock of the exporter {{ $labels.instance }} differs from the clock of the service by {{ $value | humanizeDuration }}. Counters use the service's clock and are right. Ages and forecasts are wrong by this time.",
    },
    {
      alert: 'UptimeExporterStoreFailing',
      severity: 'critical',
      // A single failed write does not cause an alert, because the next one may succeed. The gauge
      // covers writes that are further apart than the range; the increase covers small writes that
      // succeed in between.
      expr: `(uptime_exporter_store_failing == 1 or increase(uptime_exporter_store_errors_total[${span(300, parameters)}]) > 0)
${unlessDatabaseDown(parameters)}`,
      forSeconds: 600,
      keepFiringSeconds: 300,
      summary: 'The exporter {{ $labels.instance }} cannot store its counters',
      description:
        'Writes to the storage of {{ $labels.instance }} keep failing. Counters stay at their last stored values until a write succeeds.',
    },
    {
      alert: 'UptimeExporterScrapeSlow',
      severity: 'warning',
      // The range is shorter than the wait, so a single slow scrape does not cause an alert.
      expr: `max_over_time(scrape_duration_seconds{${job}}[${span(300, parameters)}]) > ${slowScrape}`,
      forSeconds: 600,
      summary: 'Scrapes of {{ $labels.instance }} nearly time out',
      description: `A scrape of the exporter {{ $labels.instance }} took {{ $value | humanizeDuration }}. Prometheus gives up after ${scrape.timeout_seconds} s and then has no data.`,
    },
    {
      alert: 'UptimeExporterConfigReloadFailed',
      severity: 'warning',
      expr: 'uptime_exporter_config_last_reload_successful == 0',
      forSeconds: 300,
      summary: 'The exporter {{ $labels.instance }} could not reload its configuration',
      description:
        'The last reload of the configuration of the exporter {{ $labels.instance }} failed, so it still uses the previous one. With the present file it would not start.',
    },
    countersReset(parameters, instance),
  ];
  return {
    name: 'uptime-exporter',
    rules: [
      rememberedReplicas(parameters),
      ...rules.map((rule) => ({ ...rule, subject: 'exporter' as const })),
    ],
  };
}

/**
 * An account has a new store, or a store could not read some of its records. Two exporters that
 * poll one account have two stores at the same time; UptimeExporterTwoPollers reports that.
 */
function countersReset(parameters: RuleParameters, instance: string): Omit<AlertRule, 'subject'> {
  const account = perAccount(parameters);
  const day = span(86_400, parameters);
  const quarter = span(900, parameters);
  const lost = 'uptime_exporter_store_records_lost_total';
  return {
    alert: 'UptimeExporterCountersReset',
    severity: 'warning',
    expr: `count by (${account}) (count by (${account}, store) (last_over_time(uptime_account_info[${day}]))) > 1
unless on (${account}) count by (${account}) (uptime_account_info) > 1
or on (${instance}) sum by (${instance}) (increase(${lost}[${quarter}]) > 0 or (${lost} > 0 unless ${lost} offset ${quarter}))`,
    keepFiringSeconds: 3600,
    summary: 'Counters of {{ $labels.instance }} were lost',
    description:
      'The exporter {{ $labels.instance }} {{ if $labels.account }}has a new store: all counters of account {{ $labels.account }} restart at 0{{ else }}lost stored records, or its store is older than the data that it has served: the counters that its log names restart at 0{{ end }}. Prometheus sees a counter reset.',
  };
}
