import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startDemo } from '../support/exporter-command.ts';
import { casesOf } from '../support/extent.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { missing } from '../support/tools.ts';
import { asPrometheus, endpointOf } from './chart.ts';

const monitors = [
  ['ServiceMonitor', 'tls', 'uptime-uptime-exporter'],
  ['PodMonitor', 'everything', 'uptime-pingdom'],
] as const;

describe.skipIf(missing('helm') || missing('prometheus'))('a Prometheus with', () => {
  test.each(casesOf(monitors, 0))(
    'the relabelling of the %s gives series of an account a fixed instance, and `up` its own',
    async (kind, values, instance) => {
      const { relabelings, metricRelabelings } = await endpointOf(
        kind,
        join(import.meta.dirname, 'values', `${values}.yaml`),
      );
      const { url } = await startDemo(['--checks=3']);
      const target = new URL(url).host;
      const prometheus = await startPrometheus(target, {
        targetLabels: { pod: 'uptime-exporter-6d5c9-x2x7q', node: 'node-1' },
        scrape: {
          relabel_configs: relabelings.map(asPrometheus),
          metric_relabel_configs: metricRelabelings.map(asPrometheus),
        },
      });

      const [up] = await prometheus.eventually('up == 1');
      expect(up?.labels).toEqual({ __name__: 'up', job: 'uptime', instance: target });
      await prometheus.eventually('uptime_check_status');
      // Without series for a moment after a scrape that was too slow.
      const instancesOf = async (selector: string) =>
        (await prometheus.eventually(`count by (instance) (${selector})`)).map(
          ({ labels }) => labels.instance,
        );
      expect(await instancesOf('{account!="", __name__!="up"}')).toEqual([instance]);
      expect(await instancesOf('{account="", __name__=~"uptime_.+|process_.+"}')).toEqual([target]);
      // No two series were merged.
      expect(
        await prometheus.query('scrape_samples_post_metric_relabeling != scrape_samples_scraped'),
      ).toEqual([]);
      expect(await prometheus.query(`up{instance="${instance}"}`)).toEqual([]);
    },
  );

  test.each([
    ['ServiceMonitor', 'replicas', 'uptime-uptime-exporter'],
    ['PodMonitor', 'database', 'websites'],
  ] as const)(
    'the relabelling of the %s with a database gives one instance to all families except uptime_exporter_*',
    async (kind, values, instance) => {
      const { relabelings, metricRelabelings } = await endpointOf(
        kind,
        join(import.meta.dirname, 'values', `${values}.yaml`),
      );
      const { url } = await startDemo(['--checks=3']);
      const target = new URL(url).host;
      const prometheus = await startPrometheus(target, {
        scrape: {
          relabel_configs: relabelings.map(asPrometheus),
          metric_relabel_configs: metricRelabelings.map(asPrometheus),
        },
      });

      await prometheus.eventually('uptime_check_status');
      // Without series for a moment after a scrape that was too slow.
      const instancesOf = async (selector: string) =>
        (await prometheus.eventually(`count by (instance) (${selector})`)).map(
          ({ labels }) => labels.instance,
        );
      const ofExporter = '__name__=~"uptime_exporter_.+"';
      expect(await instancesOf('{__name__=~"uptime_.+", __name__!~"uptime_exporter_.+"}')).toEqual([
        instance,
      ]);
      expect(await instancesOf(`{account="", ${ofExporter}}`)).toEqual([target]);
      expect(await instancesOf(`{account!="", ${ofExporter}}`)).toEqual([target]);
      expect(await instancesOf('{__name__=~"process_.+|up"}')).toEqual([target]);
    },
  );
});
