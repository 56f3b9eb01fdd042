import { budgetColour, budgetText, type ColourName, Comparison, spanText } from './comparison.ts';
import type { OpenedBoard } from './opened-board.ts';
import type { Seen } from './panel-view.ts';
import { firingAlerts } from './scraped-sandbox.ts';
import type { Item, Kind, ServiceNow } from './service-now.ts';

/** Requests that may have been sent since the last scrape. */
export const mostAtOnce = 40;
/**
 * The longest age of the counters: an interval of the slowest check, plus an interval of the list.
 */
export const mostLateSeconds = 4000;

/** Errors of the board "Overview". */
export async function overviewProblems(
  board: OpenedBoard,
  truth: ServiceNow,
  isYoung: boolean,
): Promise<string[]> {
  const comparison = new Comparison();
  await trust(board, truth, comparison);
  await figures(board, truth, comparison);
  await notUp(board, truth, comparison, isYoung);
  await everything(board, truth, comparison);
  await outages(board, truth, comparison);
  await lastOutages(board, truth, comparison, isYoung);
  await groups(board, truth, comparison);
  await alerts(board, comparison);
  comparison.same('panels that were not looked at', board.unseen, []);
  return comparison.wrong;
}

/** The first line of each board while the account is read. */
export async function trust(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const [first] = board.panels;
  comparison.same('the first panel', first?.title, 'Can this be believed?');
  const { figures } = await board.see('Can this be believed?');
  const pastReadBy = 'shop: past outages are read by';
  const shown = figures.filter(({ name }) => name !== pastReadBy);
  for (const { text, value } of figures.filter(({ name }) => name === pastReadBy)) {
    comparison.holds(`${pastReadBy} ${text}`, value > truth.now * 1000 - 60_000);
  }
  comparison.same(
    'trust',
    shown.map(({ name }) => name),
    ['shop: read'],
  );
  const age = truth.now - truth.readAt.check;
  comparison.near('age of the list', shown[0]?.value, age, 25);
  comparison.holds(`trust: ${shown[0]?.text}`, /^\d+ s ago$/.test(shown[0]?.text ?? ''));
  comparison.colour('trust', shown[0], (shown[0]?.value ?? 0) < 300 ? 'good' : 'warning');
}

async function figures(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const { figures: shown } = await board.see('Checks and transactions by state');
  const count = (of: (item: Item) => boolean, kind: Kind = 'check') =>
    truth.of(kind).filter(of).length;
  const status = (name: string) => count((item) => item.status === name);
  const some = (n: number, colour: ColourName): ColourName => (n > 0 ? colour : 'good');
  const down = count(({ isDown }) => isDown);
  const unknown = status('unknown') + count(isUnknown, 'transaction');
  const failing = count(({ isDown }) => isDown, 'transaction');
  const maintained = count((item) => item.isInMaintenance);
  const wanted: readonly (readonly [string, number, ColourName])[] = [
    ['Down', down, some(down, 'bad')],
    ['Failing', failing, some(failing, 'bad')],
    ['Not confirmed', status('unconfirmed_down'), some(status('unconfirmed_down'), 'warning')],
    ['Unknown', unknown, some(unknown, 'neutral')],
    ['Paused', status('paused'), some(status('paused'), 'paused')],
    ['Maintenance', maintained, some(maintained, 'maintenance')],
    ['Up', status('up'), 'good'],
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
}

/** The name of a status and its colour. */
export const stateNames: Readonly<Record<string, readonly [string, ColourName]>> = {
  down: ['down', 'bad'],
  failing: ['down', 'bad'],
  unconfirmed_down: ['not confirmed', 'warning'],
  unknown: ['unknown', 'neutral'],
  paused: ['paused', 'paused'],
  up: ['up', 'good'],
  successful: ['up', 'good'],
};

/** A transaction that is not active is paused. */
export const isUnknown = (item: Item) => shownState(item)[0] === 'unknown';

/** The expected state of an item. */
export function shownState({ status }: Item): readonly [string, ColourName] {
  return stateNames[status] ?? [`no state: ${status}`, 'neutral'];
}

const everyItem = (truth: ServiceNow) => [...truth.checks, ...truth.transactions];
const ofRow = ({ Kind: kind, ID: id, State: state }: Readonly<Record<string, Seen>>) =>
  `${kind?.text} ${id?.text} ${state?.text}`;
const ofItem = (item: Item) => `${item.kind} ${item.id} ${shownState(item)[0]}`;

/** The order, the texts and the links of all items that are not up. */
async function notUp(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  isYoung: boolean,
) {
  const title = 'All that is not up';
  const { rows, headings } = await board.see(title);
  // At first it may not be known since when anything is down.
  const hasTimes = !isYoung || headings.includes('Down for');
  const columns = ['Check', 'State', ...(hasTimes ? ['Down for'] : [])];
  comparison.same(`columns of ${title}`, headings.slice(0, columns.length), columns);
  comparison.holds(`${title} shows identifiers`, !headings.includes('ID'));
  const wanted = everyItem(truth).filter((item) => shownState(item)[0] !== 'up');
  comparison.same(title, rows.map(ofRow).sort(), wanted.map(ofItem).sort());
  const downFor = rows.map((row) => row['Down for']?.value ?? Number.NaN);
  const lasting = downFor.filter((seconds) => !Number.isNaN(seconds));
  comparison.same(
    `order of what is down in ${title}`,
    downFor.slice(0, lasting.length),
    lasting.toSorted((a, b) => b - a),
  );
  for (const item of wanted) {
    const { kind, id, name, downSince, isInMaintenance } = item;
    const what = `${title}, ${id}`;
    const row = rows.find((one) => one.ID?.text === `${id}` && one.Kind?.text === kind) ?? {};
    comparison.same(`${what}, name`, row.Check?.text, name);
    comparison.colour(`${what}, state`, row.State, shownState(item)[1]);
    comparison.same(`${what}, maintenance`, row.Maintenance?.text === 'yes', isInMaintenance);
    checkLinks(comparison, what, kind, id, row.Check?.links ?? []);
    const seconds = row['Down for'];
    if (!hasTimes) {
      comparison.same(`${what}, down for`, seconds, undefined);
    } else if (downSince !== undefined) {
      comparison.near(`${what}, down for`, seconds?.value, truth.now - downSince, 1);
      comparison.holds(`${what}, down for ${seconds?.text}`, spanText.test(seconds?.text ?? ''));
    } else if (item.status !== 'unknown') {
      comparison.same(`${what}, down for`, seconds?.text, '–');
    }
    budgetCell(truth, comparison, what, item, row['Budget left']);
  }
}

function budgetCell(
  truth: ServiceNow,
  comparison: Comparison,
  what: string,
  { kind, id }: Item,
  left: Seen | undefined,
) {
  if (left === undefined || left.text === '' || left.text === '–') return;
  comparison.holds(`${what}, budget ${left.text}`, budgetText.test(left.text));
  const budgets = truth.budgets(kind, id, truth.now - mostLateSeconds);
  comparison.oneOf(`${what}, budget`, left.value, budgets);
  comparison.cell(`${what}, budget`, left, budgetColour(left.value));
}

async function everything(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const { rows } = await board.see('All checks and transactions');
  comparison.same(
    'All checks and transactions',
    rows.map(ofRow).sort(),
    everyItem(truth).map(ofItem).sort(),
  );
  for (const item of truth.checks) {
    const row = rows.find((one) => one.Kind?.text === 'check' && one.ID?.text === `${item.id}`);
    const what = `All checks and transactions, ${item.id}`;
    checkLinks(comparison, what, 'check', item.id, row?.Check?.links ?? []);
    budgetCell(truth, comparison, what, item, row?.['Budget left']);
    const time = row?.['Response time'];
    if (item.responseSeconds === undefined) comparison.same(what, time?.text ?? '–', '–');
    else comparison.near(what, time?.value, item.responseSeconds, 1e-9);
  }
}

/** Links to the board of an item with its time and account, and to its view in the exporter. */
export function checkLinks(
  comparison: Comparison,
  what: string,
  kind: Kind,
  id: number,
  links: readonly string[],
): void {
  const [toBoard = '', toPage] = links;
  const url = new URL(toBoard, 'http://grafana.example.com');
  comparison.same(`${what}, board`, url.pathname, '/d/uptime-check');
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

/** Strips show all outages, even those that became known later. */
async function outages(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const title = 'Outages in this time';
  const view = await board.see(title);
  const { strips } = view;
  comparison.legend(title, view);
  const [accounts, ...others] = strips;
  comparison.same('first strip', accounts?.name, 'Accounts');
  comparison.same('accounts now', accounts?.spans.at(-1)?.text, 'read');
  const { from, to } = board.range;
  // A point shows the step before it, and is drawn up to the next one.
  const step = 2 * board.stepSeconds(title);
  for (const { id, name, isDown, isInMaintenance } of truth.checks) {
    const strip = others.find((one) => one.name === firstWords(name));
    const within = truth.outagesOf(id).filter((one) => (one.to + step) * 1000 > from);
    // An outage that ended after the list was read is drawn up to now.
    const overlaps = (at: number, span: { readonly from: number; readonly to: number }) =>
      span.from - step <= at && (at <= span.to + step || span.to >= truth.readAt.check);
    for (const span of strip?.spans ?? []) {
      for (let at = span.from / 1000; at < Math.min(span.to, to) / 1000; at += 30) {
        const isSo = within.some((one) => overlaps(at, one));
        comparison.holds(`${name} is drawn as down at ${at}`, isSo);
      }
      const colour = span.text === 'down' ? 'bad' : 'maintenance';
      comparison.holds(`${name}: ${span.text}`, /^down(, in maintenance)?$/.test(span.text));
      comparison.colour(`outage of ${name}`, { ...span, value: 0, links: [] }, colour);
    }
    if (!isDown && !isInMaintenance) continue;
    const last = strip?.spans.at(-1);
    const reaches = last !== undefined && last.to >= to - 500 * step;
    if (isDown) comparison.holds(`the outage of ${name} that goes on is not drawn`, reaches);
  }
}

/** The table has every outage that the exporter can know, with its times, the newest first. */
async function lastOutages(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  isYoung: boolean,
) {
  const title = 'Last outages';
  const { rows, headings } = await board.see(title);
  comparison.same(`columns of ${title}`, headings.slice(0, 2), ['Check', 'Began']);
  const began = rows.map((row) => row.Began?.value ?? 0);
  const newest = began.toSorted((a, b) => b - a);
  comparison.same(`order of ${title}`, began, newest);
  for (const row of rows) {
    if (row.Kind?.text !== 'check' || row['Exact?']?.text === 'no, earlier') continue;
    const of = truth.outagesOf(Number(row.ID?.text));
    const outage = of.find(({ from }) => from * 1000 === row.Began?.value);
    const what = `${title}, ${row.ID?.text} at ${row.Began?.text}`;
    comparison.holds(`${what}: there was none`, outage !== undefined);
    if (outage === undefined) continue;
    const isOver = outage.to < truth.readAt.check;
    if (row['Is it over?']?.text === 'over') {
      comparison.near(`${what}, lasted`, row.Lasted?.value, outage.to - outage.from, 1);
    } else if (row['Is it over?']?.text === 'over, at least') {
      comparison.holds(`${what}: over`, isOver);
      comparison.holds(`${what}: at most`, (row.Lasted?.value ?? 0) <= outage.to - outage.from);
    } else {
      comparison.near(`${what}, lasted`, row.Lasted?.value, truth.now - outage.from, 1);
      // The next report shows the end of an outage that ended in the last minutes.
      comparison.holds(`${what}: over`, !isOver || outage.to > truth.now - mostLateSeconds);
    }
  }
  for (const { id, isDown, downSince = 0, kind } of [...truth.checks, ...truth.transactions]) {
    if (!isDown) continue;
    const row = rows.find((one) => one.ID?.text === `${id}` && one.Kind?.text === kind);
    comparison.same(`${title}, ${id}`, row?.['Is it over?']?.text, 'goes on');
    comparison.near(`${title}, ${id}, began`, (row?.Began?.value ?? 0) / 1000, downSince, 1);
    checkLinks(comparison, `${title}, ${id}`, kind, id, row?.Check?.links ?? []);
  }
  if (isYoung) return;
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = row.ID?.text ?? '';
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const { id } of truth.checks) {
    const since = truth.now - 86_400;
    const lately = truth
      .outagesOf(id)
      .filter(({ from, to }) => from > since && to < since + 80_000);
    comparison.holds(
      `${title}: ${id} lacks outages`,
      (counts.get(`${id}`) ?? 0) >= Math.min(10, lately.length),
    );
  }
}

async function groups(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const { rows } = await board.see('Groups');
  const down = truth.checks.filter(({ isDown }) => isDown).length;
  comparison.same(
    'groups',
    rows.map((row) => [row.Group?.text, row.Account?.text, row.Down?.text]),
    [['shop', 'shop', `${down}`]],
  );
}

async function alerts(board: OpenedBoard, comparison: Comparison) {
  const { rows } = await board.see('Firing alerts');
  comparison.same(
    'Firing alerts',
    rows.map((row) =>
      ['Alert', 'Severity', 'Of', 'Account', 'Instance'].map((name) => row[name]?.text ?? ''),
    ),
    firingAlerts,
  );
  comparison.cell('a critical alert', rows[0]?.Severity, 'bad');
  comparison.same('link to the runbook', rows[0]?.Alert?.links, [
    'http://localhost:9158/runbook#UptimeCheckDown',
  ]);
  const url = new URL(rows[0]?.Of?.links[0] ?? '/', 'http://grafana.example.com');
  const other = new URL(rows[1]?.Of?.links[0] ?? '/', 'http://grafana.example.com');
  comparison.same('check of an alert without one', other.searchParams.get('var-check'), '');
  const chosen = [url.pathname, url.searchParams.get('var-check')];
  comparison.same('link to the check of an alert', chosen, ['/d/uptime-check', '77']);
}

/** The text that fits next to a graph: the first line, at most 32 characters. */
export function firstWords(name: string): string {
  const [line = '', ...others] = name.split('\n');
  const characters = [...(others.length > 0 ? `${line} …` : line)];
  return characters.length > 32 ? `${characters.slice(0, 31).join('')}…` : characters.join('');
}
