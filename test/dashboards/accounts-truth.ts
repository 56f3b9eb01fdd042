import { Comparison } from './comparison.ts';
import type { OpenedBoard } from './opened-board.ts';
import { isUnknown, shownState } from './overview-truth.ts';
import type { Item, ServiceNow } from './service-now.ts';

/** An account as its exporter sees it now. */
export interface SeenAccount {
  readonly name: string;
  /** When its exporter saw it last. */
  readonly truth: ServiceNow;
  readonly is: 'seeing' | 'blind' | 'dead';
}

const firstLines = {
  seeing: 'read',
  blind: 'cannot be read (unauthorized), was last read',
  dead: 'the exporter does not answer since',
} as const;

/** Errors of the board "Overview" about several accounts of which some are not read. */
export async function accountsProblems(
  board: OpenedBoard,
  accounts: readonly SeenAccount[],
): Promise<string[]> {
  const comparison = new Comparison();
  const trust = await board.see('Can this be believed?');
  comparison.same(
    'the first line',
    trust.figures.map(({ name }) => name).sort(),
    accounts.map(({ name, is }) => `${name}: ${firstLines[is]}`).sort(),
  );
  const seeing = accounts.filter(({ is }) => is === 'seeing');
  const remembered = accounts.filter(({ is }) => is !== 'dead');
  const { figures } = await board.see('Checks and transactions by state');
  const count = (of: readonly SeenAccount[], kind: Item['kind'], is: (item: Item) => boolean) =>
    `${of.reduce((sum, { truth }) => sum + truth.of(kind).filter(is).length, 0)}`;
  const wanted = [
    ['Down', count(remembered, 'check', ({ isDown }) => isDown)],
    ['Failing', count(remembered, 'transaction', ({ isDown }) => isDown)],
    [
      'Unknown',
      `${Number(count(seeing, 'check', isUnknown)) + Number(count(seeing, 'transaction', isUnknown))}`,
    ],
    ['Paused', count(seeing, 'check', ({ status }) => status === 'paused')],
    ['Up', count(seeing, 'check', ({ status }) => status === 'up')],
  ];
  for (const [name, text] of wanted) {
    const shown = figures.find((figure) => figure.name === name)?.text;
    comparison.same(`figure ${name}`, shown, text);
  }
  const { rows } = await board.see('All that is not up');
  const notUp = accounts.flatMap(({ name, truth, is }) => {
    const of = (item: Item, state: string) => `${name} ${item.kind} ${item.id} ${state}`;
    if (is === 'dead') return [];
    if (is === 'blind') return truth.checks.flatMap((item) => (item.isDown ? of(item, '–') : []));
    const items = [...truth.checks, ...truth.transactions];
    return items.flatMap((item) => {
      const [state] = shownState(item);
      return state === 'up' ? [] : [of(item, state)];
    });
  });
  // Transactions are read less often, so their last list is shown for longer.
  const blind = accounts.filter(({ is }) => is === 'blind').map(({ name }) => name);
  const isOldList = ({ Account: account, Kind: kind }: (typeof rows)[number]) =>
    kind?.text === 'transaction' && blind.includes(account?.text ?? '');
  const shown = rows.flatMap((row) =>
    isOldList(row)
      ? []
      : `${row.Account?.text} ${row.Kind?.text} ${row.ID?.text} ${row.State?.text ?? '–'}`,
  );
  comparison.same('All that is not up', shown.sort(), notUp.sort());
  const every = await board.see('All checks and transactions');
  const checks = every.rows.filter((row) => row.Kind?.text === 'check');
  comparison.same(
    'All checks and transactions',
    checks.map((row) => `${row.Account?.text} ${row.ID?.text}`).sort(),
    seeing.flatMap(({ name, truth }) => truth.checks.map(({ id }) => `${name} ${id}`)).sort(),
  );
  const outages = await board.see('Last outages');
  const ofDead = accounts.filter(({ is }) => is === 'dead').map(({ name }) => name);
  const unfounded = outages.rows.filter((row) => ofDead.includes(row.Account?.text ?? ''));
  comparison.same('Last outages of accounts whose exporter is gone', unfounded.length, 0);
  return comparison.wrong;
}

/** Panels of a board that differ from those of another one. */
export async function differences(board: OpenedBoard, other: OpenedBoard): Promise<string[]> {
  const comparison = new Comparison();
  for (const { title } of board.panels) {
    comparison.same(
      title,
      withoutLinks(await board.see(title)),
      withoutLinks(await other.see(title)),
    );
  }
  return comparison.wrong;
}

/** Links carry the chosen accounts. */
const withoutLinks = (shown: unknown): unknown =>
  JSON.parse(JSON.stringify(shown, (key, value: unknown) => (key === 'links' ? undefined : value)));
