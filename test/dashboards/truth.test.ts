import { describe, expect, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { problemsOfBoards } from './every-board.ts';
import { loadGrafana, missingGrafana } from './grafana.ts';
import { faults } from './planted-faults.ts';
import { startScrapedSandbox } from './scraped-sandbox.ts';
import { serviceNow } from './service-seen.ts';
import { makeTrouble } from './trouble.ts';

describe.skipIf(missing('prometheus') || missingGrafana())('dashboards at 20 checks', () => {
  test('every panel shows what is so, and every planted fault is seen', async () => {
    const scraped = await startScrapedSandbox({ checks: 20 });
    await scraped.live(360);
    makeTrouble(scraped);
    await scraped.live(540);
    const grafana = loadGrafana();
    const truth = serviceNow(scraped);
    expect(await problemsOfBoards(scraped, { grafana, truth, seconds: 600 })).toEqual([]);
    for (const { what, uid, plant, seen } of faults) {
      const changed = (of: string, board: Parameters<typeof plant>[0]) =>
        of === uid ? plant(board) : board;
      const problems = await problemsOfBoards(scraped, {
        grafana,
        truth,
        seconds: 600,
        changed,
        only: [uid],
      });
      expect(problems.join('\n'), what).toMatch(seen);
    }
  });
});
