import { nothing } from '../../dashboards/source/colours.ts';
import type { OpenedBoard } from './opened-board.ts';
import type { PanelView, Seen } from './panel-view.ts';

/** Sentences about absence, or about the reason for it, which only the first panel may have. */
const sentence = /^(No\b|Nothing|None|not |All that|Not )/;

const textsOf = ({ empty, figures, rows }: PanelView): string[] => [
  // A stat with a figure does not show the empty text.
  ...(empty === undefined || figures.length > 0 ? [] : [empty]),
  ...figures.map(({ text }) => text),
  ...rows.flatMap((row) => Object.values(row).map(({ text }) => text)),
];

export interface Unknown {
  /** The text of the first panel, which gives the reason for missing knowledge. */
  readonly trust: RegExp;
  /** The present state of the accounts in the strips. */
  readonly strip: string;
  /** Whether data of the last list may be shown. */
  readonly hasData: boolean;
}

/** Panels that stay true without the exporter, because Prometheus has their data. */
const ofPrometheus = new Set(['Firing alerts', 'Alerts sent in this time']);

/**
 * Unsupported statements of a board while the exporter is blind or dead: a sentence of absence, a
 * count of 0, or a state that no open outage supports.
 */
export async function unknownProblems(
  board: OpenedBoard,
  { trust, strip, hasData }: Unknown,
): Promise<string[]> {
  const wrong: string[] = [];
  const [first] = board.panels;
  if (first?.title !== 'Can this be believed?')
    wrong.push('the first panel is not the one of trust');
  for (const { title, type } of board.panels) {
    const view = await board.see(title);
    const texts = textsOf(view);
    if (title === 'Can this be believed?') {
      const said = view.figures.map(({ name, color }) => `${name} ${color}`);
      if (!said.some((text) => trust.test(text))) wrong.push(`${title}: ${said.join(', ')}`);
      continue;
    }
    if (ofPrometheus.has(title)) continue;
    wrong.push(...texts.filter((text) => sentence.test(text)).map((text) => `${title}: ${text}`));
    if (
      view.empty !== undefined &&
      ![nothing, noTimes].includes(view.empty) &&
      !/^Needs /.test(view.empty)
    ) {
      wrong.push(`${title}: ${view.empty}`);
    }
    if (type === 'stat') {
      const zeros = view.figures.filter(({ text }) => text === '0');
      wrong.push(...zeros.map(({ name }) => `${title}: ${name} is 0`));
      const states = view.figures.filter(({ name }) => name === 'State');
      wrong.push(...states.map(({ text }) => `${title}: ${text}`));
      if (!hasData && texts.some((text) => text !== nothing)) wrong.push(`${title}: ${texts}`);
    }
    if (type === 'table') {
      // An item may be named only because of an outage that was seen.
      const isNone = (cell: Seen | undefined) => cell === undefined || cell.text === nothing;
      const unfounded = view.rows.filter(
        (row) => title === 'All that is not up' && isNone(row.State) && isNone(row['Down for']),
      );
      wrong.push(...unfounded.map((row) => `${title} names ${row.Check?.text}`));
      if (!hasData && view.rows.length > 0) wrong.push(`${title} has ${view.rows.length} rows`);
    }
    if (type === 'state-timeline' || type === 'status-history') {
      const accounts = view.strips.find(({ name }) => /^Accounts?$/.test(name));
      const last = accounts?.spans.at(-1)?.text;
      // A calendar shows only past days.
      const isOfPast = type === 'status-history' && accounts !== undefined;
      if (last !== strip && !isOfPast) wrong.push(`${title}: ${last} ${view.empty}`);
    }
  }
  return wrong;
}

/** Grafana's text for strips without any series. */
const noTimes = 'Data does not have a time field';

export const blindWorld: Unknown = {
  trust: /^shop: cannot be read \(unauthorized\), was last read #bf5400$/,
  strip: 'not all are read',
  hasData: true,
};

export const deadWorld: Unknown = {
  trust: /^shop: the exporter does not answer since #bf5400$/,
  strip: 'no data',
  hasData: false,
};
