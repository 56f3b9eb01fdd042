import { isIPv6 } from 'node:net';
import { expect, test } from 'vitest';
import { recordedWire } from '../../sandbox/src/wire.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { missing } from '../support/tools.ts';

/** The configuration of docs/http.md for the blackbox exporter. */
function probeJob(exporterUrl: string, blackbox: string) {
  return {
    job_name: 'probe',
    metrics_path: '/probe',
    http_sd_configs: [
      { url: `${exporterUrl}/sd?tag=prod&tag=staging&state=up`, refresh_interval: '5s' },
    ],
    relabel_configs: [
      { source_labels: ['__meta_uptime_check_tags'], regex: '.*,prod,.*', action: 'keep' },
      { source_labels: ['__address__'], target_label: '__param_target' },
      { source_labels: ['__param_target'], target_label: 'instance' },
      { source_labels: ['__meta_uptime_check_id'], target_label: 'check_id' },
      { source_labels: ['__meta_uptime_check_name'], target_label: 'name' },
      {
        source_labels: ['__meta_uptime_check_tags'],
        regex: '.*,team:([^,]+),.*',
        target_label: 'team',
      },
      { target_label: '__address__', replacement: blackbox },
    ],
  };
}

test.skipIf(missing('prometheus'))(
  'a real Prometheus discovers the hosts of the checks and relabels them',
  async () => {
    const exporter = await RestartableExporter.create({
      seed: 2,
      checks: 24,
      transactions: 0,
      // The states of this moment are compared with the first list.
      wire: recordedWire,
    });
    await exporter.start();
    await exporter.pass(30);
    const { host } = new URL(exporter.url);
    const prometheus = await startPrometheus(host, {
      // No prober runs here. It is enough that Prometheus tries the targets.
      scrapeConfigs: [probeJob(exporter.url, host)],
    });
    const { world, history } = exporter.sandbox;
    const wanted = world.checks.flatMap((check) => {
      const names = check.tags.map(({ name }) => name);
      const isUp = history.stateAt(check, exporter.now) === 'up';
      if (!names.includes('prod') || !isUp) return [];
      const team = names.find((name) => name.startsWith('team:'))?.slice('team:'.length);
      const instance = isIPv6(check.hostname) ? `[${check.hostname}]` : check.hostname;
      return [{ instance, check_id: `${check.id}`, name: check.name, team }];
    });
    expect(wanted.length).toBeGreaterThan(5);

    await prometheus.eventually(`count(up{job="probe"}) == ${wanted.length}`);
    const targets = await prometheus.query('up{job="probe"}');
    const found = targets.map(({ labels: { instance, check_id, name, team } }) => ({
      instance,
      check_id,
      name,
      team,
    }));
    const byId = (a: { check_id?: string | undefined }, b: { check_id?: string | undefined }) =>
      Number(a.check_id) - Number(b.check_id);
    expect(found.sort(byId)).toEqual(wanted.sort(byId));
  },
);
