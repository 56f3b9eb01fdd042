import { hashUnit } from '../lib/hash.ts';
import {
  type MonitoredCheck,
  stabilities,
  type TestRun,
  testIndexBefore,
  testIndexFrom,
} from './monitored-check.ts';

export type TestOutcome = 'up' | 'down' | 'unknown';

/** Consecutive tests with one outcome; `first` and `last` are test indices, both included. */
export interface OutcomeStretch {
  readonly outcome: TestOutcome;
  readonly first: number;
  readonly last: number;
}

/** A block fits the shortest outage of two tests, with a successful test before and after it. */
const minTestsInBlock = 6;

/** The random numbers of one block. Each has its own hash, so that they are independent. */
const draw = { happens: 1, kind: 2, length: 3, place: 4 } as const;

/**
 * The stretch around test `index` inside its block, from the seed only: a disturbance, or
 * successful tests.
 */
export function seededStretch(
  seed: number,
  check: MonitoredCheck,
  run: TestRun,
  index: number,
): OutcomeStretch {
  const stability = stabilities[check.stability];
  const size = Math.max(
    minTestsInBlock,
    Math.round(stability.blockSeconds / run.resolutionSeconds),
  );
  const block = Math.floor(index / size);
  const blockFirst = block * size;
  const blockLast = blockFirst + size - 1;
  const chance = (what: number) => hashUnit(seed, check.id, block, what);

  if (chance(draw.happens) >= stability.disturbed) {
    return { outcome: 'up', first: blockFirst, last: blockLast };
  }
  const kind = chance(draw.kind);
  const glitch = kind < stability.glitches;
  const outcome = kind >= 1 - stability.unknowns ? 'unknown' : 'down';
  const length = glitch ? 1 : outageLength(stability, run, size, chance(draw.length));
  // The block's last test succeeds, so that disturbances of neighbouring blocks never join.
  const first = blockFirst + Math.floor(chance(draw.place) * (size - length));
  const last = first + length - 1;
  if (index < first) return { outcome: 'up', first: blockFirst, last: first - 1 };
  if (index > last) return { outcome: 'up', first: last + 1, last: blockLast };
  return { outcome, first, last };
}

function outageLength(
  stability: { readonly minSeconds: number; readonly maxSeconds: number },
  run: TestRun,
  blockSize: number,
  chance: number,
): number {
  // Squared, because short outages are more common than long ones.
  const seconds =
    stability.minSeconds + chance ** 2 * (stability.maxSeconds - stability.minSeconds);
  const tests = Math.round(seconds / run.resolutionSeconds);
  return Math.min(Math.max(2, tests), blockSize - 2);
}

/**
 * An outcome imposed on the tests of one check in [from, to), in UNIX seconds; without `to` it
 * continues.
 */
export interface PlantedDisturbance {
  readonly checkId: number;
  readonly status: TestOutcome;
  readonly from: number;
  readonly to?: number;
}

/** The outcomes of tests: a function of seed, check and test, overlaid by planted disturbances. */
export class TestOutcomes {
  readonly #seed: number;
  readonly #planted = new Map<number, PlantedDisturbance[]>();
  #revision = 0;

  constructor({ seed }: { readonly seed: number }) {
    this.#seed = seed;
  }

  /** If planted disturbances overlap, the one planted later applies. */
  plant(disturbance: PlantedDisturbance): void {
    const ofCheck = this.#planted.get(disturbance.checkId) ?? [];
    this.#planted.set(disturbance.checkId, [...ofCheck, disturbance]);
    this.#revision += 1;
  }

  get revision(): number {
    return this.#revision;
  }

  /**
   * The largest stretch around a test that the seed's block and the planted disturbances decide
   * together.
   */
  around(check: MonitoredCheck, run: TestRun, index: number): OutcomeStretch {
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
