import { expect, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { forgetGrafanaAfterwards, loadGrafana, missingGrafana } from './grafana.ts';
import { boardOf, OpenedBoard } from './opened-board.ts';
import { PrometheusSource } from './prometheus-source.ts';
import { PageWriter } from './remote-write.ts';
import { startReceiver } from './scraped-sandbox.ts';

forgetGrafanaAfterwards();

const minute = 60_000;
const start = Date.UTC(2026, 0, 5, 12);

test.skipIf(missing('prometheus') || missingGrafana())(
  'accounts are not all read while the exporter of one of them does not respond, but without one that was removed',
  async () => {
    const address = await startReceiver('prometheus');
    const [one, other] = ['a:1', 'b:1'].map(
      (instance) => new PageWriter(address, { job: 'uptime', instance }),
    );
    const end = start + 60 * minute;
    for (let at = start; at <= end; at += minute / 2) {
      const wiki =
        at < start + 20 * minute
          ? 'uptime_up{account="wiki"} 1'
          : 'uptime_exporter_account_removed{account="wiki"} 1';
      await one?.write(
        at < start + 55 * minute ? `uptime_up{account="shop"} 1\n${wiki}\n` : 'up 0\n',
        at,
      );
      await other?.write(at < start + 40 * minute ? 'uptime_up{account="blog"} 1\n' : 'up 0\n', at);
    }
    const board = await OpenedBoard.open(boardOf('uptime-overview'), {
      grafana: loadGrafana(),
      source: new PrometheusSource(address),
      scrapes: { first: start, last: end },
      scrapeSeconds: 30,
      range: { from: start, to: end },
    });
    const { strips } = await board.see('Outages in this time');
    const spans = strips.find(({ name }) => name === 'Accounts')?.spans ?? [];
    expect(spans.map(({ from, text }) => [Math.round((from - start) / minute), text])).toEqual([
      [0, 'read'],
      [40, 'not all are read'],
      [55, 'no data'],
    ]);
  },
);
