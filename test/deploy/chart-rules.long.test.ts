import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startDemo } from '../support/exporter-command.ts';
import { casesOf } from '../support/extent.ts';
import { freePort } from '../support/free-port.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { missing } from '../support/tools.ts';
import { asPrometheus, endpointOf, objectsOf, template } from './chart.ts';

const valuesOf = (name: string) => join(import.meta.dirname, 'rule-values', `${name}.yaml`);

describe.skipIf(missing('helm') || missing('prometheus'))(
  'a Prometheus with monitor and rules of the chart',
  () => {
    const values = [
      ['monitor-job', 'ServiceMonitor', 'foo'],
      ['pod-monitor-job', 'PodMonitor', "team a's pods"],
      ['same-job-twice', 'ServiceMonitor', 'websites'],
      ['links', 'ServiceMonitor', 'uptime'],
      ['thresholds', 'ServiceMonitor', 'uptime-eu'],
      ['severities', 'PodMonitor', 'uptime'],
    ] as const;
    test.each(casesOf(values, 2))(
      'has every alert for the job of the monitor, with the values of %s',
      async (name, kind, job) => {
        const { relabelings, metricRelabelings } = await endpointOf(kind, valuesOf(name));
        const objects = objectsOf(await template(valuesOf(name)));
        const rules = objects.find((one) => one.kind === 'PrometheusRule')?.spec;
        const { url } = await startDemo(['--checks=20']);
        const silent = `127.0.0.1:${await freePort()}`;
        const prometheus = await startPrometheus('', {
          rules: [stringify(rules)],
          scrape: {
            static_configs: [{ targets: [new URL(url).host, silent] }],
            relabel_configs: relabelings.map(asPrometheus),
            metric_relabel_configs: metricRelabelings.map(asPrometheus),
          },
        });

        // One alert about a check, and one about a target that does not respond, which waits for
        // minutes.
        await prometheus.eventually('ALERTS{alertname="UptimeCheckDown", alertstate="firing"}');
        await prometheus.eventually('ALERTS{alertname="UptimeExporterDown"}');
        const alerts = await prometheus.query('ALERTS');
        expect(new Set(alerts.map(({ labels }) => labels.job))).toEqual(new Set([job]));
        expect(alerts.map(({ labels }) => labels.alertname)).not.toContain('UptimeExporterAbsent');
        expect(await prometheus.query('prometheus_rule_evaluation_failures_total > 0')).toEqual([]);
      },
    );
  },
);
