import { budgetColour, budgetText, Comparison, shareText } from './comparison.ts';
import type { OpenedBoard } from './opened-board.ts';
import { checkLinks, mostLateSeconds } from './overview-truth.ts';
import type { Kind, ServiceNow } from './service-now.ts';

const month = 30 * 86_400;

/** What the board "Objectives" shows that is not so. */
export async function objectivesProblems(
  board: OpenedBoard,
  truth: ServiceNow,
  isYoung: boolean,
): Promise<string[]> {
  const comparison = new Comparison();
  const left = truth.checks.map(({ id }) => truth.budgets('check', id, truth.now - 1)[0] ?? 1);
  const counts = (least: number, most: number) =>
    left.filter((value) => least <= value && value < most).length;
  const among = (title: string, least: number, most: number) =>
    between(board, comparison, title, least, most, isYoung);
  await among('Objectives missed', counts(-1e9, -0.2), counts(-1e9, 0.2));
  await among('Nearly spent', counts(0.2, 0.05), counts(-0.2, 0.45));
  const burning = truth.checks.filter(({ id }) =>
    truth.ratios('check', id, 3600, truth.now - mostLateSeconds).some((ratio) => ratio > 0.0005),
  );
  await among('Burning now', 0, burning.length);
  await worst(board, truth, comparison, 'check', 'Checks, the worst first', isYoung);
  await worst(board, truth, comparison, 'transaction', 'Transactions, the worst first', isYoung);
  await fiveWorst(board, comparison);
  const mean = await board.see('Mean availability');
  const [figure] = mean.figures;
  const shares = truth.checks.flatMap(({ id }) => {
    const [ratio = Number.NaN] = truth.ratios('check', id, month, truth.now - 1);
    return Number.isNaN(ratio) ? [] : [1 - ratio];
  });
  const wanted = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  if (isYoung && figure?.text === 'not known yet') return comparison.wrong;
  comparison.near('Mean availability', figure?.value, wanted, 0.002);
  comparison.holds(`Mean availability ${figure?.text}`, shareText.test(figure?.text ?? ''));
  const {
    rows: [group],
  } = await board.see('Groups');
  comparison.same('Groups', [group?.Group?.text, group?.Objective?.text], ['shop', '99.900%']);
  // Known once the budgets of its checks are.
  if (group?.Availability === undefined) return comparison.wrong;
  comparison.near('Groups, availability', group?.Availability?.value, wanted, 0.002);
  comparison.near('Groups, worst check', group?.['Worst check']?.value, Math.min(...shares), 0.002);
  comparison.near('Groups, budget', group?.['Budget left']?.value, 1 - (1 - wanted) / 0.001, 2);
  comparison.holds('Groups, budget', budgetText.test(group?.['Budget left']?.text ?? ''));
  const { strips } = await board.see('Availability of each day');
  comparison.holds(
    'no calendar of the group',
    strips.some(({ name }) => name === 'Group shop') || strips.length === 0,
  );
  return comparison.wrong;
}

/** The lines are those of the first rows of the table, which is compared with the service, and end where it is. */
async function fiveWorst(board: OpenedBoard, comparison: Comparison) {
  const { rows } = await board.see('Checks, the worst first');
  const { lines } = await board.see('Error budget left, the five worst');
  const lastAt = Math.max(...lines.map(({ points }) => points.at(-1)?.[0] ?? 0));
  // A line under the former name of a check ends with that name.
  const ends = lines
    .filter(({ name, points }) => name !== 'spent evenly' && points.at(-1)?.[0] === lastAt)
    .map(({ points }) => points.at(-1)?.[1] ?? Number.NaN);
  const least = rows.slice(0, 5).map((row) => row['Budget left']?.value ?? Number.NaN);
  comparison.same(
    'the five worst',
    ends.sort((a, b) => a - b),
    least,
  );
  const burning = await board.see('Burn rate over 6 h, the five worst');
  comparison.holds(`${burning.lines.length} burn rates`, burning.lines.length <= 5);
  for (const { name, points } of burning.lines) {
    comparison.holds(`burn rate of ${name} is 0`, (points.at(-1)?.[1] ?? 0) > 0);
  }
}

async function between(
  board: OpenedBoard,
  comparison: Comparison,
  title: string,
  least: number,
  most: number,
  isYoung: boolean,
) {
  const {
    figures: [figure],
  } = await board.see(title);
  if (isYoung && figure?.text === 'not known yet') return;
  const shown = Number(figure?.text);
  comparison.holds(
    `${title}: ${figure?.text}, not ${least} to ${most}`,
    Number.isInteger(shown) && least <= shown && shown <= most,
  );
}

async function worst(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  kind: Kind,
  title: string,
  isYoung: boolean,
) {
  const { rows, headings } = await board.see(title);
  const least = kind === 'check' && !isYoung ? Math.min(20, 0.6 * truth.checks.length) : 0;
  comparison.holds(`${title}: ${rows.length} rows`, least <= rows.length && rows.length <= 20);
  if (rows.length === 0) return;
  const [nameHeading = ''] = headings;
  comparison.same(`second column of ${title}`, headings[1], 'Budget left');
  const ids = rows.map((row) => row.ID?.text);
  comparison.same(`rows of ${title} for ${ids.length} items`, new Set(ids).size, ids.length);
  const values = rows.map((row) => row['Budget left']?.value ?? Number.NaN);
  comparison.same(
    `order of ${title}`,
    values,
    values.toSorted((a, b) => a - b),
  );
  for (const row of rows) {
    const item = truth.of(kind).find(({ id }) => `${id}` === row.ID?.text);
    if (item === undefined) {
      comparison.holds(`${title}: nothing has the identifier ${row.ID?.text}`, false);
      continue;
    }
    const what = `${title}, ${item.id}`;
    comparison.same(`${what}, name`, row[nameHeading]?.text, item.name);
    checkLinks(comparison, what, kind, item.id, row[nameHeading]?.links ?? []);
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
