import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../store/support/temporary-folder.ts';
import { BackfilledPrometheus } from '../../support/backfilled-prometheus.ts';
import { findTool, missing } from '../../support/tools.ts';
import { day, fakeExporter, from, itemWith, nowSeconds } from '../support/fake-exporter.ts';
import { runBackfill } from '../support/run-backfill.ts';

test.skipIf(missing('prometheus-3'))(
  'the command backfill finds the labels of the scrape in a real Prometheus 3, and refuses checks that have older samples or are too young',
  async () => {
    const server = await BackfilledPrometheus.create(findTool('prometheus-3') ?? '');
    const seam = from + 2 * day + 17;
    const series = (id: number, at: number) =>
      `uptime_check_state_seconds_total{account="shop",check_id="${id}",name="Check ${id}",state="up",job="up",instance="x:1"} 60 ${at}\n`;
    const text = `# TYPE uptime_check_state_seconds counter\n${series(1, seam + 60)}${series(2, seam - day)}${series(2, seam + 60)}# EOF\n`;
    await server.importText(findTool('promtool-3') ?? '', text);
    await server.start();
    await server.eventually('scrape_samples_scraped{job="other"} > 0');
    const [first] = await server.query('timestamp(up{job="other"})');
    const young = Math.ceil(first?.samples[0]?.[1] ?? 0) + 1;
    const items = [1, 2, 3].map((id) => itemWith({ id }));
    const exporter = await fakeExporter([...items, itemWith({ id: 4, firstSeenSeconds: young })]);
    const output = join(await temporaryFolder(), 'history');
    const flags = { exporter: exporter.url, from: `${from}`, output };
    const blocks = { blocks: server.data, promtool: findTool('promtool-3') ?? '' };
    // Six hours later: only the memory of the server is younger than the check.
    const now = (nowSeconds + 6 * 3_600) * 1_000;
    const told = await runBackfill(
      { ...flags, ...blocks, label: [], prometheus: server.url },
      { now },
    );
    expect(told).toContain(
      'check 2 (Check 2): the server has samples of it from before its counters began',
    );
    expect(told).toContain('check 3 (Check 3): the server has no live series of it');
    expect(told).toContain('check 4 (Check 4): first seen too recently');
    const [scraped] = await server.query('count_over_time(up{job="other"}[1h])');
    await server.stop();
    await server.start();
    const [kept] = await server.query('count_over_time(up{job="other"}[1h])');
    expect(kept?.samples[0]?.[1]).toBeGreaterThanOrEqual(scraped?.samples[0]?.[1] ?? 1);
    const selector = 'uptime_check_state_seconds_total{check_id="1",state="up"}';
    const imported = await server.query(`${selector}[3d]`, seam + 61);
    expect(imported).toHaveLength(1);
    expect(imported[0]?.labels).toMatchObject({ job: 'up', instance: 'x:1' });
    const samples = imported[0]?.samples ?? [];
    expect(samples.slice(-3).map(([, value]) => value)).toEqual([seam - from - 120, 0, 60]);
    // A second run would interleave with the first.
    const again = {
      ...flags,
      ...blocks,
      output: `${flags.output}-2`,
      label: [],
      prometheus: server.url,
    };
    await expect(runBackfill(again, { now })).rejects.toThrow(
      'there is no history that can be written',
    );
  },
);
