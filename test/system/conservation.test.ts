import { test } from 'vitest';
import { RestartableExporter } from '../support/restartable-exporter.ts';

test('speed', async () => {
  const e = await RestartableExporter.create({
    checks: 8,
    transactions: 3,
    shortLimit: 400,
    longLimit: 72000,
  });
  await e.start();
  let t = performance.now();
  for (let d = 0; d < 3; d++) {
    await e.pass(86400);
    await e.scrape();
    console.log(
      d,
      performance.now() - t,
      e.sandbox.journal.total,
      e.sandbox.journal.countOfOperation('checks'),
      e.sandbox.journal.countOfOperation('results'),
      e.watch.backsteps.length,
    );
    t = performance.now();
  }
}, 100000);
