import type { RuleParameters } from './parameters.ts';
import { span } from './promql.ts';
import type { AlertRule, RuleGroup } from './rule.ts';

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
