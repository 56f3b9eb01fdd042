import { expect, test } from 'vitest';
import { startDemo } from '../support/exporter-command.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { missing } from '../support/tools.ts';
import { startWatchedSandbox } from '../support/watched-sandbox.ts';

test.skipIf(missing('prometheus'))('a real Prometheus scrapes the demo', async () => {
  const demo = await startDemo();
  const prometheus = await startPrometheus(new URL(demo.url).host);

  const up = await prometheus.eventually('uptime_up');
  expect(up).toMatchObject([{ labels: { account: 'demo', job: 'uptime' }, value: 1 }]);

  const byStatus = await prometheus.query('sum by (status) (uptime_check_status)');
  expect(byStatus.map(({ labels }) => labels.status).sort()).toEqual([
    'down',
    'paused',
    'unconfirmed_down',
    'unknown',
    'up',
  ]);
  for (const { value } of byStatus) expect(value).toBeGreaterThan(0);
  expect(byStatus.reduce((sum, { value }) => sum + value, 0)).toBe(24);

  expect(await prometheus.query('scrape_samples_scraped{job="uptime"} > 400')).toHaveLength(1);
});

test.skipIf(missing('prometheus'))('a real Prometheus reads names with every escape', async () => {
  const watched = await startWatchedSandbox({ checks: 24 });
  await watched.settled((page) => page.includes('uptime_check_info'));
  const prometheus = await startPrometheus(new URL(watched.url).host);
  await prometheus.eventually('uptime_up');

  const name = String.raw`Say \"hi\" \\ back\nsecond line`;
  const named = await prometheus.query(`uptime_check_info{name="${name}"}`);
  expect(named).toHaveLength(1);
  expect(named[0]?.labels.name).toBe('Say "hi" \\ back\nsecond line');
});
