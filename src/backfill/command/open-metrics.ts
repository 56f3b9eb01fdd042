import type { TimeRange } from '../../domain/interval.ts';
import { catalogue } from '../../exposition/catalogue/catalogue.ts';
import type { Family } from '../../exposition/catalogue/family.ts';
import { commonLabelText, familyHeader, formatNumber } from '../../exposition/text-format.ts';
import type { Past, PastFamily } from '../series/past-series.ts';

/** The labels that a scrape adds, keyed by name. */
export type ScrapeLabels = Readonly<Record<string, string>>;

/** An item with the labels that the scrape adds to its series. */
export interface LabelledPast {
  readonly past: Past;
  readonly account: string;
  readonly scrapeLabels: ScrapeLabels;
}

/** The samples of a day, or of another range. */
export interface DayOptions {
  readonly families: readonly PastFamily[];
  readonly pasts: readonly LabelledPast[];
  readonly within: TimeRange;
  readonly fineFromSeconds: number;
}

/** Text is written in pieces of about this many characters. */
const pieceLength = 1 << 18;

/**
 * The samples of a range as OpenMetrics text, in pieces; none if the range has no samples. The
 * samples of each series are in order, as `promtool tsdb create-blocks-from openmetrics` requires.
 */
export function* openMetricsOf(options: DayOptions): Iterable<string> {
  const { families, pasts, within, fineFromSeconds } = options;
  let piece = '';
  let isEmpty = true;
  for (const family of families) {
    let header = familyHeader(describedBy(family.name), 'openmetrics');
    for (const labelled of pasts) {
      const { past } = labelled;
      if (past.item.kind !== family.kind) continue;
      for (const { labels, samples } of family.seriesOf(past, within, fineFromSeconds)) {
        const series = `${family.name}{${commonLabelText(seriesLabels(labelled, labels))}}`;
        piece += header;
        header = '';
        isEmpty = false;
        for (const [at, value] of samples) piece += `${series} ${formatNumber(value)} ${at}\n`;
      }
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = '';
    }
  }
  if (!isEmpty) yield `${piece}# EOF\n`;
}

/** All labels of a series: those of its item, and its own, such as the state. */
export function seriesLabels(
  { past, account, scrapeLabels }: LabelledPast,
  own: ScrapeLabels,
): ScrapeLabels {
  const { id, labels } = past.item;
  return { account, check_id: String(id), ...labels, ...own, ...scrapeLabels };
}

function describedBy(name: string): Family {
  const family = catalogue
    .flatMap(({ families }) => families)
    .find((candidate) => candidate.name === name);
  if (family === undefined) throw new TypeError(`the catalogue has no family ${name}`);
  return family;
}
