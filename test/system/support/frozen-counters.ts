import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { request } from 'undici';
import { expect } from 'vitest';
import { StoreNote } from '../../../src/store/sqlite/store-note.ts';
import { writeNote } from '../../store/support/damaged-stores.ts';
import { temporaryFolder } from '../../store/support/temporary-folder.ts';
import type { Samples } from '../../support/counter-watch.ts';
import { type Lane, laneAt, lastPage } from '../../support/scaled-life.ts';

/** Scrapes the exporter of a lane. */
export async function pageOf(lane: Lane, address: string): Promise<Samples> {
  const { statusCode, body } = await request(`${address}/metrics`);
  expect(statusCode).toBe(200);
  return lane.watch.scraped(await body.text());
}

/** The data that are durable before they are shown: all counters of checks and transactions. */
export function countersOf(samples: Samples): Samples {
  return new Map(
    [...samples].filter(([name]) =>
      /^uptime_(?:check|transaction)_(?:state_seconds|outages|results)_total\{/.test(name),
    ),
  );
}

/**
 * A newly listed item begins at 0, even on a full disk. Waits until all items are listed, and
 * checks are counted.
 */
export async function untilAllIsCounted(page: () => Promise<Samples>): Promise<void> {
  const isBegun = (samples: Samples) => {
    const seconds = (kind: string) =>
      [...samples].filter(([name]) => name.startsWith(`uptime_${kind}_state_seconds_total{`));
    return seconds('transaction').length > 0 && seconds('check').some(([, value]) => value > 0);
  };
  while (!isBegun(await page())) await delay(50);
}

/**
 * A small commit may still fit after a large one did not. The disk is full once several in a row
 * are refused.
 */
export async function untilAllIsRefused(page: () => Promise<Samples>): Promise<void> {
  let [written, refused] = [Number.NaN, 0];
  for (;;) {
    const samples = await page();
    const writes = samples.get('uptime_exporter_store_writes_total') ?? 0;
    const errors = samples.get('uptime_exporter_store_errors_total') ?? 0;
    if (writes !== written) [written, refused] = [writes, errors];
    else if (errors > refused + 5) return;
    await delay(50);
  }
}

/**
 * Waits until exactly the durable counters are shown: the last successful commit is shown with the
 * next batch of changes.
 */
export async function untilDurableIsShown(
  lane: Lane,
  since: number,
  page: () => Promise<Samples>,
): Promise<Samples> {
  const durable = countersOf(await durablePage(lane, since));
  while (!isDeepStrictEqual(countersOf(await page()), durable)) await delay(50);
  return durable;
}

/**
 * The data on the disk, as shown by a process that starts with a copy and cannot reach the service.
 */
async function durablePage(lane: Lane, since: number): Promise<Samples> {
  const path = await temporaryFolder();
  for (const file of ['uptime.db', 'uptime.db-wal']) {
    // Without a log if the store was closed.
    await copyFile(join(lane.path, file), join(path, file)).catch(() => {});
  }
  const note = new StoreNote(lane.path).read();
  if (note === undefined) throw new Error('there is no note');
  await writeNote(path, note);
  return lastPage(await laneAt(1, path, 'http://127.0.0.1:9'), since);
}
