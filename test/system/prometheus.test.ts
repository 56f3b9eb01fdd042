import { expect, test } from 'vitest';
import { startPrometheus } from '../support/prometheus.ts';
import { missing } from '../support/tools.ts';
import { startWatchedSandbox } from '../support/watched-sandbox.ts';

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
