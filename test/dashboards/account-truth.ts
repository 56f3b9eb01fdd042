import { Comparison, spanText } from './comparison.ts';
import type { OpenedBoard } from './opened-board.ts';
import { mostAtOnce, trust } from './overview-truth.ts';
import type { Seen } from './panel-view.ts';
import type { ServiceNow } from './service-now.ts';

/** The limits of the accounts in the tests: the default ones, and inexhaustible ones. */
const limits = { short: [400, 100_000], long: [72_000, 18_000_000] } as const;

/** Errors of the board "Account and exporter". */
export async function accountProblems(board: OpenedBoard, truth: ServiceNow): Promise<string[]> {
  const comparison = new Comparison();
  await trust(board, truth, comparison);
  await account(board, truth, comparison);
  await exporter(board, truth, comparison);
  return comparison.wrong;
}

/** Whether the table reports only that its dataset was not read yet. */
function isUnread(rows: readonly Readonly<Record<string, Seen>>[], heading: string): boolean {
  return (
    rows.length === 1 &&
    /^Not known: the dataset \w+ was not read yet$/.test(rows[0]?.[heading]?.text ?? '')
  );
}

async function account(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const { world, now } = truth;
  const left = world.checkLimit - world.checks.length;
  const credits = await board.see('Credits');
  // Credits are read at most four times an hour, so they may still include a check that was just
  // deleted.
  const shownLeft = credits.rows[0]?.['Checks left']?.value;
  comparison.same(
    'Credits',
    credits.rows.map((row) =>
      ['Account', 'Checks left', 'Allowed', 'Messages left', 'Auto-buy'].map(
        (name) => row[name]?.text,
      ),
    ),
    [['shop', `${shownLeft === left - 1 ? left - 1 : left}`, `${world.checkLimit}`, '430', 'yes']],
  );
  comparison.cell(
    'Checks left',
    credits.rows[0]?.['Checks left'],
    left < 1 ? 'bad' : left < 5 ? 'warning' : 'good',
  );
  const contacts = await board.see('Contacts');
  const shown = contacts.rows.map((row) => [row.Type?.text, row.Paused?.text, row.Notified?.text]);
  const count = (kind: string, paused: boolean) =>
    world.people.people.filter((one) => one.kind === kind && one.paused === paused).length;
  comparison.same(
    'Contacts',
    shown.toSorted(),
    ['contact', 'user']
      .map((kind) => [kind, `${count(kind, true)}`, `${count(kind, false)}`])
      .sort(),
  );
  const teams = await board.see('Teams, the smallest first');
  comparison.same(
    'Teams',
    teams.rows.map((row) => [row.Team?.text, row.Members?.text]).sort(),
    world.people.teams.map(({ name, memberIds }) => [name, `${memberIds.length}`]).sort(),
  );
  const windows = await board.see('Maintenance windows');
  const next = world.maintenance.windows
    .flatMap(({ id, description }) => {
      const coming = world.maintenance.occurrences.find(
        (one) => one.maintenanceid === id && one.to > now,
      );
      return coming === undefined ? [] : [{ id, description, from: coming.from, to: coming.to }];
    })
    .sort((a, b) => a.from - b.from);
  const members = teams.rows.map((row) => row.Members?.value ?? 0);
  const smallest = members.toSorted((one, other) => one - other);
  comparison.same('order of the teams', members, smallest);
  await alertsSent(board, comparison);
  comparison.same(
    'Maintenance windows',
    windows.rows.map((row) => [
      row.ID?.text,
      row.Window?.text,
      row.Begins?.value,
      row.Ends?.value,
      row.Now?.text,
    ]),
    next.map(({ id, description, from, to }) => [
      `${id}`,
      description,
      from * 1000,
      to * 1000,
      from <= now ? 'yes' : 'no',
    ]),
  );
}

/** The alerts since the exporter began: its counters grow by the service's list. */
async function alertsSent(board: OpenedBoard, comparison: Comparison) {
  const { rows } = await board.see('Alerts sent in this time');
  const [first] = rows;
  const isNone = first?.Medium?.text === 'No alert was sent in this time';
  comparison.holds('Alerts sent: no rows', first !== undefined);
  if (isNone || isUnread(rows, 'Medium')) return;
  for (const row of rows) {
    comparison.holds(`Alerts sent: ${row.Alerts?.text}`, /^\d+$/.test(row.Alerts?.text ?? ''));
  }
}

async function exporter(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const { rows } = await board.see('Datasets, the latest first');
  const late = rows.map((row) => row.Intervals?.value ?? Number.NaN);
  comparison.same(
    'order of the datasets',
    late,
    late.toSorted((a, b) => b - a),
  );
  const names = rows.map((row) => row.Dataset?.text ?? '');
  comparison.same('datasets', new Set(names).size, names.length);
  const list = rows.find((one) => one.Dataset?.text === 'checks');
  comparison.near(
    'age of the list',
    list?.['Last read']?.value,
    truth.now - truth.readAt.check,
    25,
  );
  comparison.holds(
    `age ${list?.['Last read']?.text}`,
    spanText.test(list?.['Last read']?.text ?? ''),
  );
  for (const row of rows) {
    const isNever = row['Last read'] === undefined || row['Last read'].text === '–';
    const what = `intervals of ${row.Dataset?.text}, ${row['Last read']?.text}`;
    comparison.same(what, row.Intervals?.text === '–', isNever);
  }
  const { lines } = await board.see('API requests left');
  comparison.same('windows of the API', lines.map(({ name }) => name).sort(), [
    'shop long',
    'shop long: reserve',
    'shop short',
    'shop short: reserve',
  ]);
  for (const window of ['long', 'short'] as const) {
    const { remaining } = truth.limit(window);
    const share = lines.find(({ name }) => name === `shop ${window}`)?.last?.value ?? Number.NaN;
    const isSo = limits[window].some((limit) => Math.abs(share * limit - remaining) <= mostAtOnce);
    comparison.holds(`share left of the ${window} window: ${share}, with ${remaining} left`, isSo);
  }
  const failed = await board.see('Failed refreshes');
  for (const { name } of failed.lines) {
    comparison.holds(`Failed refreshes: ${name}`, /^(\w+: \w+|all failures)$/.test(name));
  }
  comparison.holds(
    'no line of all failures',
    failed.lines.some(({ name }) => name === 'all failures'),
  );
}
