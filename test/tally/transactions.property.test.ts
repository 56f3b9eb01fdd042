import { expect, test } from 'vitest';
import { hashUnit } from '../../src/lib/random.ts';
import { drawnSeeds } from '../life/drawn-lives.ts';
import { extent } from '../support/extent.ts';
import type { TransactionWire } from './support/simulated-transaction.ts';
import { watchTransaction } from './support/watched-transaction.ts';

const hour = 3_600;

/** A wire that is drawn at random. The transaction stops and changes its interval again and again. */
function drawWire(seed: number): TransactionWire {
  let draws = 0;
  const pick = <T>(...from: readonly T[]): T =>
    from[Math.floor(hashUnit(seed, 98, ++draws) * from.length)] as T;
  const reportsEnd = pick('last-run', 'now');
  const reportLagSeconds = pick<readonly [number, number]>(
    [0, 0],
    [60, 60],
    [600, 600],
    [0, 300],
    [0, 900],
    [0, 2_000],
  );
  const isAway = pick(false, false, true);
  const blindSeconds: readonly [number, number] = isAway ? [86_500, 110_000] : [60, 20_000];
  // Nothing shows how old a report is that ends with the time of its content, so in such a report the
  // outcome of a run may be missing only for the five minutes that are left out.
  const longestRun = reportsEnd === 'now' ? Math.max(0, 300 - reportLagSeconds[1]) : 240;
  return {
    reportsEnd,
    reportLagSeconds,
    intervals: pick([300], [300, 600, 1_200], [300, 3_600]),
    listLagSeconds: pick([0, 0], [0, 30]),
    runSeconds: pick([0, 0], [0, Math.min(longestRun, 240)]),
    openDownEnd: pick('last-run', 'absent'),
    changes: pick(['stop'], ['stop', 'interval', 'interval']),
    // Not all reports of an hour are unreadable.
    unreadableShare: isAway ? 0.4 : pick(0, 0, 0.1),
    firstReadSeconds: pick([0, 60], [0, 3_000], [9_000, 11_000]),
    readsSeconds: isAway ? [280, 330] : pick([140, 170], [280, 330], [500, 700]),
    blindShare: pick(0, 0.01, 0.03),
    blindSeconds,
    restarts: pick(false, true),
    reportsBegin: pick('range', 'first-run'),
    cutsStates: pick(true, false),
    statePerRun: pick(false, false, true),
    lifeSeconds: 30 * hour + blindSeconds[1],
  };
}

test('what lists and reports of a transaction have told is counted with any wire', async () => {
  const wrong: unknown[] = [];
  for (const seed of drawnSeeds(extent(4, 3_000))) {
    const wire = drawWire(seed);
    const life = await watchTransaction(wire, seed);
    const isCounted = life.behindSeconds <= 3 * hour;
    if (life.wrong.length > 0 || life.wrongOutages !== 0 || !isCounted)
      wrong.push({ seed, ...life, wire });
  }
  expect(wrong).toEqual([]);
});
