import { boards } from '../support/boards.ts';
import { accountProblems } from './account-truth.ts';
import { checkProblems } from './check-truth.ts';
import type { Grafana } from './grafana.ts';
import { objectivesProblems } from './objectives-truth.ts';
import { type BoardJson, boardOf, OpenedBoard } from './opened-board.ts';
import { overviewProblems } from './overview-truth.ts';
import { type ScrapedSandbox, scrapeSeconds } from './scraped-sandbox.ts';
import type { ServiceNow } from './service-now.ts';
import { type Unknown, unknownProblems } from './unknown-truth.ts';

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
  const { source, began } = scraped;
  const opening = { grafana, source, began, scrapeSeconds, range };
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
    for (const item of [...kinds.values()]
      .slice(0, looked)
      .concat(truth.transactions.slice(0, 2))) {
      const board = await open('uptime-check', { check: [`${item.id}`] });
      add('uptime-check', await checkProblems(board, truth, item, { listSeconds, isYoung }));
    }
  }
  if (isWanted('uptime-slo')) {
    add('uptime-slo', await objectivesProblems(await open('uptime-slo'), truth, isYoung));
  }
  if (isWanted('uptime-exporter')) {
    add('uptime-exporter', await accountProblems(await open('uptime-exporter'), truth));
  }
  return wrong;
}

/** What the boards say that nobody knows, in a world in which the exporter is blind or dead. */
export async function problemsOfUnknown(
  scraped: ScrapedSandbox,
  {
    grafana,
    world,
    seconds,
    changed = (_, board) => board,
    only,
  }: Pick<EveryBoardOptions, 'grafana' | 'seconds' | 'changed' | 'only'> & {
    readonly world: Unknown;
  },
): Promise<string[]> {
  const now = scraped.clock.now();
  const range = { from: now - seconds * 1000, to: now };
  const { source, began } = scraped;
  const opening = { grafana, source, began, scrapeSeconds, range };
  const wrong: string[] = [];
  for (const { board } of boards) {
    const { uid } = board;
    if (only !== undefined && !only.includes(uid)) continue;
    for (const id of uid === 'uptime-check' ? [...looked(scraped)] : [undefined]) {
      const chosen = { ...(id !== undefined && { check: [`${id}`] }) };
      const opened = await OpenedBoard.open(changed(uid, boardOf(uid)), { ...opening, chosen });
      const problems = await unknownProblems(opened, world);
      wrong.push(...problems.map((problem) => `${uid} ${id ?? ''}: ${problem}`));
    }
  }
  return wrong;
}

/** A check that is up, one that is down, and a transaction. */
function looked({ sandbox: { world } }: ScrapedSandbox): number[] {
  return [world.checks[0]?.id, world.checks[1]?.id, world.transactions.all[0]?.id].flatMap(
    (id) => id ?? [],
  );
}
