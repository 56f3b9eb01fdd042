import { expect, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { differences } from './accounts-truth.ts';
import { forgetGrafanaAfterwards, loadGrafana, missingGrafana } from './grafana.ts';
import { boardOf, OpenedBoard } from './opened-board.ts';
import type { TargetLabels } from './remote-write.ts';
import { scrapeSeconds, startScrapedSandbox } from './scraped-sandbox.ts';
import { optionsOf } from './variables.ts';

forgetGrafanaAfterwards();

const pod = { job: 'uptime', instance: '10.0.0.7:9158' };
const stable = { job: 'uptime', instance: 'uptime-exporter' };

/** As the series of a pod arrive in Prometheus. */
const deployments: [string, TargetLabels][] = [
  ['without relabelling', pod],
  ["by the chart's monitor", ({ account }) => (account === undefined ? pod : stable)],
  [
    'by the monitor of replicas',
    ({ __name__: name = '' }) => (/^uptime_([^e]|e[^x]).*$/.test(name) ? stable : pod),
  ],
];

test.skipIf(missing('prometheus') || missingGrafana()).each(deployments)(
  'scraped %s, an only exporter that is chosen is shown like all exporters, and an account that was removed is not called silent',
  async (_, target) => {
    const scraped = await startScrapedSandbox({ checks: 12, transactions: 2, targets: [target] });
    const { clock, source } = scraped;
    await scraped.live(360);
    const grafana = loadGrafana();
    const openingOf = () => {
      const now = clock.now();
      const range = { from: now - 300_000, to: now };
      return { grafana, source, scrapes: scraped.scrapes(), scrapeSeconds, range };
    };
    const opening = openingOf();
    for (const uid of ['uptime-overview', 'uptime-check', 'uptime-slo', 'uptime-exporter']) {
      const board = boardOf(uid);
      const all = await OpenedBoard.open(board, opening);
      const variable = board.templating.list.find(({ name }) => name === 'instance');
      if (variable === undefined) throw new Error('no variable');
      const offered = await optionsOf(variable, all.choices, source, opening.range);
      expect(offered).toHaveLength(1);
      for (const { value } of offered) {
        const chosen = { instance: [value] };
        const one = await OpenedBoard.open(board, { ...opening, chosen });
        expect(await differences(one, all), `${uid} of ${value}`).toEqual([]);
      }
    }
    await scraped.removed(360);
    const later = await OpenedBoard.open(boardOf('uptime-overview'), openingOf());
    const { figures } = await later.see('Can this be believed?');
    expect(figures.map(({ name }) => name)).toEqual(['']);
  },
);
