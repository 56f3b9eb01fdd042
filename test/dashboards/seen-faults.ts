import { expect } from 'vitest';
import { type EveryBoardOptions, problemsOfBoards, problemsOfUnknown } from './every-board.ts';
import { faults } from './planted-faults.ts';
import type { ScrapedSandbox } from './scraped-sandbox.ts';
import { blindWorld, deadWorld } from './unknown-truth.ts';

/**
 * Boards are correct, and this test notices if they are not: each planted fault causes its error.
 */
export async function expectTrueBoards(
  scraped: ScrapedSandbox,
  options: EveryBoardOptions,
  isLong: boolean,
): Promise<void> {
  expect(await problemsOfBoards(scraped, options)).toEqual([]);
  for (const { what, uid, plant, seen, takesLong, world } of faults) {
    if ((takesLong && !isLong) || world !== undefined) continue;
    const problems = await problemsOfBoards(scraped, {
      ...options,
      changed: (of, board) => (of === uid ? plant(board) : board),
      only: [uid],
    });
    expect(problems.join('\n'), what).toMatch(seen);
  }
}

const worlds = { blind: blindWorld, dead: deadWorld };

/** Boards report missing knowledge, and this test notices if they do not. */
export async function expectUnknown(
  scraped: ScrapedSandbox,
  name: keyof typeof worlds,
  options: Pick<EveryBoardOptions, 'grafana' | 'seconds'>,
): Promise<void> {
  const all = { ...options, world: worlds[name] };
  expect(await problemsOfUnknown(scraped, all), name).toEqual([]);
  for (const { what, uid, plant, seen, world } of faults) {
    if (world !== name) continue;
    const problems = await problemsOfUnknown(scraped, {
      ...all,
      changed: (of, board) => (of === uid ? plant(board) : board),
      only: [uid],
    });
    expect(problems.join('\n'), what).toMatch(seen);
  }
}
