import { budgetColour, budgetText, type ColourName, Comparison, spanText } from './comparison.ts';
import type { OpenedBoard } from './opened-board.ts';
import { firingAlerts } from './scraped-sandbox.ts';
import type { Item, Kind, ServiceNow } from './service-now.ts';

/** Of the accounts in the tests: the default ones, and those that nobody uses up. */
const limits = { short: [400, 100_000], long: [72_000, 18_000_000] } as const;
/** Requests that may have been sent since the last scrape. */
export const mostAtOnce = 40;
/** How long ago the exporter may have counted up to: an interval of the slowest check, and of the list. */
export const mostLateSeconds = 4000;

/** What the board "Overview" shows that is not so. */
export async function overviewProblems(
  board: OpenedBoard,
  truth: ServiceNow,
  isYoung: boolean,
): Promise<string[]> {
  const comparison = new Comparison();
  await figures(board, truth, comparison, isYoung);
  await downNow(board, truth, comparison, 'check', 'Checks down');
  await downNow(board, truth, comparison, 'transaction', 'Transactions failing');
  await outages(board, truth, comparison);
  await groups(board, truth, comparison);
  await slowest(board, truth, comparison);
  await alerts(board, comparison);
  await freshness(board, truth, comparison, isYoung);
  return comparison.wrong;
}

async function figures(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  isYoung: boolean,
) {
  const { figures: shown } = await board.see('Checks and transactions by state');
  const count = (of: (item: Item) => boolean, kind: Kind = 'check') =>
    truth.of(kind).filter(of).length;
  const status = (name: string) => count((item) => item.status === name);
  const spent = shown.find(({ name }) => name === 'Overspent')?.value;
  const some = (n: number, colour: ColourName): ColourName => (n > 0 ? colour : 'good');
  const wanted: readonly (readonly [string, number, ColourName])[] = [
    ['Down', status('down'), some(status('down'), 'bad')],
    [
      'Failing',
      count((item) => item.status === 'failing', 'transaction'),
      some(
        count((item) => item.status === 'failing', 'transaction'),
        'bad',
      ),
    ],
    ['Unconfirmed', status('unconfirmed_down'), some(status('unconfirmed_down'), 'warning')],
    ['Unknown', status('unknown'), some(status('unknown'), 'neutral')],
    ['Paused', status('paused'), some(status('paused'), 'paused')],
    ['Up', status('up'), 'good'],
    [
      'Maintenance',
      count((item) => item.isInMaintenance),
      some(
        count((item) => item.isInMaintenance),
        'maintenance',
      ),
    ],
    ...(spent === undefined ? [] : [['Overspent', spent, some(spent, 'bad')] as const]),
  ];
  comparison.same(
    'names of the figures',
    shown.map(({ name }) => name),
    wanted.map(([name]) => name),
  );
  for (const [name, value, colour] of wanted) {
    const figure = shown.find((one) => one.name === name);
    comparison.same(name, figure?.text, `${value}`);
    comparison.colour(name, figure, colour);
  }
  comparison.holds('Overspent is absent', spent !== undefined || isYoung);
  if (spent === undefined) return;
  const budgets = truth.checks.map(({ id }) => truth.budgets('check', id, truth.now - 1));
  const sure = budgets.filter(([left = Number.NaN]) => left < -0.2).length;
  const possible = budgets.filter(([left = Number.NaN]) => left < 0.2).length;
  comparison.holds(
    `Overspent: ${spent}, not ${sure} to ${possible}`,
    sure <= spent && spent <= possible,
  );
}

/** The order, the texts and the links of what is down. */
async function downNow(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  kind: Kind,
  title: string,
) {
  const { rows, headings, empty } = await board.see(title);
  const down = truth
    .of(kind)
    .filter(({ isDown }) => isDown)
    .sort((a, b) => (a.downSince ?? 0) - (b.downSince ?? 0));
  if (down.length === 0) {
    comparison.same(title, empty, kind === 'check' ? 'No check is down' : 'No transaction fails');
    return;
  }
  const [first = ''] = headings;
  comparison.same(`second column of ${title}`, headings[1], 'Down for');
  comparison.same(
    title,
    rows.map((row) => row.ID?.text),
    down.map(({ id }) => `${id}`),
  );
  for (const { id, name, downSince = 0 } of down) {
    const what = `${title}, ${id}`;
    const row = rows.find((one) => one.ID?.text === `${id}`) ?? {};
    comparison.same(`${what}, name`, row[first]?.text, name);
    const seconds = row['Down for'];
    comparison.near(`${what}, down for`, seconds?.value, truth.now - downSince, 1);
    comparison.holds(`${what}, down for ${seconds?.text}`, spanText.test(seconds?.text ?? ''));
    checkLinks(comparison, what, kind, id, row[first]?.links ?? []);
    const left = row['Budget left'];
    if (left === undefined || left.text === '') continue;
    comparison.holds(`${what}, budget ${left.text}`, budgetText.test(left.text));
    comparison.oneOf(
      `${what}, budget`,
      left.value,
      truth.budgets(kind, id, truth.now - mostLateSeconds),
    );
    comparison.cell(`${what}, budget`, left, budgetColour(left.value));
  }
}

/** To the board of an item with its time and account, and to its page of the exporter. */
export function checkLinks(
  comparison: Comparison,
  what: string,
  kind: Kind,
  id: number,
  links: readonly string[],
): void {
  const board = kind === 'check' ? 'uptime-check' : 'uptime-transactions';
  const [toBoard = '', toPage] = links;
  const url = new URL(toBoard, 'http://grafana.example.com');
  comparison.same(`${what}, board`, url.pathname, `/d/${board}`);
  comparison.same(`${what}, check of the link`, url.searchParams.get('var-check'), `${id}`);
  comparison.same(`${what}, account of the link`, url.searchParams.get('var-account'), 'shop');
  comparison.same(
    `${what}, source of the link`,
    url.searchParams.get('var-datasource'),
    'prometheus-uid',
  );
  comparison.holds(`${what}, no time in the link`, url.searchParams.has('from'));
  const page = `http://localhost:9158/accounts/shop/${kind}s/${id}`;
  comparison.same(`${what}, page of the exporter`, toPage, page);
}

async function outages(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const { strips, empty } = await board.see('Outages in this time');
  if (strips.length === 0) comparison.same('Outages', empty, 'Nothing was down in this time');
  const ofNow = strips.flatMap(({ name, spans }) => {
    const last = spans.at(-1);
    return last !== undefined && last.to >= board.range.to - 60_000 ? [name] : [];
  });
  const down = truth.checks.filter(({ isDown }) => isDown).map(({ name }) => firstWords(name));
  // A strip shows the worst state of each step, so one that ended in the last step reaches the edge too.
  const lately = Array.from({ length: 20 }, (_, at) => truth.now - 30 * at);
  const ended = truth.checks.filter(
    ({ id, isDown }) => !isDown && lately.some((time) => truth.stateAt(id, time) === 'down'),
  );
  const endedNames = new Set(ended.map(({ name }) => firstWords(name)));
  comparison.same(
    'Outages that go on',
    ofNow.filter((name) => down.includes(name) || !endedNames.has(name)).sort(),
    down.sort(),
  );
  for (const { name, spans } of strips) {
    for (const span of spans) {
      comparison.same(`state of ${name}`, span.text, 'down');
      comparison.colour(`outage of ${name}`, { ...span, value: 0, links: [] }, 'bad');
    }
  }
}

async function groups(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const { rows } = await board.see('Groups');
  const down = truth.checks.filter(({ status }) => status === 'down').length;
  comparison.same(
    'groups',
    rows.map((row) => [row.Group?.text, row.Account?.text, row.Down?.text]),
    [['shop', 'shop', `${down}`]],
  );
}

async function slowest(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const { rows } = await board.see('Slowest checks');
  const wanted = truth.checks
    .filter(({ responseSeconds }) => responseSeconds !== undefined)
    .sort((a, b) => (b.responseSeconds ?? 0) - (a.responseSeconds ?? 0))
    .slice(0, 8);
  comparison.same(
    'Slowest checks',
    rows.map((row) => [row.Check?.text, row['Response time']?.value]),
    wanted.map(({ name, responseSeconds }) => [name, responseSeconds]),
  );
}

async function alerts(board: OpenedBoard, comparison: Comparison) {
  const { rows } = await board.see('Firing alerts');
  comparison.same(
    'Firing alerts',
    rows.map((row) => ['Alert', 'Severity', 'Of', 'Account'].map((name) => row[name]?.text ?? '')),
    firingAlerts,
  );
  comparison.cell('a critical alert', rows[0]?.Severity, 'bad');
}

async function freshness(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  isYoung: boolean,
) {
  const {
    figures: [age, stale],
  } = await board.see('Data');
  comparison.near('Age of the list', age?.value, truth.now - truth.readAt.check, 25);
  // At first, datasets that were not read yet have no data.
  if (!isYoung) comparison.same('Stale datasets', stale?.text, '0');
  const { lines } = await board.see('API requests left');
  comparison.same(
    'windows of the API',
    lines.map(({ name }) => name),
    ['shop long', 'shop short'],
  );
  for (const window of ['long', 'short'] as const) {
    const { remaining } = truth.limit(window);
    const line = lines.find(({ name }) => name === `shop ${window}`);
    const share = line?.last?.value ?? Number.NaN;
    const isSo = limits[window].some((limit) => Math.abs(share * limit - remaining) <= mostAtOnce);
    comparison.holds(`share left of the ${window} window: ${share}, with ${remaining} left`, isSo);
  }
}

/** What fits beside a graph: the first line, at most 32 characters. */
function firstWords(name: string): string {
  const [line = '', ...others] = name.split('\n');
  const characters = [...(others.length > 0 ? `${line} …` : line)];
  return characters.length > 32 ? `${characters.slice(0, 31).join('')}…` : characters.join('');
}
