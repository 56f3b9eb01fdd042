import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startDemo } from '../support/exporter-command.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { missing } from '../support/tools.ts';
import { objectsOf, template } from './chart.ts';

interface Relabelling {
  readonly sourceLabels?: readonly string[];
  readonly targetLabel?: string;
  readonly regex?: string;
  readonly replacement?: string;
  readonly action?: string;
}

interface Endpoint {
  readonly relabelings: readonly Relabelling[];
  readonly metricRelabelings: readonly Relabelling[];
}

interface Monitor {
  readonly spec: {
    readonly endpoints?: readonly Endpoint[];
    readonly podMetricsEndpoints?: readonly Endpoint[];
  };
}

/** As the operator writes it into the configuration of Prometheus. */
function asPrometheus({ sourceLabels, targetLabel, ...rest }: Relabelling): object {
  return {
    ...(sourceLabels && { source_labels: sourceLabels }),
    ...(targetLabel !== undefined && { target_label: targetLabel }),
    ...rest,
  };
}

async function endpointOf(kind: string, values: string): Promise<Endpoint> {
  const file = join(import.meta.dirname, 'values', `${values}.yaml`);
  const found = objectsOf(await template(file)).find((object) => object.kind === kind);
  const { spec } = found as never as Monitor;
  const [endpoint] = spec.endpoints ?? spec.podMetricsEndpoints ?? [];
  if (endpoint === undefined) throw new Error(`no ${kind} in ${values}`);
  return endpoint;
}

describe.skipIf(missing('helm') || missing('prometheus'))('a Prometheus with', () => {
  test.each([
    ['ServiceMonitor', 'tls'],
    ['PodMonitor', 'tls-and-users'],
  ])(
    'the relabelling of the %s gives series of an account a fixed instance, and `up` its own',
    async (kind, values) => {
      const { relabelings, metricRelabelings } = await endpointOf(kind, values);
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
      const instancesOf = async (selector: string) =>
        (await prometheus.query(`count by (instance) (${selector})`)).map(
          ({ labels }) => labels.instance,
        );
      expect(await instancesOf('{account!="", __name__!="up"}')).toEqual([
        'uptime-uptime-exporter',
      ]);
      expect(await instancesOf('{account="", __name__=~"uptime_.+|process_.+"}')).toEqual([target]);
      // No two series became one.
      expect(
        await prometheus.query('scrape_samples_post_metric_relabeling != scrape_samples_scraped'),
      ).toEqual([]);
      expect(await prometheus.query('up{instance="uptime-uptime-exporter"}')).toEqual([]);
    },
  );
});
