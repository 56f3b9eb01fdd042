import { expect, test } from 'vitest';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { missing } from '../support/tools.ts';
import { forgetGrafanaAfterwards, loadGrafana, missingGrafana } from './grafana.ts';
import { boardOf, OpenedBoard } from './opened-board.ts';
import { scrapeSeconds, startScrapedSandbox } from './scraped-sandbox.ts';

forgetGrafanaAfterwards();

test.skipIf(missing('prometheus') || missingGrafana())(
  'of an account without checks, the unknown transactions are counted, and one that was switched off while it was up has its budget',
  async () => {
    const scraped = await startScrapedSandbox({ checks: 0, transactions: 6 });
    const { clock, source, sandbox } = scraped;
    const { world } = sandbox;
    await scraped.live(600, 60);
    const now = Math.floor(clock.now() / 1000);
    const [unknown, stopped] = world.transactions.all.filter(({ settings }) => settings.active);
    if (unknown === undefined || stopped === undefined) throw new Error('too few transactions');
    world.plant({ checkId: unknown.id, status: 'unknown', from: now });
    world.transactions.put({ ...stopped, settings: { ...stopped.settings, active: false } });
    planMaintenance(world, {
      from: now + 60,
      to: now + 86_400,
      uptimeids: [],
      tmsids: [stopped.id],
    });
    await scraped.live(3600, 60);
    expect(await scraped.page()).toContain(
      `uptime_transaction_status{account="shop",check_id="${stopped.id}",name="${stopped.settings.name}",status="successful"} 1`,
    );

    const to = clock.now();
    const range = { from: to - 3_600_000, to };
    const board = await OpenedBoard.open(boardOf('uptime-overview'), {
      grafana: loadGrafana(),
      source,
      scrapes: scraped.scrapes(),
      scrapeSeconds,
      range,
    });
    const { figures } = await board.see('Checks and transactions by state');
    expect(figures.map(({ name, text }) => [name, text])).toEqual([
      ['Down', '0'],
      ['Failing', '0'],
      ['Unknown', '1'],
    ]);
    const { rows } = await board.see('All that is not up');
    const row = rows.find(({ ID: id }) => id?.text === `${stopped.id}`);
    expect([row?.State?.text, row?.Maintenance?.text]).toEqual(['paused', 'yes']);
    expect(row?.['Budget left']?.text).toMatch(/^-?\d+\.\d%$/);
  },
);
