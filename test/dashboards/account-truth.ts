import { nothing } from '../../dashboards/source/colours.ts';
import { Comparison, spanText } from './comparison.ts';
import type { OpenedBoard } from './opened-board.ts';
import { mostAtOnce, trust } from './overview-truth.ts';
import type { Seen } from './panel-view.ts';
import { scrapeSeconds } from './scraped-sandbox.ts';
import type { ServiceNow } from './service-now.ts';

/** The limits of the accounts in the tests: the default ones, and inexhaustible ones. */
const limits = { short: [400, 100_000], long: [72_000, 18_000_000] } as const;

/** The longest time in seconds until a sent alert is in the service's list. */
const lateAlerts = 900;

/** Alerts about a deleted check were counted, but are no longer listed. */
const ofDeletedChecks = 5;

/** Errors of the board "Account and exporter". */
export async function accountProblems(board: OpenedBoard, truth: ServiceNow): Promise<string[]> {
  const comparison = new Comparison();
  await trust(board, truth, comparison);
  await account(board, truth, comparison);
  await exporter(board, truth, comparison);
  comparison.same('panels that were not looked at', board.unseen, []);
  return comparison.wrong;
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
    world.people.people.all.filter((one) => one.kind === kind && one.paused === paused).length;
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
    world.people.teams.all.map(({ name, memberIds }) => [name, `${memberIds.length}`]).sort(),
  );
  const windows = await board.see('Maintenance windows');
  const next = world.maintenance.windows.all
    .flatMap(({ id, description }) => {
      const coming = world.maintenance.occurrencesInOrder.find(
        (one) => one.maintenanceid === id && one.to > now,
      );
      return coming === undefined ? [] : [{ id, description, from: coming.from, to: coming.to }];
    })
    .sort((a, b) => a.from - b.from);
  const members = teams.rows.map((row) => row.Members?.value ?? 0);
  const smallest = members.toSorted((one, other) => one - other);
  comparison.same('order of the teams', members, smallest);
  await alertsSent(board, truth, comparison);
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

/**
 * The alerts in the time: at least those sent between two refreshes in it, at most those that can
 * be known.
 */
async function alertsSent(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const { rows } = await board.see('Alerts sent in this time');
  const reads = truth.answersOf('list_actions');
  // The exporter counts from its first response on.
  const [first] = reads;
  if (first === undefined) {
    comparison.same('Alerts sent, which were not read', rows.length, 0);
    return;
  }
  const from = board.range.from / 1000;
  const before = reads.findLast((at) => at <= from) ?? first;
  const within = reads.find((at) => at > from && at > first) ?? truth.now;
  const most = truth.alertsSent(before - lateAlerts, truth.now);
  const least = truth.alertsSent(within, Math.max(within, (reads.at(-1) ?? 0) - lateAlerts));
  const shown = new Map<string, Seen | undefined>(
    rows.map((row) => [`${row.Medium?.text} ${row.Status?.text}`, row.Alerts] as const),
  );
  for (const kind of new Set([...shown.keys(), ...least.keys()])) {
    const alerts = shown.get(kind);
    const [sure, possible] = [least.get(kind) ?? 0, most.get(kind) ?? 0];
    const count = alerts === undefined ? 0 : Number(alerts.text);
    comparison.holds(
      `Alerts sent, ${kind}: ${alerts?.text}, not ${sure} to ${possible}`,
      Number.isInteger(count) && sure <= count && count <= possible + ofDeletedChecks,
    );
  }
  const values = [...shown.values()].map((alerts) => alerts?.value ?? 0);
  const greatest = values.toSorted((a, b) => b - a);
  comparison.same('order of the alerts', values, greatest);
}

async function exporter(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const { rows } = await board.see('Datasets, the most overdue first');
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
  const { lines } = await board.see('API requests left');
  comparison.same('windows of the API', lines.map(({ name }) => name).sort(), [
    'shop long',
    'shop long: reserve',
    'shop short',
    'shop short: reserve',
  ]);
  for (const window of ['long', 'short'] as const) {
    // The last point of a long range is older than the last request.
    if (board.stepSeconds('API requests left') > 30) continue;
    const { remaining } = truth.limit(window);
    const share = lines.find(({ name }) => name === `shop ${window}`)?.last?.value ?? Number.NaN;
    const isSo = limits[window].some((limit) => Math.abs(share * limit - remaining) <= mostAtOnce);
    comparison.holds(`share left of the ${window} window: ${share}, with ${remaining} left`, isSo);
  }
  const demand = await board.see('Demand and budget');
  const ofDemand = ['shop: sent', 'shop: sustained', 'shop: wanted'];
  comparison.same('Demand and budget', demand.lines.map(({ name }) => name).sort(), ofDemand);
  const requests = demand.lines.find(({ name }) => name === 'shop: sent')?.points.at(-1);
  const [at, count = Number.NaN] = requests ?? [board.range.to];
  const from = Math.max(board.scrapes.first, at - 3_600_000);
  const to = Math.min(board.scrapes.last, at);
  const counted = truth.requests.filter(({ time }) => time > from && time <= to).length;
  // increase() assumes that the count went on for up to half an interval before and after.
  const most = counted * (1 + (1000 * scrapeSeconds) / (to - from));
  // Replicas count their own requests, which add up; in some worlds two instances serve one page.
  const isSo = [1, 2].some(
    (times) =>
      count >= 0.95 * times * counted - mostAtOnce && count <= 1.05 * times * most + mostAtOnce,
  );
  comparison.holds(`requests in the hour: ${count}, not ${counted}`, isSo);
  for (const title of ['Writes that failed', 'Memory', 'CPU']) {
    const { lines: drawn, empty } = await board.see(title);
    comparison.holds(`${title}: ${empty}`, drawn.length > 0 || empty === nothing);
    const wrong = drawn.filter(({ name }) => name.endsWith(': failed'));
    for (const { name, last } of wrong) comparison.same(`${title}: ${name}`, last?.value, 0);
  }
  const failed = await board.see('Failed refreshes');
  for (const { name } of failed.lines) {
    comparison.holds(`Failed refreshes: ${name}`, /^(\w+: \w+|all failures)$/.test(name));
  }
  comparison.same(
    'the line of all failures',
    failed.lines.some(({ name }) => name === 'all failures'),
    board.times('Failed refreshes').length > 0,
  );
}
