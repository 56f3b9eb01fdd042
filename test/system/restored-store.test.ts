import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { casesOf } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { checkStates } from '../support/service-truth.ts';
import { countersOnly } from '../support/states-only.ts';
import { DiskStore } from './support/disk-store.ts';

const minute = 60;
const hour = 3600;
const states = ['up', 'down', 'unknown', 'unmonitored'] as const;

/** An exporter in virtual time with a store on the disk. */
class DiskExporter {
  readonly exporter: RestartableExporter;
  readonly disk: DiskStore;

  private constructor(exporter: RestartableExporter, disk: DiskStore) {
    this.exporter = exporter;
    this.disk = disk;
  }

  static async create(): Promise<DiskExporter> {
    const folder = join(await temporaryFolder(), 'data');
    let now = () => 0;
    const disk = new DiskStore(folder, () => now());
    const exporter = await RestartableExporter.create({
      checks: 4,
      transactions: 1,
      datasets: countersOnly,
      store: disk,
    });
    now = () => exporter.clock.now();
    const { world } = exporter.sandbox;
    for (const [place, { id }] of world.checks.entries()) {
      world.plant({
        checkId: id,
        status: 'up',
        from: exporter.now - hour,
        to: exporter.now + 40 * hour,
      });
      // One outage in each phase of the tests below.
      for (const start of [20, 80, 150]) {
        const from = exporter.now + (start + place) * minute;
        world.plant({ checkId: id, status: 'down', from, to: from + 15 * minute });
      }
    }
    return new DiskExporter(exporter, disk);
  }

  async start(): Promise<void> {
    this.exporter.log.length = 0;
    await this.disk.open();
    await this.exporter.start();
  }

  async stop(): Promise<void> {
    await this.exporter.stop();
    await this.disk.close();
  }

  /** The counted seconds and outages of a check. */
  async counted(id: number): Promise<Record<string, number | undefined>> {
    const samples = [...(await this.exporter.scrape())];
    const of = (name: string, ...labels: string[]) =>
      samples.find(
        ([sample]) =>
          sample.startsWith(`${name}{`) &&
          [`check_id="${id}"`, ...labels].every((label) => sample.includes(label)),
      )?.[1];
    return {
      outages: of('uptime_check_outages_total'),
      ...Object.fromEntries(
        states.map((state) => [state, of('uptime_check_state_seconds_total', `state="${state}"`)]),
      ),
    };
  }
}

/** The store as `cp` copies it while the exporter runs, or as a crash leaves it. */
async function snapshotOf(folder: string): Promise<string> {
  const copy = join(await temporaryFolder(), 'snapshot');
  await cp(folder, copy, { recursive: true });
  return copy;
}

const restores: Record<string, (folder: string, snapshot: string) => Promise<void>> = {
  'a snapshot of the folder': async (folder, snapshot) => {
    await rm(folder, { recursive: true });
    await rename(snapshot, folder);
  },
  'the database and the log of a snapshot': async (folder, snapshot) => {
    for (const name of ['uptime.db', 'uptime.db-wal']) {
      await cp(join(snapshot, name), join(folder, name));
    }
  },
  'a backup': async (folder, snapshot) => {
    const [name = ''] = await readdir(join(snapshot, 'backup'));
    await rm(join(folder, 'uptime.db-wal'), { force: true });
    await cp(join(snapshot, 'backup', name), join(folder, 'uptime.db'));
  },
};

describe.each(casesOf(Object.keys(restores), 0))('after a start with %s', (what) => {
  test('counters begin at 0 and count what happens from then on; history and ratios have all of it', async () => {
    const life = await DiskExporter.create();
    const { exporter, disk } = life;
    const [check] = exporter.sandbox.world.checks;
    if (check === undefined) throw new Error('the sandbox has no check');
    await life.start();
    await exporter.pass(50 * minute);
    await disk.store.backup?.();
    const snapshot = await snapshotOf(disk.folder);
    await exporter.pass(70 * minute);
    const shown = await life.counted(check.id);
    expect(shown.outages).toBe(2);
    await life.stop();

    await restores[what]?.(disk.folder, snapshot);
    const restored = exporter.now;
    await life.start();
    const first = await life.counted(check.id);
    await exporter.pass(10 * minute);
    const caughtUp = await life.counted(check.id);
    await exporter.pass(70 * minute);
    const then = await life.counted(check.id);

    expect(first).toEqual({ outages: 0, up: 0, down: 0, unknown: 0, unmonitored: 0 });
    expect(caughtUp.up ?? Number.NaN).toBeLessThanOrEqual(10 * minute);
    expect(caughtUp).toMatchObject({ outages: 0, down: 0 });
    // The service's data of the time since then, except for minutes that are not settled yet.
    const since = { fromSeconds: restored, toSeconds: exporter.now };
    const truth = checkStates(exporter.sandbox, check.id, since, exporter.now);
    expect(then.outages).toBe(truth.outages);
    expect(then.down).toBe(truth.seconds.down);
    expect(Math.abs((then.up ?? Number.NaN) - truth.seconds.up)).toBeLessThan(5 * minute);
    expect(exporter.log.join('')).toMatch(/level=error .*stored record lost.*name=commits/);
    const samples = [...(await exporter.scrape())];
    const lost = samples.find(([name]) =>
      name.startsWith('uptime_exporter_store_records_lost_total{kind="missing"'),
    );
    expect(lost?.[1]).toBe(1);
    // The last six hours have an outage before the copy, one between the copy and the restore, and
    // one after it.
    const span = { fromSeconds: exporter.now - 6 * hour, toSeconds: exporter.now };
    const sixHours = checkStates(exporter.sandbox, check.id, span, exporter.now);
    const ratio = samples.find(
      ([name]) =>
        name.startsWith('uptime_check_error_ratio{') &&
        name.includes(`check_id="${check.id}"`) &&
        name.includes('window="6h"'),
    )?.[1];
    expect(sixHours.seconds.down).toBeGreaterThan(40 * minute);
    expect(Math.abs((ratio ?? 1) - sixHours.seconds.down / (6 * hour))).toBeLessThan(0.01);

    await life.stop();
    await life.start();
    expect(await life.counted(check.id)).toEqual(then);
    expect(exporter.log.join('')).not.toContain('level=error');
    await life.stop();
  });
});
