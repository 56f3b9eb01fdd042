import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { recipientsOf } from '../../sandbox/src/operations/reports/actions.ts';
import { sentAlerts } from '../../sandbox/src/operations/reports/sent-alerts.ts';
import type { Sandbox } from '../../sandbox/src/sandbox.ts';
import { shownAsZeroMilliseconds } from '../../src/state/items/begun-counters.ts';
import type { DocumentSet } from '../../src/store/format/document-set.ts';
import { settlingLagSeconds } from '../../src/tally/watermark.ts';
import type { World } from '../life/world.ts';
import type { Samples } from './counter-watch.ts';
import {
  checkResults,
  checkStates,
  type Span,
  type StateSeconds,
  transactionStatesTruth,
} from './service-truth.ts';
import { bookedSpan, readSpan, shownOf, shownResults } from './shown-totals.ts';

/** Then the status of an alert is final. */
const outcomeSeconds = 900;

const noSeconds: StateSeconds = { up: 0, down: 0, unknown: 0, unmonitored: 0 };

/**
 * Every counter of every check and transaction, and of the sent alerts, equals the sandbox's
 * number, up to a time that is at most `mostLateSeconds` ago. None ever stepped back.
 */
export async function expectTheTruth(exporter: World, mostLateSeconds = 3600): Promise<void> {
  const { sandbox, now } = exporter;
  // Version 2.0 has none.
  const hasMaintenance = sandbox.journal.countOfOperation('list_maintenance') > 0;
  const samples = await exporter.scrape();
  const { items, documents } = await exporter.disk.load('shop');
  expect(
    [...items.check]
      .flatMap(([id, { goneAtSeconds }]) => (goneAtSeconds === undefined ? [id] : []))
      .sort(),
  ).toEqual(sandbox.world.checks.map(({ id }) => id).sort());
  for (const [id, item] of items.check) {
    if (item.goneAtSeconds !== undefined) continue;
    const span = bookedSpan(item);
    const { seconds, outages } = checkStates(sandbox, id, span, now);
    expect({ id, ...shownOf(samples, 'check', 'shop', id) }).toEqual({ id, seconds, outages });
    const maintenance = hasMaintenance ? maintenanceTruth(sandbox, id, span, now) : noSeconds;
    expect({ id, ...shownMaintenance(samples, id) }).toEqual({ id, ...maintenance });
    const results = checkResults(sandbox, id, readSpan(item));
    expect({ id, ...shownResults(samples, 'shop', id) }).toEqual({ id, ...results });
    expect(readSpan(item).fromSeconds).toBe(span.fromSeconds);
    expect(now - span.toSeconds).toBeLessThan(mostLateSeconds);
    expect(now - readSpan(item).toSeconds).toBeLessThan(mostLateSeconds);
  }
  for (const [id, item] of items.transaction) {
    const { seconds, outages } = transactionStatesTruth(sandbox, id, bookedSpan(item), now);
    const shown = shownOf(samples, 'transaction', 'shop', id);
    expect({ id, ...shown }).toEqual({ id, seconds, outages });
    expect(now - bookedSpan(item).toSeconds).toBeLessThan(mostLateSeconds);
  }
  const alerts = alertSpan(documents);
  expect(now - alerts.toSeconds).toBeLessThan(mostLateSeconds);
  await expectAlertsTruth(exporter);
  expect(exporter.watch.backsteps).toEqual([]);
}

/** The sent alerts are those of the sandbox, once new series are no longer shown as 0. */
export async function expectAlertsTruth(exporter: World): Promise<void> {
  for (let waits = 5; ; waits--) {
    const shown = shownAlerts(await exporter.scrape());
    const { documents } = await exporter.disk.load('shop');
    const truth = alertsTruth(exporter.sandbox, alertSpan(documents), exporter.now);
    if (waits === 0 || isDeepStrictEqual(shown, truth)) {
      expect(shown).toEqual(truth);
      return;
    }
    await exporter.pass(shownAsZeroMilliseconds / 1_000);
  }
}

/**
 * The seconds by state inside maintenance of the check. A second inside two windows counts once.
 */
function maintenanceTruth(
  sandbox: Sandbox,
  id: number,
  { fromSeconds, toSeconds }: Span,
  now: number,
): StateSeconds {
  const { windows, occurrencesInOrder } = sandbox.world.maintenance;
  const ofCheck = new Set(
    windows.all.filter(({ uptimeids }) => uptimeids.includes(id)).map((w) => w.id),
  );
  const total = { ...noSeconds } as Record<keyof StateSeconds, number>;
  let covered = fromSeconds;
  for (const { maintenanceid, from, to } of occurrencesInOrder) {
    const piece = { fromSeconds: Math.max(from, covered), toSeconds: Math.min(to, toSeconds) };
    if (!ofCheck.has(maintenanceid) || piece.fromSeconds >= piece.toSeconds) continue;
    covered = piece.toSeconds;
    const { seconds } = checkStates(sandbox, id, piece, now);
    for (const [state, part] of Object.entries(seconds)) total[state as keyof StateSeconds] += part;
  }
  return total;
}

function shownMaintenance(samples: Samples, id: number): StateSeconds {
  const labels = `account="shop",check_id="${id}"`;
  const shown = (state: string) =>
    samples.get(`uptime_check_maintenance_seconds_total{${labels},state="${state}"}`) ?? 0;
  return {
    up: shown('up'),
    down: shown('down'),
    unknown: shown('unknown'),
    unmonitored: shown('unmonitored'),
  };
}

/** Those that were listed when they were last read, keyed by check, medium and status. */
function alertsTruth(
  { world, history }: Sandbox,
  { fromSeconds, toSeconds, readAtSeconds }: ReturnType<typeof alertSpan>,
  now: number,
): Record<string, number> {
  const audiences = world.checks.map((check) => ({
    check,
    recipients: recipientsOf(check, world.people),
  }));
  const period = { from: fromSeconds, to: toSeconds - 1 };
  const counts: Record<string, number> = {};
  for (const alert of sentAlerts({ history, audiences, period, now })) {
    if (!world.lags.isAlertListed(alert.check.id, alert.event.time, readAtSeconds)) continue;
    // It may still become another one.
    if (alert.status === 'sent' && alert.event.time >= readAtSeconds - outcomeSeconds) continue;
    // The service writes two of the words without the underscore (API 3.1, section 2.2).
    const status = alert.status.replace(/^(not|no)(delivered|credits)$/, '$1_$2');
    const label = `${alert.check.id} ${alert.recipient.via} ${status}`;
    counts[label] = (counts[label] ?? 0) + 1;
  }
  return counts;
}

function shownAlerts(samples: Samples): Record<string, number> {
  const shown =
    /^uptime_alerts_sent_total\{account="shop",check_id="(\d+)",via="(\w+)",status="(\w+)"\}$/;
  return Object.fromEntries(
    [...samples].flatMap(([sample, count]) => {
      const [, id, via, status] = shown.exec(sample) ?? [];
      return id === undefined ? [] : [[`${id} ${via} ${status}`, count]];
    }),
  );
}

/** The time for which alerts are counted: up to the watermark, or to a later counted alert. */
function alertSpan(documents: DocumentSet): Span & { readonly readAtSeconds: number } {
  const { watermark } = documents.get('alerts') as unknown as {
    readonly watermark: {
      readonly startSeconds: number;
      readonly atSeconds: number;
      readonly recent: readonly { readonly atSeconds: number }[];
    };
  };
  const toSeconds = Math.max(
    watermark.atSeconds,
    ...watermark.recent.map(({ atSeconds }) => atSeconds + 1),
  );
  const readAtSeconds = watermark.atSeconds + settlingLagSeconds;
  return { fromSeconds: watermark.startSeconds, toSeconds, readAtSeconds };
}
