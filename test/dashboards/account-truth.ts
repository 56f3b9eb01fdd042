import { probes, testingProbes } from '../../src/sandbox/simulation/probes.ts';
import { budgetColour, Comparison, spanText } from './comparison.ts';
import type { OpenedBoard } from './opened-board.ts';
import { checkLinks, mostAtOnce, mostLateSeconds } from './overview-truth.ts';
import type { ServiceNow } from './service-now.ts';

/** What the board "Transactions" shows that is not so; the transaction that is looked at is `id`. */
export async function transactionsProblems(
  board: OpenedBoard,
  truth: ServiceNow,
  id: number,
): Promise<string[]> {
  const comparison = new Comparison();
  const item = truth.transactions.find((one) => one.id === id);
  if (item === undefined) throw new Error(`the service has no transaction ${id}`);
  const { rows, headings } = await board.see('Failing now');
  const failing = truth.transactions.filter(({ isDown }) => isDown);
  comparison.same(
    'Failing now',
    rows.map((row) => row.ID?.text).sort(),
    failing.map((one) => `${one.id}`).sort(),
  );
  const longest = rows.map((row) => row['Failing for']?.value ?? 0);
  comparison.same(
    'order of Failing now',
    longest,
    longest.toSorted((a, b) => b - a),
  );
  for (const one of failing) {
    const row = rows.find((candidate) => candidate.ID?.text === `${one.id}`) ?? {};
    const what = `Failing now, ${one.id}`;
    const seconds = row['Failing for'];
    comparison.near(what, seconds?.value, truth.now - (one.downSince ?? 0), 1);
    comparison.holds(`${what} ${seconds?.text}`, spanText.test(seconds?.text ?? ''));
    checkLinks(comparison, what, 'transaction', one.id, row[headings[0] ?? '']?.links ?? []);
  }
  const words: Readonly<Record<string, string>> = { successful: 'successful', failing: 'failing' };
  const state = await board.see('Now');
  comparison.same('Now', state.figures[0]?.text, words[item.status] ?? 'not known');
  const colour =
    item.status === 'failing' ? 'bad' : item.status === 'successful' ? 'good' : 'neutral';
  comparison.colour('Now', state.figures[0], colour);
  const step = item.isDown ? truth.failingStep(id) : undefined;
  comparison.figure(
    'Failing step',
    await board.see('Failing step'),
    step === undefined ? 'none' : { value: step },
  );
  if (step !== undefined) {
    const row = rows.find((candidate) => candidate.ID?.text === `${id}`);
    comparison.same('At step', row?.['At step']?.text, `${step}`);
  }
  await transactionPast(board, truth, comparison, id);
  const planned = await board.see('Maintenance');
  comparison.same('Maintenance', planned.figures[0]?.text, item.isInMaintenance ? 'yes' : 'no');
  return comparison.wrong;
}

async function transactionPast(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  id: number,
) {
  const { settings } = truth.world.transactions.find(id) ?? {};
  const every = 60 * (settings?.interval ?? 0);
  comparison.figure('Runs every', await board.see('Runs every'), { value: every });
  const { rows, empty } = await board.see('Steps');
  if (rows.length === 0) {
    comparison.same('Steps', empty, 'No performance report was read yet');
  } else {
    const shown = rows.map((row) => [row.Step?.text, row['What it does']?.text]);
    const steps = settings?.steps ?? [];
    comparison.same('Steps', shown.toSorted(), steps.map(({ fn }, at) => [`${at + 1}`, fn]).sort());
  }
  const left = await board.see('Budget left');
  const up = await board.see('Up in 30 days');
  const [figure] = left.figures;
  if (figure === undefined || figure.text === 'not known yet') {
    comparison.figure('Up in 30 days', up, 'not known yet');
    return;
  }
  const earliest = truth.now - mostLateSeconds;
  comparison.oneOf('Budget left', figure.value, truth.budgets('transaction', id, earliest));
  comparison.colour('Budget left', figure, budgetColour(figure.value));
  comparison.near('Up in 30 days', up.figures[0]?.value, 1 - (1 - figure.value) * 0.001, 1e-9);
  const { lines } = await board.see('Error budget left');
  const line = lines.find(({ name }) => name === 'left');
  comparison.near('Error budget left', line?.last?.value, figure.value, 1e-9);
}

/** What the board "Account and credits" shows that is not so. */
export async function accountProblems(board: OpenedBoard, truth: ServiceNow): Promise<string[]> {
  const comparison = new Comparison();
  const { world, now } = truth;
  const left = world.checkLimit - world.checks.length;
  const credits = await board.see('What is left');
  // Credits are read four times an hour at most: a check that was just deleted may still be among them.
  const shownLeft = credits.rows[0]?.['Checks left']?.value;
  comparison.same(
    'What is left',
    credits.rows.map((row) =>
      ['Account', 'Checks left', 'Messages left', 'Auto-buy'].map((name) => row[name]?.text),
    ),
    [['shop', `${shownLeft === left - 1 ? left - 1 : left}`, '430', 'yes']],
  );
  comparison.cell(
    'Checks left',
    credits.rows[0]?.['Checks left'],
    left < 1 ? 'bad' : left < 5 ? 'warning' : 'good',
  );
  const contacts = await board.see('Contacts');
  const shown = contacts.rows.map((row) => [row.Type?.text, row.Paused?.text, row.Told?.text]);
  const count = (kind: string, paused: boolean) =>
    world.people.people.filter((one) => one.kind === kind && one.paused === paused).length;
  comparison.same(
    'Contacts',
    shown.toSorted(),
    ['contact', 'user']
      .map((kind) => [kind, `${count(kind, true)}`, `${count(kind, false)}`])
      .sort(),
  );
  const teams = await board.see('Teams');
  comparison.same(
    'Teams',
    teams.rows.map((row) => [row.Team?.text, row.Members?.text]).sort(),
    world.people.teams.map(({ name, memberIds }) => [name, `${memberIds.length}`]).sort(),
  );
  const inUse = await board.see('Checks in use');
  const used = (name: string) => inUse.lines.find((line) => line.name === `shop: ${name}`)?.last;
  comparison.near('checks allowed', used('allowed')?.value, world.checkLimit, 0);
  comparison.near('checks in use', used('default')?.value, world.checks.length, 1);
  const targets = world.people.people.flatMap((person) => person.targets);
  const ways = new Map<string, number>();
  for (const { channel, value } of targets) {
    const way = `${channel} ${value.severity.toLowerCase()}`;
    ways.set(way, (ways.get(way) ?? 0) + 1);
  }
  const reached = await board.see('Ways to reach them');
  comparison.same(
    'Ways to reach them',
    reached.rows
      .map((row) => `${row.Medium?.text} ${row.Importance?.text} ${row['How many']?.text}`)
      .sort(),
    [...ways].map(([way, count]) => `${way} ${count}`).sort(),
  );
  const sites = await board.see('Probes');
  if (sites.rows.length > 0) {
    const working = testingProbes.length;
    const all = probes.filter(({ deleted }) => !deleted).length;
    comparison.same(
      'Probes',
      sites.rows.map((row) => [row.Active?.text, row.Probes?.text]).sort(),
      [
        ['false', `${all - working}`],
        ['true', `${working}`],
      ],
    );
  }
  const windows = await board.see('Maintenance windows');
  const next = world.maintenance.windows
    .flatMap(({ id, description }) => {
      const coming = world.maintenance.occurrences.find(
        (one) => one.maintenanceid === id && one.to > now,
      );
      return coming === undefined ? [] : [{ id, description, from: coming.from, to: coming.to }];
    })
    .sort((a, b) => a.from - b.from);
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
  return comparison.wrong;
}

/** What the board "Exporter and API budget" shows that is not so. */
export async function exporterProblems(board: OpenedBoard, truth: ServiceNow): Promise<string[]> {
  const comparison = new Comparison();
  for (const [title, text] of [
    ['Accounts read', 'yes'],
    ['Held back', 'no'],
    ['Version', '0.0.0'],
  ] as const) {
    const { figures } = await board.see(title);
    comparison.same(title, title === 'Version' ? figures[0]?.name : figures[0]?.text, text);
    comparison.colour(title, figures[0], 'good');
  }
  const { rows } = await board.see('Datasets, the latest first');
  const late = rows.map((row) => row.Intervals?.value ?? Number.NaN);
  comparison.same(
    'order of the datasets',
    late,
    late.toSorted((a, b) => b - a),
  );
  const names = rows.map((row) => row.Dataset?.text ?? '');
  comparison.same('datasets', new Set(names).size, names.length);
  const entries = { checks: truth.checks.length, transactions: truth.transactions.length };
  for (const [name, count] of Object.entries(entries)) {
    const row = rows.find((one) => one.Dataset?.text === name);
    comparison.same(`entries of ${name}`, row?.Entries?.text, `${count}`);
  }
  const list = rows.find((one) => one.Dataset?.text === 'checks');
  comparison.near('age of the list', list?.Age?.value, truth.now - truth.readAt.check, 25);
  comparison.holds(`age ${list?.Age?.text}`, spanText.test(list?.Age?.text ?? ''));
  for (const title of ['Requests left, short window', 'Requests left, long window']) {
    const { lines } = await board.see(title);
    const [left, reserve] = lines.map(({ last }) => last?.value ?? Number.NaN);
    comparison.holds(`${title}: ${left} over ${reserve}`, (left ?? 0) > (reserve ?? 0));
    const { remaining } = truth.limit(title.includes('short') ? 'short' : 'long');
    comparison.near(title, left, remaining, mostAtOnce);
  }
  const {
    figures: [stale],
  } = await board.see('Stale datasets');
  const isLate = rows.some((row) => row.Age === undefined || row.Age.text === '–');
  if (!isLate) comparison.same('Stale datasets', stale?.text, '0');
  const sent = await board.see('Requests');
  comparison.holds(
    `Requests: ${sent.lines.length} operations`,
    sent.lines.length > 0 && sent.lines.length <= 20,
  );
  const replies = await board.see('Replies');
  // In the first minute Prometheus has seen no counter rise yet.
  const rose = sent.lines.some(({ last }) => (last?.value ?? 0) > 0);
  comparison.same(
    'Replies',
    replies.lines.map(({ name }) => name),
    rose ? ['200'] : [],
  );
  const failed = await board.see('Failed refreshes');
  if (failed.lines.length === 0) {
    comparison.same('Failed refreshes', failed.empty, 'No refresh failed in this time');
  }
  for (const { name } of failed.lines) {
    comparison.holds(`Failed refreshes: ${name}`, /^\w+: \w+$/.test(name));
  }
  return comparison.wrong;
}
