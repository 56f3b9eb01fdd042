import { expect, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { differences } from './accounts-truth.ts';
import { forgetGrafanaAfterwards, loadGrafana, missingGrafana } from './grafana.ts';
import { boardOf, OpenedBoard } from './opened-board.ts';
import { scrapeSeconds, startScrapedSandbox } from './scraped-sandbox.ts';

forgetGrafanaAfterwards();

/** Grafana escapes all but quotation marks. */
const account = "Anna's shop (a.b) {1} | 2 \\ é";

test.skipIf(missing('prometheus') || missingGrafana())(
  'an account with an apostrophe and signs of regular expressions in its name can be chosen, and its checks have their board',
  async () => {
    const scraped = await startScrapedSandbox({ checks: 12, transactions: 2, account });
    await scraped.live(360);
    const now = scraped.clock.now();
    const opening = {
      grafana: loadGrafana(),
      source: scraped.source,
      scrapes: scraped.scrapes(),
      scrapeSeconds,
      range: { from: now - 300_000, to: now },
    };
    for (const uid of ['uptime-overview', 'uptime-check', 'uptime-slo', 'uptime-exporter']) {
      const all = await OpenedBoard.open(boardOf(uid), opening);
      const chosen = { account: [account] };
      const one = await OpenedBoard.open(boardOf(uid), { ...opening, chosen });
      const { figures } = await all.see('Can this be believed?');
      expect(figures[0]?.name, uid).toBe(`${account}: read`);
      expect(await differences(one, all), uid).toEqual([]);
    }
  },
);
