import { describe, expect, onTestFinished, test } from 'vitest';
import { hashUnit } from '../../src/lib/random.ts';
import type { ItemKind, StoredMonth } from '../../src/store/store.ts';
import { secondsIn, secondsOutside, Truth } from '../life/truth.ts';
import { World } from '../life/world.ts';
import { extent } from '../support/extent.ts';
import { planMaintenance } from '../support/plan-maintenance.ts';
import { statesOnly } from '../support/states-only.ts';
import { serviceAverage } from './support/service-average.ts';

const [minute, hour, day] = [60, 3_600, 86_400];
const at = (text: string) => Date.parse(text) / 1000;

interface DrawnMonth {
  readonly name: string;
  readonly zone: string;
  readonly from: number;
  readonly to: number;
  /** A change of summer time within the month. */
  readonly change?: number;
}

/** Their ends and changes were looked up. */
const months: readonly DrawnMonth[] = [
  {
    name: '2026-10',
    zone: 'Europe/Berlin',
    change: at('2026-10-25T01:00Z'),
    from: at('2026-09-30T22:00Z'),
    to: at('2026-10-31T23:00Z'),
  },
  { name: '2026-10', zone: 'UTC', from: at('2026-10-01T00:00Z'), to: at('2026-11-01T00:00Z') },
  {
    name: '2027-03',
    zone: 'America/New_York',
    change: at('2027-03-14T07:00Z'),
    from: at('2027-03-01T05:00Z'),
    to: at('2027-04-01T04:00Z'),
  },
  {
    name: '2027-03',
    zone: 'Europe/Berlin',
    change: at('2027-03-28T01:00Z'),
    from: at('2027-02-28T23:00Z'),
    to: at('2027-03-31T22:00Z'),
  },
];

/** Seconds before the end of the month at which the exporter sees the account first. */
const leadSeconds = extent(2 * hour, 5 * hour);
/** Check 0 has one of each; the others have drawn ones. */
const [eventful, drawn, maintained, removed, flawless] = [0, 1, 2, 3, 4] as const;

/** A month of a whole exporter, around whose end things happen. */
class MonthLife {
  readonly month: DrawnMonth;
  readonly world: World;
  readonly truth: Truth;
  readonly ids: readonly number[];
  readonly #seed: number;
  #draws = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.month = months[seed % months.length] ?? (months[0] as DrawnMonth);
    const start = this.month.to - leadSeconds;
    this.world = World.inMemory({
      seed,
      checks: 5,
      transactions: 0,
      datasets: statesOnly,
      startMilliseconds: start * 1000,
      timeZone: this.month.zone,
      // Without the creation of a check, the time before first sight is not known.
      wire: { attributes: 'present' },
      // Limits that let the past of each check be read before the month ends.
      shortLimit: 4_000,
      longLimit: 720_000,
    });
    this.truth = new Truth(this.world.sandbox);
    this.ids = this.world.sandbox.world.checks.map(({ id }) => id);
    this.#plant();
  }

  id(place: number): number {
    return this.ids[place] ?? 0;
  }

  /** Between 0 and `most`, in whole seconds. */
  draw(most: number): number {
    return Math.floor(hashUnit(this.#seed, 11, this.#draws++) * most);
  }

  down(place: number, from: number, seconds: number): void {
    const status = 'down' as const;
    this.world.sandbox.world.plant({ checkId: this.id(place), status, from, to: from + seconds });
  }

  /** Maintenance of a check, which may lie in the past. */
  maintain(place: number, from: number, seconds: number): void {
    const uptimeids = [this.id(place)];
    planMaintenance(this.world.sandbox.world, { from, to: from + seconds, uptimeids });
  }

  #plant(): void {
    const { world } = this.world.sandbox;
    const { from, to, change } = this.month;
    for (const { id } of world.maintenance.windows.all) world.maintenance.remove(id);
    const created = from - 60 * day;
    for (const check of world.checks) {
      const run = { from: created, resolutionSeconds: minute, phaseSeconds: this.draw(minute) };
      world.registry.put({ ...check, created, resolutionMinutes: 1, runs: [run] });
      world.plant({ checkId: check.id, status: 'up', from: created, to: to + 10 * day });
    }
    // Over the first midnight, over another one, over a change of summer time, over the last midnight.
    this.down(eventful, from - 20 * minute, 50 * minute);
    this.down(eventful, from + 10 * day - 7 * minute, 15 * minute);
    if (change !== undefined) this.down(eventful, change - 20 * minute, 90 * minute);
    this.down(eventful, to - 5 * minute, 12 * minute);
    for (let outages = 1 + this.draw(6); outages > 0; outages--) {
      this.down(drawn, from + this.draw(to - from), 2 * minute + this.draw(3 * hour));
    }
    // Partly in maintenance, before first sight and over the end of the month.
    this.down(maintained, to - 100 * minute, 20 * minute);
    this.down(maintained, to - 10 * minute, 30 * minute);
    this.maintain(maintained, to - 90 * minute, 20 * minute);
    this.maintain(maintained, to - 20 * minute, 15 * minute + this.draw(20 * minute));
    this.down(removed, to - 80 * minute, 11 * minute);
  }

  async records(kind: ItemKind = 'check'): Promise<readonly StoredMonth[]> {
    const of = `month ${this.month.name} ${kind}` as const;
    return this.world.disk.readMonth({ account: 'shop', kind: of, afterId: -1, most: 1_000 });
  }
}

interface StoredRecord {
  readonly seconds: { readonly up?: number; readonly down?: number };
  readonly maintenance?: { readonly up: number; readonly down: number };
  readonly unwatched?: readonly number[];
  readonly countedUntilSeconds?: number;
  readonly createdAtSeconds?: number;
  readonly removedAtSeconds?: number;
}

const seeds = Array.from(
  { length: extent(1, 8) },
  (_, place) => Number(process.env.SEED ?? 1) - 1 + place,
);

describe('the months of a life', () => {
  test.each(seeds)(
    'equal the sums of the service, and do not change after they are written (seed %i)',
    async (seed) => {
      const life = new MonthLife(seed);
      const { world, truth, month } = life;
      onTestFinished(() => world.stop());
      await world.start();
      await world.pass(leadSeconds - hour);
      for (const id of life.ids) truth.check(id);
      await world.change('DELETE', `/checks/${life.id(removed)}`);
      await world.change('POST', '/checks', { name: 'new', host: 'new.example.com', type: 'http' });
      await world.pass(30 * minute);
      // Some exporters are away over the end of the month.
      if (seed % 2 === 0) {
        await world.stop();
        await world.pass(40 * minute + life.draw(20 * minute));
        await world.start();
      }
      await world.pass(month.to - world.now + hour);

      const records = await life.records();
      expect(records).toHaveLength(6);
      for (const stored of records) {
        if ('reason' in stored) throw new Error(stored.reason);
        const { id } = stored;
        const record = stored.value as StoredRecord;
        const { seconds, createdAtSeconds, removedAtSeconds } = record;
        const { up = 0, down = 0 } = seconds;
        const { up: upIn, down: downIn } = record.maintenance ?? { up: 0, down: 0 };
        const range = { from: createdAtSeconds ?? month.from, to: removedAtSeconds ?? month.to };
        const counted = { from: range.from, to: record.countedUntilSeconds ?? range.to };
        const spans = truth.spans(id, counted, world.now);
        const outside = secondsOutside(spans, counted, truth.maintenance(id));
        expect({ id, up: up - upIn, down: down - downIn }).toEqual({
          id,
          up: outside.up,
          down: outside.down,
        });
        if (removedAtSeconds === undefined) {
          expect({ id, unwatched: record.unwatched }).toEqual({ id, unwatched: undefined });
          const service = await serviceAverage(world.sandbox, id, range);
          expect({ id, ...service }).toMatchObject({ id, up, down });
        } else {
          const whole = secondsIn(spans, counted);
          expect({ id, up, down }).toEqual({ id, up: whole.up, down: whole.down });
        }
      }

      // Later events, edits, a crash and a removal change nothing of it.
      await world.change('PUT', `/checks/${life.id(eventful)}`, { name: 'renamed', tags: 'late' });
      await world.change('DELETE', `/checks/${life.id(flawless)}`);
      life.maintain(eventful, month.to - 10 * minute, hour);
      await world.crash();
      await world.start();
      await world.pass(extent(hour, 3 * hour));
      expect(await life.records()).toEqual(records);
    },
  );
});
