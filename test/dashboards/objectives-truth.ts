import { nothing } from '../../dashboards/source/colours.ts';
import { budgetColour, budgetText, Comparison, shareText } from './comparison.ts';
import type { OpenedBoard } from './opened-board.ts';
import { checkLinks, firstWords, mostLateSeconds, trust } from './overview-truth.ts';
import type { ServiceNow } from './service-now.ts';
import { oddName } from './trouble.ts';

const month = 30 * 86_400;

/** Errors of the board "Objectives". */
export async function objectivesProblems(
  board: OpenedBoard,
  truth: ServiceNow,
  isYoung: boolean,
): Promise<string[]> {
  const comparison = new Comparison();
  await trust(board, truth, comparison);
  await worst(board, truth, comparison, isYoung);
  await fiveWorst(board, truth, comparison);
  const shares = truth.checks.flatMap(({ id }) => {
    const [ratio = Number.NaN] = truth.ratios('check', id, month, truth.now - 1);
    return Number.isNaN(ratio) ? [] : [1 - ratio];
  });
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  await figures(board, truth, comparison, mean, isYoung);
  await groups(board, comparison, mean, Math.min(...shares));
  await calendar(board, truth, comparison, isYoung);
  comparison.same('panels that were not looked at', board.unseen, []);
  return comparison.wrong;
}

async function figures(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  mean: number,
  isYoung: boolean,
) {
  const { figures: shown } = await board.see('Error budgets of 30 days');
  if (isYoung && shown[0]?.text === nothing) return;
  comparison.same(
    'names of the figures',
    shown.map(({ name }) => name),
    ['Missed', 'Nearly spent', 'Burning now', 'Mean availability'],
  );
  const left = truth.checks.map(({ id }) => truth.budgets('check', id, truth.now - 1)[0] ?? 1);
  const counts = (least: number, most: number) =>
    left.filter((value) => least <= value && value < most).length;
  const burning = truth.checks.filter(({ id }) =>
    truth.ratios('check', id, 3600, truth.now - mostLateSeconds).some((ratio) => ratio > 0.0005),
  );
  for (const [name, least, most] of [
    ['Missed', counts(-1e9, -0.2), counts(-1e9, 0.2)],
    ['Nearly spent', counts(0.2, 0.05), counts(-0.2, 0.45)],
    ['Burning now', 0, burning.length],
  ] as const) {
    const figure = shown.find((one) => one.name === name);
    const value = Number(figure?.text);
    comparison.holds(
      `${name}: ${figure?.text}, not ${least} to ${most}`,
      Number.isInteger(value) && least <= value && value <= most,
    );
  }
  const figure = shown.find(({ name }) => name === 'Mean availability');
  comparison.near('Mean availability', figure?.value, mean, 0.002);
  comparison.holds(`Mean availability ${figure?.text}`, shareText.test(figure?.text ?? ''));
}

async function groups(board: OpenedBoard, comparison: Comparison, mean: number, least: number) {
  const {
    rows: [group],
  } = await board.see('Groups');
  comparison.same('Groups', [group?.Group?.text, group?.Objective?.text], ['shop', '99.900%']);
  // Known once the budgets of its checks are known.
  if (group?.Availability === undefined) {
    comparison.same('Groups, budget', group?.['Budget left']?.text, '–');
    return;
  }
  comparison.near('Groups, availability', group.Availability.value, mean, 0.002);
  comparison.near('Groups, least', group['Worst check']?.value, least, 0.002);
  comparison.near('Groups, budget', group['Budget left']?.value, 1 - (1 - mean) / 0.001, 2);
  comparison.holds('Groups, budget', budgetText.test(group['Budget left']?.text ?? ''));
}

/**
 * The lines are those of the checks with the smallest budget now, as in the table, and end at the
 * table's values.
 */
async function fiveWorst(board: OpenedBoard, truth: ServiceNow, comparison: Comparison) {
  const { rows } = await board.see('Checks and transactions, the worst first');
  const title = 'Error budget left, the five worst checks';
  const { lines } = await board.see(title);
  const at = board.times(title).at(-1);
  const shown = lines.filter(({ name }) => name !== 'spent evenly');
  if (at === undefined) {
    comparison.same('lines before the first point', shown.length, 0);
    return;
  }
  // A line under the previous name of a check ends with that name.
  const current = shown.filter(({ points }) => points.at(-1)?.[0] === at);
  const least = rows.filter((row) => row.Kind?.text === 'check').slice(0, 5);
  comparison.same(
    'the five worst',
    current.map(({ name }) => name).sort(),
    least.map((row) => firstWords(row.Check?.text ?? '')).sort(),
  );
  const then = Math.floor(at / 1000);
  for (const row of least) {
    const line = current.find(({ name }) => name === firstWords(row.Check?.text ?? ''));
    const budgets = truth.budgets('check', Number(row.ID?.text), then - mostLateSeconds, then);
    comparison.oneOf(`the last point of ${row.Check?.text}`, line?.last?.value, budgets);
  }
}

/** Every day whose end Prometheus has seen is a cell of every row, even a day without an outage. */
async function calendar(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  isYoung: boolean,
) {
  const title = 'Availability of each day';
  const { strips } = await board.see(title);
  const days = board.times(title);
  comparison.same('first row of the calendar', strips[0]?.name, 'Accounts');
  const [accounts, ...others] = strips;
  for (const day of days) {
    const cell = accounts?.spans.find(({ from, to }) => from <= day && day < to);
    comparison.same(`accounts on ${day}`, cell?.text, 'read');
  }
  if (isYoung || days.length === 0) return;
  // The group, and ten checks.
  const least = 1 + Math.min(10, truth.checks.length);
  comparison.holds(
    `the calendar has a hole on a whole row: ${others.length}`,
    others.length >= least,
  );
  for (const { name, spans } of others) {
    const check = truth.checks.find((one) => firstWords(one.name) === name);
    for (const day of days) {
      const cell = spans.find(({ from, to }) => from <= day && day < to);
      // A renamed check has a row for each of its names.
      const isRenamed =
        !name.startsWith('Group ') && (check === undefined || check.name === oddName);
      comparison.holds(`${name} has a hole on ${day}`, cell !== undefined || isRenamed);
      if (cell === undefined || check === undefined) continue;
      const at = day / 1000;
      const shares = truth
        .ratios('check', check.id, 86_400, at - mostLateSeconds, at)
        .map((ratio) => 100 * (1 - (ratio || 0)));
      const share = Number(/^(\d+(?:\.\d+)?)%$/.exec(cell.text)?.[1]);
      const [least, most] = [Math.min(...shares) - 0.006, Math.max(...shares) + 0.006];
      comparison.holds(
        `${name} on ${day}: ${cell.text}, not ${least} to ${most}`,
        least <= share && share <= most,
      );
      const colour = share < 99 ? 'bad' : share < 99.9 ? 'warning' : 'good';
      comparison.colour(`${name} on ${day}`, { ...cell, value: share, links: [] }, colour);
    }
  }
}

async function worst(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  isYoung: boolean,
) {
  const title = 'Checks and transactions, the worst first';
  const { rows, headings } = await board.see(title);
  const least = !isYoung ? Math.min(20, 0.6 * truth.checks.length) : 0;
  comparison.holds(`${title}: ${rows.length} rows`, least <= rows.length && rows.length <= 20);
  if (rows.length === 0) return;
  comparison.same(`second column of ${title}`, headings[1], 'Budget left');
  const ids = rows.map((row) => `${row.Kind?.text} ${row.ID?.text}`);
  comparison.same(`rows of ${title} for ${ids.length} items`, new Set(ids).size, ids.length);
  const values = rows.map((row) => row['Budget left']?.value ?? Number.NaN);
  comparison.same(
    `order of ${title}`,
    values,
    values.toSorted((a, b) => a - b),
  );
  for (const row of rows) {
    const kind = row.Kind?.text === 'transaction' ? 'transaction' : 'check';
    const item = truth.of(kind).find(({ id }) => `${id}` === row.ID?.text);
    if (item === undefined) {
      comparison.holds(`${title}: nothing has the identifier ${row.ID?.text}`, false);
      continue;
    }
    const what = `${title}, ${item.id}`;
    comparison.same(`${what}, name`, row.Check?.text, item.name);
    checkLinks(comparison, what, kind, item.id, row.Check?.links ?? []);
    const earliest = truth.now - (kind === 'check' ? mostLateSeconds : 90_000);
    const left = row['Budget left'];
    const budgets = kind === 'check' ? truth.budgets(kind, item.id, earliest) : [];
    if (kind === 'check') comparison.oneOf(`${what}, budget`, left?.value, budgets);
    comparison.holds(`${what}, budget ${left?.text}`, budgetText.test(left?.text ?? ''));
    comparison.cell(`${what}, budget`, left, budgetColour(left?.value ?? 0));
    const share = row.Availability;
    comparison.holds(`${what}, availability ${share?.text}`, shareText.test(share?.text ?? ''));
    comparison.near(
      `${what}, availability`,
      share?.value,
      1 - (1 - (left?.value ?? 0)) * 0.001,
      1e-9,
    );
    for (const heading of ['Burn 1 h', 'Burn 3 d']) {
      const text = row[heading]?.text ?? '–';
      comparison.holds(`${what}, ${heading}: ${text}`, /^(\d+\.\d|–)$/.test(text));
    }
    comparison.same(`${what}, objective`, row.Objective?.text, '99.900%');
  }
}
