import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sloPolicyOf } from '../../src/config/objectives-schema.ts';
import { runBackfill } from '../backfill/support/run-backfill.ts';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { BackfilledPrometheus } from '../support/backfilled-prometheus.ts';
import { LiveScrapes } from '../support/live-scrapes.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { checkStates } from '../support/service-truth.ts';
import { missing, toolPath } from '../support/tools.ts';
import { Comparison } from './comparison.ts';
import { forgetGrafanaAfterwards, loadGrafana, missingGrafana } from './grafana.ts';
import { boardOf, OpenedBoard } from './opened-board.ts';
import { firstWords } from './overview-truth.ts';
import { PrometheusSource } from './prometheus-source.ts';
import { PageWriter } from './remote-write.ts';
import { ServiceNow } from './service-now.ts';

const day = 86_400;
const week = 7 * day;
const scrapeSeconds = 60;

forgetGrafanaAfterwards();

test.skipIf(missing('prometheus-3') || missing('promtool-3') || missingGrafana())(
  'boards show a year of history as the service knows it, an hour after the exporter began',
  async () => {
    const exporter = await RestartableExporter.create({
      checks: 8,
      transactions: 2,
      account: { concurrency: 8 },
      slo: sloPolicyOf({}, { named: [] }),
    });
    await exporter.start();
    const scraped = new LiveScrapes();
    for (let scrape = 0; scrape < 60; scrape++) {
      await exporter.pass(scrapeSeconds);
      scraped.add(await exporter.page(), exporter.now);
    }
    const from = exporter.now - 366 * day;
    const job = `${exporter.url}/-/backfill`;
    expect((await fetch(`${job}?from=${from}`, { method: 'POST' })).status).toBe(202);
    for (let turn = 0; ; turn++) {
      if (turn === 100) throw new Error('the backfill job did not end');
      if ((await (await fetch(job)).text()).includes('"state":"done"')) break;
      await exporter.pass(60);
      scraped.add(await exporter.page(), exporter.now);
    }
    const server = await BackfilledPrometheus.receiving(toolPath('prometheus-3'), '5000d');
    await server.importText(toolPath('promtool-3'), scraped.text);
    await server.start();
    const { host } = new URL(server.url);
    const now = exporter.now * 1000;
    await new PageWriter(host, { job: 'uptime', instance: 'a:1' }).write(
      `${await exporter.page()}up 1\n`,
      now,
    );
    const output = join(await temporaryFolder(), 'history');
    const told = await runBackfill(
      {
        ...{ exporter: exporter.url, from: `${from}`, output, prometheus: server.url },
        remoteWrite: `${server.url}/api/v1/write`,
      },
      { now },
    );
    expect(told).not.toContain('Not written');
    await server.stop();
    await server.start();

    const truth = new ServiceNow(
      exporter.sandbox,
      { check: exporter.now, transaction: exporter.now },
      exporter.now,
      70,
    );
    const opening = {
      grafana: loadGrafana(),
      source: new PrometheusSource(host),
      scrapeSeconds,
      ...{ range: { from: now - 6 * 3_600_000, to: now } },
      scrapes: { first: from * 1000, last: now },
    };
    const comparison = new Comparison();
    const objectives = await OpenedBoard.open(boardOf('uptime-slo'), opening);
    await calendar(objectives, truth, comparison);
    for (const { id } of truth.checks) {
      const board = await OpenedBoard.open(boardOf('uptime-check'), {
        ...opening,
        chosen: { check: [`${id}`] },
      });
      await weeks(board, exporter, id, comparison);
      await budgets(board, truth, id, comparison);
    }
    expect(comparison.wrong).toEqual([]);
  },
);

/** Each of the last 30 days of each check in the calendar. */
async function calendar(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const title = 'Availability of each day';
  const { strips } = await board.see(title);
  const days = board.times(title);
  comparison.holds(`${days.length} days`, days.length >= 30);
  let shown = 0;
  for (const { id, name, created } of truth.checks.map((check) => ({
    ...check,
    created: truth.world.check(check.id)?.created ?? 0,
  }))) {
    const strip = strips.find((one) => one.name === firstWords(name));
    if (strip === undefined) continue;
    shown += 1;
    for (const at of days) {
      // The window of a check that was created within 30 days is not completely known.
      if (at / 1000 - created < 31 * day) continue;
      const cell = strip.spans.find((span) => span.from <= at && at < span.to);
      const [ratio = 0] = truth.ratios('check', id, day, at / 1000, at / 1000);
      const share = 100 * (1 - (ratio || 0));
      comparison.near(`${name} on ${at}`, Number(cell?.text.replace('%', '')), share, 0.4);
    }
  }
  comparison.holds(`${shown} checks in the calendar`, shown > 0);
}

/** A week without an outage is a bar without height. */
async function weeks(
  board: OpenedBoard,
  { sandbox, now }: RestartableExporter,
  id: number,
  comparison: Comparison,
) {
  const title = 'Downtime of each week';
  const { lines } = await board.see(title);
  const times = board.times(title);
  comparison.holds(`${times.length} weeks`, times.length >= 52);
  const created = sandbox.world.check(id)?.created ?? 0;
  for (const at of times) {
    const toSeconds = at / 1000;
    if (toSeconds - week < created) continue;
    const span = { fromSeconds: toSeconds - week, toSeconds };
    const { seconds } = checkStates(sandbox, id, span, now);
    const shown = lines[0]?.points.find(([time]) => time === at)?.[1];
    // Prometheus extrapolates from the first sample of the week, which is 5 minutes old in an hour
    // with an outage.
    comparison.near(`down in the week to ${at} of ${id}`, shown, seconds.down, 310);
  }
}

/** The error budget, half an hour at a time. */
async function budgets(board: OpenedBoard, truth: ServiceNow, id: number, comparison: Comparison) {
  const title = 'Error budget left';
  const { lines } = await board.see(title);
  const line = lines.find(({ name }) => name === 'left');
  const created = truth.world.check(id)?.created ?? 0;
  for (const at of board.times(title)) {
    const end = at / 1000;
    if (end - created < 31 * day || (at / 1000) % day !== 0) continue;
    const shown = line?.points.find(([time]) => time === at)?.[1];
    comparison.near(
      `budget of ${id} at ${at}`,
      shown,
      truth.budgets('check', id, end, end)[0] ?? 1,
      0.15,
    );
  }
}
