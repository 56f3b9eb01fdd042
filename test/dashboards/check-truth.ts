import { nothing } from '../../dashboards/source/colours.ts';
import { budgetColour, budgetText, Comparison, shareText, spanText } from './comparison.ts';
import type { OpenedBoard } from './opened-board.ts';
import { mostLateSeconds, shownState, stateNames, trust } from './overview-truth.ts';
import type { PanelView, Seen } from './panel-view.ts';
import type { Item, ServiceNow } from './service-now.ts';

const month = 30 * 86_400;

const ofTransactions = new Set(['Steps']);
const ofChecks = new Set([
  ...['Burn rate', 'Error budget left', 'Response time, and what is usual', 'Quantiles'],
  ...['Who is notified', 'Downtime of each week'],
]);

interface CheckOptions {
  readonly listSeconds: number;
  readonly isYoung: boolean;
  /** Whether the exporter has the family. */
  readonly serves: (family: string) => boolean;
}

/** Errors of the board "Check" about a check or a transaction. */
export async function checkProblems(
  board: OpenedBoard,
  truth: ServiceNow,
  item: Item,
  { listSeconds, isYoung, serves }: CheckOptions,
): Promise<string[]> {
  const comparison = new Comparison();
  await trust(board, truth, comparison);
  const { figures } = await board.see('Now');
  now(figures, truth, comparison, item);
  await outages(board, truth, comparison, item, isYoung);
  await maintenance(board, comparison, item);
  if (item.kind === 'check') {
    await strip(board, truth, comparison, item, listSeconds);
    await budget(board, figures, truth, comparison, item, isYoung);
    await burning(board, truth, comparison, item, isYoung);
    await responses(board, truth, comparison, item, serves('uptime_check_response_time_seconds'));
    await told(board, truth, comparison, item, serves('uptime_check_notification_recipients'));
    await weeks(board, truth, comparison, item);
  } else {
    await steps(board, truth, comparison, item);
  }
  await countries(board, comparison);
  await howOften(board, comparison);
  // Panels of a check, or of a transaction.
  const others = item.kind === 'check' ? ofTransactions : ofChecks;
  const unseen = board.unseen.filter((title) => !others.has(title));
  comparison.same('panels that were not looked at', unseen, []);
  return comparison.wrong.map((problem) => `${item.kind} ${item.id} (${item.status}): ${problem}`);
}

type Figures = PanelView['figures'];
const named = (figures: Figures, wanted: string): Seen | undefined =>
  figures.find(({ name }) => name === wanted);

function now(figures: Figures, truth: ServiceNow, comparison: Comparison, item: Item) {
  const [text, colour] = shownState(item);
  comparison.same('State', named(figures, 'State')?.text, text);
  comparison.colour('State', named(figures, 'State'), colour);
  const maintenance = named(figures, 'Maintenance')?.text;
  comparison.same('Maintenance', maintenance, item.isInMaintenance ? 'yes' : undefined);
  const next = named(figures, 'Next maintenance in');
  if (item.nextMaintenance === undefined || item.kind !== 'check') {
    comparison.same('Next maintenance', next, undefined);
  } else {
    comparison.near('Next maintenance', next?.value, item.nextMaintenance - truth.now, 1);
  }
  const downFor = named(figures, 'Down for');
  if (item.downSince === undefined) comparison.same('Down for', downFor?.text, undefined);
  else {
    comparison.near('Down for', downFor?.value, truth.now - item.downSince, 1);
    comparison.holds(`Down for ${downFor?.text}`, spanText.test(downFor?.text ?? ''));
    comparison.colour('Down for', downFor, 'bad');
  }
  comparison.same('Objective', named(figures, 'Objective')?.text, '99.900%');
  if (item.kind === 'check') {
    comparison.same('Last response', named(figures, 'Last response')?.value, item.responseSeconds);
    return;
  }
  const step = item.isDown ? truth.failingStep(item.id) : undefined;
  comparison.same('Failing step', named(figures, 'Failing step')?.value, step);
}

/** Within an interval of the list, the strip has the state of the service. */
async function strip(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  { id }: Item,
  listSeconds: number,
) {
  const view = await board.see('States and outages');
  const { strips } = view;
  comparison.legend('States and outages', view);
  const [accounts, listed] = strips;
  comparison.same('strips', [accounts?.name, listed?.name], ['Account', 'As listed']);
  comparison.same('accounts now', accounts?.spans.at(-1)?.text, 'read');
  // A point has the worst state of the step before it, and is drawn up to the next one.
  const step = board.stepSeconds('States and outages');
  const lates = [0, listSeconds / 2, listSeconds];
  for (let late = 60; step > 60 && late <= 2 * step; late += 60) lates.push(listSeconds + late);
  for (const { from, to, text, color } of listed?.spans ?? []) {
    for (let time = from / 1000; time < to / 1000; time += Math.max(30, step)) {
      const near = lates.map((late) => truth.stateAt(id, time - late));
      // A failure is confirmed only after a second probe has seen it.
      if (near.includes('up') && near.includes('down')) near.push('unconfirmed_down');
      const wanted = near.map((status) => stateNames[status]?.[0]);
      comparison.holds(
        `strip at ${time}: ${text}, not ${wanted.join(' or ')}`,
        wanted.includes(text),
      );
    }
    const [, colour] = Object.values(stateNames).find(([name]) => name === text) ?? [];
    const seen = { text, color, value: 0, links: [] };
    if (colour === undefined) comparison.holds(`strip: ${text}`, false);
    else comparison.colour(`strip ${text}`, seen, colour);
  }
}

async function budget(
  board: OpenedBoard,
  figures: Figures,
  truth: ServiceNow,
  comparison: Comparison,
  { id }: Item,
  isYoung: boolean,
) {
  const left = named(figures, 'Budget left');
  const up = named(figures, 'Up in 30 days');
  comparison.same('budget and availability', left === undefined, up === undefined);
  const view = await board.see('Error budget left');
  if (left === undefined) return;
  const earliest = truth.now - mostLateSeconds;
  comparison.oneOf('Budget left', left.value, truth.budgets('check', id, earliest));
  comparison.holds(`Budget left ${left.text}`, budgetText.test(left.text));
  comparison.colour('Budget left', left, budgetColour(left.value));
  const shares = truth.ratios('check', id, month, earliest).map((ratio) => 1 - ratio);
  comparison.oneOf('Up in 30 days', up?.value, shares);
  comparison.holds('Up in 30 days', shareText.test(up?.text ?? ''));
  const { lines } = view;
  const line = lines.find(({ name }) => name === 'left');
  const at = board.times('Error budget left').at(-1);
  if (at === undefined) {
    comparison.same('Error budget left before the first point', line?.points.length ?? 0, 0);
    return;
  }
  // The past of the check may have been read after the last point of the graph.
  if (isYoung && (line?.points.length ?? 0) === 0) return;
  const then = Math.floor(at / 1000);
  comparison.same('the last point of the error budget', line?.points.at(-1)?.[0], at);
  comparison.oneOf(
    'Error budget left',
    line?.last?.value,
    truth.budgets('check', id, then - mostLateSeconds, then),
  );
}

/** Burn rates, of checks that were down within 30 days. */
async function burning(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  { id }: Item,
  isYoung: boolean,
) {
  const { rows } = await board.see('Burn rate');
  if (rows.length === 0) {
    const lately = truth.outagesOf(id).filter(({ to }) => to > truth.now - month + mostLateSeconds);
    comparison.holds('one that was down has no burn rate', isYoung || lately.length === 0);
    return;
  }
  const seconds: Readonly<Record<string, number>> = { '1h': 3600, '6h': 21_600, '1d': 86_400 };
  const earliest = truth.now - mostLateSeconds;
  for (const row of rows) {
    const length = seconds[row.Window?.text ?? ''];
    const rate = row['Burn rate'];
    if (length === undefined || rate === undefined) continue;
    const rates = truth.ratios('check', id, length, earliest).map((ratio) => (ratio || 0) / 0.001);
    // A window that is known for less than half of its length counts as half.
    const [least, most] = [Math.min(...rates) * 0.01 - 1e-6, Math.max(...rates) + 1e-6];
    comparison.holds(
      `burn rate over ${row.Window?.text}: ${rate.value}, not ${least} to ${most}`,
      least <= rate.value && rate.value <= most,
    );
    comparison.cell(`burn rate ${rate.text}`, rate, rate.value >= 1 ? 'bad' : 'good');
  }
  const values = rows.map((row) => row['Burn rate']?.value ?? 0);
  const order = values.toSorted((a, b) => b - a);
  comparison.same('order of the burn rates', values, order);
}

/** Its outages with their times. */
async function outages(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  item: Item,
  isYoung: boolean,
) {
  const { rows } = await board.see('Its outages');
  const { strips } = await board.see('States and outages');
  const strip = strips.find(({ name }) => name === 'Outages');
  const last = strip?.spans.at(-1);
  const step = board.stepSeconds('States and outages');
  const reaches = last !== undefined && last.to >= board.range.to - 1000 * Math.max(60, step);
  if (item.isDown) comparison.holds('the outage that goes on is not drawn', reaches);
  if (item.isDown) {
    const row = rows[0];
    comparison.same('the outage that goes on', row?.['Is it over?']?.text, 'goes on');
    comparison.near('it began', (row?.Began?.value ?? 0) / 1000, item.downSince ?? 0, 1);
  }
  if (item.kind !== 'check') return;
  const of = truth.outagesOf(item.id);
  if (rows.length === 0 && !isYoung) {
    const begins = truth.checks.flatMap(({ id }) => truth.outagesOf(id).map(({ from }) => from));
    const hundredth = begins.sort((a, b) => b - a)[99] ?? 0;
    const over = of.filter(({ from, to }) => to < truth.now - mostLateSeconds && from > hundredth);
    comparison.same('outages of one that has none', over.length, 0);
  }
  for (const row of rows) {
    if (row['Exact?']?.text === 'no, earlier') continue;
    const isSo = of.some(({ from }) => from * 1000 === row.Began?.value);
    comparison.holds(`there was no outage at ${row.Began?.text}`, isSo);
  }
}

async function maintenance(board: OpenedBoard, comparison: Comparison, { isInMaintenance }: Item) {
  const { strips } = await board.see('States and outages');
  const strip = strips.find(({ name }) => name === 'Maintenance');
  const last = strip?.spans.at(-1);
  const step = board.stepSeconds('States and outages');
  const reaches = last !== undefined && last.to >= board.range.to - 1000 * Math.max(60, step);
  comparison.same('in maintenance', reaches, isInMaintenance);
  if (last !== undefined) {
    comparison.same('maintenance', last.text, 'in maintenance');
    comparison.colour('maintenance', { ...last, value: 0, links: [] }, 'maintenance');
  }
}

/** Disabled by default. */
async function countries(board: OpenedBoard, comparison: Comparison) {
  const { lines, empty } = await board.see('By country');
  comparison.same('By country', lines.length, 0);
  comparison.same('By country', empty, 'Needs a check, and by_country in the configuration');
}

async function howOften(board: OpenedBoard, comparison: Comparison) {
  const title = 'How often they are read';
  const { figures } = await board.see(title);
  comparison.holds(`${title}: nothing`, figures.length > 0);
  for (const { name, text, value } of figures) {
    comparison.holds(
      `${title}: ${name}`,
      /^(Single tests|Averages and countries|Steps): every$/.test(name),
    );
    comparison.holds(`${title}: ${name} ${text}`, value > 0 && spanText.test(text));
  }
}

/** Weeks that ended after the first data in Prometheus. */
async function weeks(board: OpenedBoard, truth: ServiceNow, comparison: Comparison, { id }: Item) {
  const title = 'Downtime of each week';
  const { lines, empty } = await board.see(title);
  const [at] = board.times(title);
  if (at === undefined) {
    comparison.same(title, lines.length === 0 ? empty : lines.length, nothing);
    return;
  }
  const shown = lines[0]?.points.find(([time]) => time === at)?.[1] ?? Number.NaN;
  const [begin, end] = [at / 1000 - 7 * 86_400, at / 1000];
  const down = truth.outagesOf(id).map(({ from, to }) => Math.min(to, end) - Math.max(from, begin));
  const most = down.reduce((sum, seconds) => sum + Math.max(0, seconds), 0);
  comparison.holds(`${title}: ${shown}, not up to ${most}`, shown >= 0 && shown <= most + 60);
}

async function steps(board: OpenedBoard, truth: ServiceNow, comparison: Comparison, { id }: Item) {
  const { rows, empty } = await board.see('Steps');
  if (rows.length === 0) {
    comparison.same('Steps', empty, nothing);
    return;
  }
  const shown = rows.map((row) => [row.Step?.text, row['What it does']?.text]);
  const wanted = truth.world.transactions.find(id)?.settings.steps ?? [];
  comparison.same('Steps', shown.toSorted(), wanted.map(({ fn }, at) => [`${at + 1}`, fn]).sort());
}

async function responses(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  { id, status, responseSeconds }: Item,
  hasResults: boolean,
) {
  const title = 'Response time, and what is usual';
  const { lines, empty } = await board.see(title);
  if (lines.length === 0) {
    comparison.same('responses', empty, nothing);
  }
  const last = lines.find(({ name }) => name === 'last test');
  // The last point of a long range is older than the last test.
  if (responseSeconds !== undefined && board.stepSeconds(title) <= 30) {
    comparison.near('last test', last?.points.at(-1)?.[1], responseSeconds, 1e-9);
  }
  // The counters begin with the first response.
  const isRead = status === 'up' && truth.testsRead(id) > 0;
  const quantiles = await board.see('Quantiles');
  if (!hasResults) {
    const needs =
      'Needs a check, and hourly results or metrics.include: [uptime_check_response_time_seconds]';
    comparison.same('Quantiles', quantiles.empty, needs);
    return;
  }
  comparison.holds('Quantiles: nothing of the results', !isRead || quantiles.lines.length > 0);
  for (const { name, points } of quantiles.lines) {
    const isWhole = points.every(([, value]) => Number.isFinite(value) && value >= 0);
    comparison.holds(`Quantiles: ${name} has values that are none`, isWhole);
    const step = 1000 * Math.max(60, board.stepSeconds('Quantiles'));
    const gaps = points.filter(([at], row) => at - (points[row - 1]?.[0] ?? at) > 2 * step);
    comparison.same(`Quantiles: gaps of ${name}`, gaps.length, 0);
  }
}

async function told(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  { id, kind }: Item,
  hasRecipients: boolean,
) {
  const { rows, empty } = await board.see('Who is notified');
  if (!hasRecipients) {
    const needs = 'Needs a check, and metrics.include: [uptime_check_notification_recipients]';
    comparison.same('Who is notified', empty, needs);
    return;
  }
  // Only version 2.0 has contacts in the settings.
  const settings = truth.world.check(id)?.settings;
  const counts = ['user', 'team', 'integration'].map((recipient) => {
    const ids: unknown = settings?.[`${recipient}ids`];
    return [recipient, Array.isArray(ids) ? ids.length : 0] as const;
  });
  const wanted = counts.map(([name, n]) => [name, `${n}`]);
  const isRead = truth.wasRead(`/${kind}s/${id}`);
  const shown = rows.map((row) => [row.Recipients?.text, row['How many']?.text]);
  comparison.same('Who is notified', shown.toSorted(), isRead ? wanted.toSorted() : []);
}
