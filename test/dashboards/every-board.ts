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
  /** The shown time range, which ends now. */
  readonly seconds: number;
  /** Much of the past is not read yet, so budgets may be absent. */
  readonly isYoung?: boolean;
  /** Used instead of the committed board. */
  readonly changed?: (uid: string, board: BoardJson) => BoardJson;
  /** Only these boards. */
  readonly only?: readonly string[];
  /** The number of checks that are compared in detail. */
  readonly looked?: number;
}

/** The longest delay of the list of a small account. */
const listSeconds = 150;

/** Present errors of the boards. */
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
  const { source } = scraped;
  const scrapes = scraped.scrapes();
  const opening = { grafana, source, scrapes, scrapeSeconds, range };
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
    // For each state, in maintenance and not, the item with the most tests.
    const byTests = truth.checks.toSorted((a, b) => truth.testsRead(a.id) - truth.testsRead(b.id));
    const page = await scraped.page();
    const serves = (family: string) => page.includes(`\n# TYPE ${family} `);
    const kinds = new Map(byTests.map((item) => [`${item.status} ${item.isInMaintenance}`, item]));
    for (const item of [...kinds.values()]
      .slice(0, looked)
      .concat(truth.transactions.slice(0, 3))) {
      const board = await open('uptime-check', { check: [`${item.id}`] });
      add(
        'uptime-check',
        await checkProblems(board, truth, item, { listSeconds, isYoung, serves }),
      );
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

/** Statements of the boards that nothing supports while the exporter is blind or dead. */
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
  const { source } = scraped;
  const scrapes = scraped.scrapes();
  const opening = { grafana, source, scrapes, scrapeSeconds, range };
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
