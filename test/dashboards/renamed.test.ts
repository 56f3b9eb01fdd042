import { expect, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { forgetGrafanaAfterwards, loadGrafana, missingGrafana } from './grafana.ts';
import { boardOf, OpenedBoard } from './opened-board.ts';
import { PrometheusSource } from './prometheus-source.ts';
import { PageWriter } from './remote-write.ts';
import { startReceiver } from './scraped-sandbox.ts';

forgetGrafanaAfterwards();

const hour = 3_600_000;
const week = 168 * hour;
/** A multiple of the week, at which a bar is drawn. */
const start = Math.ceil(Date.UTC(2026, 0, 5) / week) * week;

test.skipIf(missing('prometheus') || missingGrafana())(
  'the bar of a week in which a check was renamed has its downtime under both names, however many exporters serve it',
  async () => {
    const address = await startReceiver('prometheus');
    const writers = ['a:1', 'b:1'].map(
      (instance) => new PageWriter(address, { job: 'uptime', instance }),
    );
    const end = start + 2 * week;
    let down = 500;
    for (let at = start; at <= end; at += hour) {
      const hours = (at - start) / hour;
      // 1,800 s under the first name, and 3,600 s under the second.
      if ((hours > 175 && hours <= 205) || (hours > 255 && hours <= 315)) down += 60;
      const labels = `account="shop",check_id="7",name="${hours < 250 ? 'Shop' : 'Checkout'}"`;
      const page = `uptime_up{account="shop"} 1
uptime_check_info{${labels},severity="high"} 1
uptime_check_state_seconds_total{${labels},state="down"} ${down}
`;
      for (const writer of writers) await writer.write(page, at);
    }
    const board = await OpenedBoard.open(boardOf('uptime-check'), {
      grafana: loadGrafana(),
      source: new PrometheusSource(address),
      scrapes: { first: start, last: end },
      scrapeSeconds: 3600,
      range: { from: end - hour, to: end },
    });
    const { lines } = await board.see('Downtime of each week');
    expect(lines).toHaveLength(1);
    const [, bar = Number.NaN] = lines[0]?.points.find(([time]) => time === end) ?? [];
    // Prometheus extrapolates by half a scrape.
    expect(Math.abs(bar - 5_400)).toBeLessThan(60);
  },
);
