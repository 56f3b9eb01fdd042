import { expect } from 'vitest';
import { type EveryBoardOptions, problemsOfBoards } from './every-board.ts';
import { faults } from './planted-faults.ts';
import type { ScrapedSandbox } from './scraped-sandbox.ts';

/** Boards show what is so, and would be caught if they did not: with each of the faults planted. */
export async function expectTrueBoards(
  scraped: ScrapedSandbox,
  options: EveryBoardOptions,
  isLong: boolean,
): Promise<void> {
  expect(await problemsOfBoards(scraped, options)).toEqual([]);
  for (const { what, uid, plant, seen, takesLong } of faults) {
    if (takesLong && !isLong) continue;
    const problems = await problemsOfBoards(scraped, {
      ...options,
      changed: (of, board) => (of === uid ? plant(board) : board),
      only: [uid],
    });
    expect(problems.join('\n'), what).toMatch(seen);
  }
}
