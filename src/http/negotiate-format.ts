import { contentTypes, type Format } from '../exposition/format.ts';
import { type MediaRange, parseAccept } from './accept-header.ts';

export interface NegotiatedFormat {
  readonly format: Format;
  readonly contentType: string;
}

interface Offer extends NegotiatedFormat {
  readonly type: string;
  readonly subtype: string;
  readonly version: string;
}

const textOffer: Offer = {
  type: 'text',
  subtype: 'plain',
  version: '0.0.4',
  format: 'text',
  contentType: contentTypes.text,
};

/** In order of preference where the client has none. */
const offers: readonly Offer[] = [
  textOffer,
  {
    type: 'application',
    subtype: 'openmetrics-text',
    version: '1.0.0',
    format: 'openmetrics',
    contentType: contentTypes.openmetrics,
  },
  {
    type: 'application',
    subtype: 'openmetrics-text',
    version: '0.0.1',
    format: 'openmetrics',
    contentType: contentTypes.openmetrics.replace('1.0.0', '0.0.1'),
  },
];

/**
 * The format for an `Accept` header: the highest quality wins, then the range that names the format
 * more closely, then plain text. Of the parameters only `version` tells the offers apart; others,
 * such as `escaping` and `charset`, change nothing in what is served. A client that accepts none of
 * the offers gets plain text: a scraper can do more with that than with a refusal.
 */
export function negotiateFormat(accept: string | undefined): NegotiatedFormat {
  const ranges = parseAccept(accept ?? '*/*');
  let best: { readonly offer: Offer; readonly quality: number; readonly closeness: number } = {
    offer: textOffer,
    quality: 0,
    closeness: -1,
  };
  for (const offer of offers) {
    const { quality, closeness } = appraise(offer, ranges);
    if (quality === 0 || quality < best.quality) continue;
    if (quality === best.quality && closeness <= best.closeness) continue;
    best = { offer, quality, closeness };
  }
  return { format: best.offer.format, contentType: best.offer.contentType };
}

/** The range that names the offer most closely decides its quality (RFC 9110, section 12.5.1). */
function appraise(offer: Offer, ranges: readonly MediaRange[]) {
  let appraisal = { quality: 0, closeness: -1 };
  for (const range of ranges) {
    const closeness = matchCloseness(offer, range);
    if (closeness > appraisal.closeness) appraisal = { quality: range.quality, closeness };
  }
  return appraisal;
}

function matchCloseness(offer: Offer, range: MediaRange): number {
  if (range.type === '*') return 0;
  if (range.type !== offer.type) return -1;
  if (range.subtype === '*') return 1;
  if (range.subtype !== offer.subtype) return -1;
  const version = range.parameters.get('version');
  if (version === undefined) return 2;
  return version === offer.version ? 3 : -1;
}
