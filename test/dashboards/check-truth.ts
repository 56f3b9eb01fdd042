import {
  budgetColour,
  budgetText,
  type ColourName,
  Comparison,
  shareText,
  spanText,
} from './comparison.ts';
import type { OpenedBoard } from './opened-board.ts';
import { mostLateSeconds } from './overview-truth.ts';
import type { Item, ServiceNow } from './service-now.ts';

const month = 30 * 86_400;

/** What a state is called, and in which colour. */
const states: Readonly<Record<string, readonly [string, ColourName]>> = {
  up: ['up', 'good'],
  unconfirmed_down: ['not confirmed', 'warning'],
  down: ['down', 'bad'],
  unknown: ['unknown', 'neutral'],
  paused: ['paused', 'paused'],
};

/** What the board "Check" shows of a check that is not so. */
export async function checkProblems(
  board: OpenedBoard,
  truth: ServiceNow,
  item: Item,
  { listSeconds, isYoung }: { readonly listSeconds: number; readonly isYoung: boolean },
): Promise<string[]> {
  const comparison = new Comparison();
  await now(board, truth, comparison, item);
  await strip(board, truth, comparison, item, listSeconds);
  await budget(board, truth, comparison, item);
  await maintenance(board, truth, comparison, item);
  await responses(board, truth, comparison, item);
  await past(board, truth, comparison, item, isYoung);
  await told(board, truth, comparison, item);
  return comparison.wrong.map((problem) => `${item.id} (${item.status}): ${problem}`);
}

async function now(board: OpenedBoard, truth: ServiceNow, comparison: Comparison, item: Item) {
  const {
    figures: [state],
  } = await board.see('Now');
  const [text, colour] = states[item.status] ?? ['?', 'neutral'];
  comparison.same('Now', state?.text, text);
  comparison.colour('Now', state, colour);
  const downFor =
    item.downSince === undefined
      ? 'not down'
      : { value: truth.now - item.downSince, tolerance: 1, text: spanText };
  comparison.figure('Down for', await board.see('Down for'), downFor);
  const response =
    item.responseSeconds === undefined ? 'not measured' : { value: item.responseSeconds };
  comparison.figure('Last response', await board.see('Last response'), response);
  comparison.figure('Objective', await board.see('Objective'), { value: 0.999, text: shareText });
}

/** Within an interval of the list, the strip has the state that the service had. */
async function strip(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  { id }: Item,
  listSeconds: number,
) {
  const { strips } = await board.see('State over time');
  comparison.same('strips', strips.length, 1);
  for (const { from, to, text, color } of strips.flatMap(({ spans }) => spans)) {
    for (let time = from / 1000; time < to / 1000; time += 30) {
      const near = [0, listSeconds / 2, listSeconds].map((late) => truth.stateAt(id, time - late));
      // A failure is not confirmed before a second probe has seen it.
      if (near.includes('up') && near.includes('down')) near.push('unconfirmed_down');
      const wanted = near.map((status) => states[status]?.[0]);
      comparison.holds(
        `strip at ${time}: ${text}, not ${wanted.join(' or ')}`,
        wanted.includes(text),
      );
    }
    const [, colour] = Object.values(states).find(([name]) => name === text) ?? [];
    const seen = { text, color, value: 0, links: [] };
    if (colour === undefined) comparison.holds(`strip: ${text}`, false);
    else comparison.colour(`strip ${text}`, seen, colour);
  }
}

async function budget(board: OpenedBoard, truth: ServiceNow, comparison: Comparison, { id }: Item) {
  const earliest = truth.now - mostLateSeconds;
  const left = await board.see('Budget left');
  const up = await board.see('Up in 30 days');
  const [figure] = left.figures;
  if (figure !== undefined && !Number.isNaN(figure.value) && figure.text !== 'not known yet') {
    comparison.oneOf('Budget left', figure.value, truth.budgets('check', id, earliest));
    comparison.holds(`Budget left ${figure.text}`, budgetText.test(figure.text));
    comparison.colour('Budget left', figure, budgetColour(figure.value));
    const shares = truth.ratios('check', id, month, earliest).map((ratio) => 1 - ratio);
    comparison.oneOf('Up in 30 days', up.figures[0]?.value, shares);
    comparison.holds('Up in 30 days', shareText.test(up.figures[0]?.text ?? ''));
    const { lines } = await board.see('Error budget left');
    const line = lines.find(({ name }) => name === 'left');
    comparison.oneOf('Error budget left', line?.last?.value, truth.budgets('check', id, earliest));
  } else {
    comparison.figure('Budget left', left, 'not known yet');
    comparison.figure('Up in 30 days', up, 'not known yet');
  }
  const { rows } = await board.see('Burn rate');
  const seconds: Readonly<Record<string, number>> = { '1h': 3600, '6h': 21_600, '1d': 86_400 };
  for (const row of rows) {
    const length = seconds[row.Window?.text ?? ''];
    const rate = row['Burn rate'];
    if (length === undefined || rate === undefined) continue;
    const rates = truth.ratios('check', id, length, earliest).map((ratio) => (ratio || 0) / 0.001);
    // A window of which little is known counts as half of one.
    const [least, most] = [Math.min(...rates) * 0.01 - 1e-6, Math.max(...rates) + 1e-6];
    comparison.holds(
      `burn rate over ${row.Window?.text}: ${rate.value}, not ${least} to ${most}`,
      least <= rate.value && rate.value <= most,
    );
    comparison.colour(`burn rate ${rate.text}`, rate, rate.value >= 1 ? 'bad' : 'good');
  }
  const values = rows.map((row) => row['Burn rate']?.value ?? 0);
  comparison.same(
    'order of the burn rates',
    values,
    values.toSorted((a, b) => b - a),
  );
}

async function maintenance(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  { isInMaintenance, nextMaintenance }: Item,
) {
  const {
    figures: [figure],
  } = await board.see('Maintenance');
  comparison.same('Maintenance', figure?.text, isInMaintenance ? 'yes' : 'no');
  comparison.colour('Maintenance', figure, isInMaintenance ? 'maintenance' : 'neutral');
  const next =
    nextMaintenance === undefined
      ? 'none planned'
      : { value: nextMaintenance - truth.now, tolerance: 1, text: spanText };
  comparison.figure('Next one in', await board.see('Next one in'), next);
}

async function responses(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  { id, status, responseSeconds }: Item,
) {
  const { lines, empty } = await board.see('Response time, and what is usual');
  if (lines.length === 0) comparison.same('responses', empty, 'Nothing was measured in this time');
  const last = lines.find(({ name }) => name === 'last test');
  if (responseSeconds !== undefined) {
    comparison.near('last test', last?.points.at(-1)?.[1], responseSeconds, 1e-9);
  }
  // The first reading is where the counters begin.
  const isRead = status === 'up' && truth.testsRead(id) > 0;
  for (const title of ['Quantiles', 'Distribution']) {
    const view = await board.see(title);
    comparison.holds(`${title}: nothing of the results`, !isRead || view.lines.length > 0);
    for (const { name, points } of view.lines) {
      const isWhole = points.every(([, value]) => Number.isFinite(value) && value >= 0);
      comparison.holds(`${title}: ${name} has values that are none`, isWhole);
      const gaps = points.filter(([at], row) => at - (points[row - 1]?.[0] ?? at) > 2 * 60_000);
      comparison.same(`${title}: gaps of ${name}`, gaps.length, 0);
    }
  }
}

async function past(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  { id, isDown, downSince = truth.now }: Item,
  isYoung: boolean,
) {
  const { rows } = await board.see('Time in each state');
  const states = rows.map((row) => row.State?.text).sort();
  comparison.same('states of a time', states, ['down', 'unknown', 'unmonitored', 'up']);
  const down = rows.find((row) => row.State?.text === 'down')?.Time;
  comparison.holds(`time down ${down?.text}`, spanText.test(down?.text ?? ''));
  const { from, to } = board.range;
  const times = Array.from({ length: (to - from) / 30_000 }, (_, at) => from / 1000 + 30 * at);
  const known = times.map((time) => truth.stateAt(id, time - mostLateSeconds));
  const seen = [...known, ...times.map((time) => truth.stateAt(id, time))];
  if (!seen.includes('down')) comparison.same('time down', down?.value, 0);
  // What was down when it was first seen is counted once its report was read.
  if (isDown && !isYoung && downSince < truth.now - mostLateSeconds) {
    comparison.holds(`time down: ${down?.text}`, (down?.value ?? 0) > 0);
  }
  const { strips, empty } = await board.see('Outages');
  const last = strips[0]?.spans.at(-1);
  if (strips.length === 0) comparison.same('Outages', empty, 'No outage in this time');
  comparison.same('Outages, now', last !== undefined && last.to >= to - 60_000, isDown);
  const {
    figures: [length],
  } = await board.see('Last outage');
  if (length?.text === 'none seen') comparison.colour('Last outage', length, 'neutral');
  else comparison.oneOf('Last outage', length?.value, truth.outageSeconds(id));
}

async function told(
  board: OpenedBoard,
  truth: ServiceNow,
  comparison: Comparison,
  { id, kind }: Item,
) {
  const { rows, empty } = await board.see('Who is told');
  // Contacts are settings of version 2.0 alone.
  const settings = truth.world.check(id)?.settings;
  const counts = ['user', 'team', 'integration'].map((recipient) => {
    const ids: unknown = settings?.[`${recipient}ids`];
    return [recipient, Array.isArray(ids) ? ids.length : 0] as const;
  });
  const wanted = counts.filter(([, count]) => count > 0).map(([name, n]) => [name, `${n}`]);
  if (rows.length === 0 && !truth.wasRead(`/${kind}s/${id}`)) {
    const text = 'Nobody is told, or the details of the check were not read yet';
    comparison.same('Who is told', empty, text);
    return;
  }
  const shown = rows.map((row) => [row.Recipients?.text, row['How many']?.text]);
  comparison.same('Who is told', shown.toSorted(), wanted.toSorted());
}
