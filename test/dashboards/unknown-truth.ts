import type { OpenedBoard } from './opened-board.ts';
import type { PanelView } from './panel-view.ts';

/** Sentences of absence, which need knowledge. */
const absence = /^(No\b|Nothing|None|not down|All that|Not down)/;
/** Whether a text reports missing knowledge. */
const unknown = /not known/i;

const textsOf = ({ empty, figures, rows }: PanelView): string[] => [
  // A stat with a figure does not show the empty text.
  ...(empty === undefined || figures.length > 0 ? [] : [empty]),
  ...figures.map(({ text }) => text),
  ...rows.flatMap((row) => Object.values(row).map(({ text }) => text)),
];

export interface Unknown {
  /** The text of the first panel, which gives the reason for missing knowledge. */
  readonly trust: RegExp;
  /** The text of the row in tables. */
  readonly reason: RegExp;
  /** The present state of the accounts in the strips. */
  readonly strip: string;
  /** Whether data of the last list may be shown. */
  readonly hasData: boolean;
}

/** Panels that stay true without the exporter, because Prometheus has their data. */
const ofPrometheus = new Set(['Firing alerts']);
/** Counts over the time range also stay true; the next panel explains the missing rest. */
const ofPast = new Set(['Alerts sent in this time']);

/**
 * Unsupported statements of a board while the exporter is blind or dead: a sentence of absence, a
 * count of 0, or no text where the reason is required.
 */
export async function unknownProblems(
  board: OpenedBoard,
  { trust, reason, strip, hasData }: Unknown,
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
    for (const text of texts) {
      if (absence.test(text) && !unknown.test(text)) wrong.push(`${title}: ${text}`);
    }
    if (type === 'stat') {
      const zeros = view.figures.filter(({ text }) => text === '0');
      wrong.push(...zeros.map(({ name }) => `${title}: ${name} is 0`));
      const states = view.figures.filter(({ name }) => name === 'State');
      wrong.push(
        ...states.filter(({ text }) => !unknown.test(text)).map(({ text }) => `${title}: ${text}`),
      );
      if (!hasData && !texts.every((text) => unknown.test(text))) wrong.push(`${title}: ${texts}`);
    }
    if (type === 'table') {
      const isSaid = texts.some((text) => reason.test(text)) || unknown.test(view.empty ?? '');
      const isComplete = hasData && view.rows.length > 0;
      if (!isSaid && !isComplete) wrong.push(`${title} does not say why: ${texts.slice(0, 20)}`);
      // An item may be named only because of an outage that was seen.
      const unfounded = view.rows.filter(
        (row) => row.State?.text === '–' && row['Down for']?.text === '–',
      );
      wrong.push(...unfounded.map((row) => `${title} names ${row.Check?.text}`));
      const isPast = ofPast.has(title);
      if (!hasData && !isPast && view.rows.length > 1)
        wrong.push(`${title} has ${view.rows.length} rows`);
    }
    if (type === 'timeseries' && view.lines.length === 0 && !unknown.test(view.empty ?? '')) {
      wrong.push(`${title}: ${view.empty}`);
    }
    if (type === 'state-timeline' || type === 'status-history') {
      const accounts = view.strips.find(({ name }) => name === 'Accounts');
      const last = accounts?.spans.at(-1)?.text;
      // A calendar shows only past days.
      const isOfPast = type === 'status-history' && accounts !== undefined;
      if (last !== strip && !isOfPast) wrong.push(`${title}: ${last} ${view.empty}`);
    }
  }
  return wrong;
}

export const blindWorld: Unknown = {
  trust: /^shop: cannot be read \(unauthorized\), was last read #bf5400$/,
  reason: /^Not known: the account cannot be read \(unauthorized\)$/,
  strip: 'cannot be read',
  hasData: true,
};

export const deadWorld: Unknown = {
  trust: /^shop: the exporter does not answer since #bf5400$/,
  reason: /^Not known: the exporter does not answer$/,
  strip: 'no data',
  hasData: false,
};
