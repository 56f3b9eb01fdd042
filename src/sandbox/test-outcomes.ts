import { type Stretch, seededStretch, type TestOutcome } from './disturbance.ts';
import {
  type MonitoredCheck,
  type TestRun,
  testIndexBefore,
  testIndexFrom,
} from './monitored-check.ts';

/** An outcome imposed on the tests of one check in [from, to), in UNIX seconds; without `to` it goes on. */
export interface PlantedDisturbance {
  readonly checkId: number;
  readonly status: TestOutcome;
  readonly from: number;
  readonly to?: number;
}

/** How tests end: a function of seed, check and test, overlaid by planted disturbances. */
export class TestOutcomes {
  readonly #seed: number;
  readonly #planted = new Map<number, PlantedDisturbance[]>();
  #revision = 0;

  constructor({ seed }: { readonly seed: number }) {
    this.#seed = seed;
  }

  /** Where planted disturbances overlap, the later planted one holds. */
  plant(disturbance: PlantedDisturbance): void {
    const ofCheck = this.#planted.get(disturbance.checkId) ?? [];
    this.#planted.set(disturbance.checkId, [...ofCheck, disturbance]);
    this.#revision += 1;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The largest stretch around a test that the seed's block and the planted disturbances give at once. */
  around(check: MonitoredCheck, run: TestRun, index: number): Stretch {
    let stretch = seededStretch(this.#seed, check, run, index);
    for (const planted of this.#planted.get(check.id) ?? []) {
      const first = testIndexFrom(run, planted.from);
      const last =
        planted.to === undefined ? Number.POSITIVE_INFINITY : testIndexBefore(run, planted.to);
      if (first > last) continue;
      if (last < index) stretch = { ...stretch, first: Math.max(stretch.first, last + 1) };
      else if (first > index) stretch = { ...stretch, last: Math.min(stretch.last, first - 1) };
      else stretch = { outcome: planted.status, first, last };
    }
    return stretch;
  }
}
