import { accountProblems, exporterProblems, transactionsProblems } from './account-truth.ts';
import { checkProblems } from './check-truth.ts';
import type { Grafana } from './grafana.ts';
import { objectivesProblems } from './objectives-truth.ts';
import { type BoardJson, boardOf, OpenedBoard } from './opened-board.ts';
import { overviewProblems } from './overview-truth.ts';
import { type ScrapedSandbox, scrapeSeconds } from './scraped-sandbox.ts';
import type { ServiceNow } from './service-now.ts';

export interface EveryBoardOptions {
  readonly grafana: Grafana;
  readonly truth: ServiceNow;
  /** Of the time shown, until now. */
  readonly seconds: number;
  /** Much of the past was not read yet, so that budgets may be absent. */
  readonly isYoung?: boolean;
  /** The board in place of the one that is committed. */
  readonly changed?: (uid: string, board: BoardJson) => BoardJson;
  /** Only these boards. */
  readonly only?: readonly string[];
  /** How many checks are looked at in detail. */
  readonly looked?: number;
}

/** The most by which the list of a small account is late. */
const listSeconds = 150;

/** What the boards show now that is not so. */
export async function problemsOfBoards(
  scraped: ScrapedSandbox,
  {
    grafana,
    truth,
    seconds,
    isYoung = false,
    changed = (_, board) => board,
    only,
    looked = 6,
  }: EveryBoardOptions,
): Promise<string[]> {
  const now = scraped.clock.now();
  const range = { from: now - seconds * 1000, to: now };
  const opening = { grafana, source: scraped.source, scrapeSeconds, range };
  const open = (uid: string, chosen: Readonly<Record<string, readonly string[]>> = {}) =>
    OpenedBoard.open(changed(uid, boardOf(uid)), { ...opening, chosen });
  const isWanted = (uid: string) => only === undefined || only.includes(uid);
  const wrong: string[] = [];
  const add = (uid: string, problems: readonly string[]) =>
    wrong.push(...problems.map((problem) => `${uid}: ${problem}`));

  if (isWanted('uptime-overview')) {
    add('uptime-overview', await overviewProblems(await open('uptime-overview'), truth, isYoung));
  }
  if (isWanted('uptime-check')) {
    // Of each state, in maintenance and not, the one of which most tests were read.
    const byTests = truth.checks.toSorted((a, b) => truth.testsRead(a.id) - truth.testsRead(b.id));
    const kinds = new Map(byTests.map((item) => [`${item.status} ${item.isInMaintenance}`, item]));
    for (const item of [...kinds.values()].slice(0, looked)) {
      const board = await open('uptime-check', { check: [`${item.id}`] });
      add('uptime-check', await checkProblems(board, truth, item, { listSeconds, isYoung }));
    }
  }
  if (isWanted('uptime-slo')) {
    add('uptime-slo', await objectivesProblems(await open('uptime-slo'), truth, isYoung));
  }
  if (isWanted('uptime-transactions')) {
    for (const { id } of truth.transactions.slice(0, 3)) {
      const board = await open('uptime-transactions', { check: [`${id}`] });
      add('uptime-transactions', await transactionsProblems(board, truth, id));
    }
  }
  if (isWanted('uptime-account')) {
    add('uptime-account', await accountProblems(await open('uptime-account'), truth));
  }
  if (isWanted('uptime-exporter')) {
    add('uptime-exporter', await exporterProblems(await open('uptime-exporter'), truth));
  }
  return wrong;
}
