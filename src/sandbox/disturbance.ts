import { hashUnit } from '../lib/random.ts';
import type { MonitoredCheck, TestRun } from './monitored-check.ts';
import { stabilities } from './stability.ts';

export type TestOutcome = 'up' | 'down' | 'unknown';

/** Consecutive tests with one outcome; `first` and `last` are test indices, both included. */
export interface Stretch {
  readonly outcome: TestOutcome;
  readonly first: number;
  readonly last: number;
}

/** A block must hold the shortest outage of two tests with a good test before and after it. */
const fewestTestsInBlock = 6;

/** Draws of one block; each is hashed apart so that none depends on another. */
const draw = { happens: 1, kind: 2, length: 3, place: 4 } as const;

/** The stretch around test `index` inside its block, by the seed alone: a disturbance, or the good tests beside it. */
export function seededStretch(
  seed: number,
  check: MonitoredCheck,
  run: TestRun,
  index: number,
): Stretch {
  const stability = stabilities[check.stability];
  const size = Math.max(
    fewestTestsInBlock,
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
  const length = glitch ? 1 : spellLength(stability, run, size, chance(draw.length));
  // The block's last test stays good, so that disturbances of neighbouring blocks never join.
  const first = blockFirst + Math.floor(chance(draw.place) * (size - length));
  const last = first + length - 1;
  if (index < first) return { outcome: 'up', first: blockFirst, last: first - 1 };
  if (index > last) return { outcome: 'up', first: last + 1, last: blockLast };
  return { outcome, first, last };
}

function spellLength(
  stability: { readonly shortestSeconds: number; readonly longestSeconds: number },
  run: TestRun,
  blockSize: number,
  chance: number,
): number {
  // Squared, because short outages are more common than long ones.
  const seconds =
    stability.shortestSeconds +
    chance ** 2 * (stability.longestSeconds - stability.shortestSeconds);
  const tests = Math.round(seconds / run.resolutionSeconds);
  return Math.min(Math.max(2, tests), blockSize - 2);
}
