import { contentTypes, type Format } from '../exposition/formats.ts';

/** One element of an `Accept` header (RFC 9110, section 12.5.1), in lower case. */
interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** From 0 (refused) to 1. */
  readonly quality: number;
}

const elementPattern = /(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g;
const parameterPattern = /(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g;
const token = "[\\w!#$%&'*+.^`|~-]+";
const rangePattern = new RegExp(`^(${token})/(${token})$`);
const namePattern = new RegExp(`^${token}$`);
const qualityPattern = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Returns the media ranges of the header in its order, without malformed elements. */
function parseAccept(header: string): MediaRange[] {
  const ranges: MediaRange[] = [];
  for (const element of header.match(elementPattern) ?? []) {
    const range = parseRange(element);
    if (range !== undefined) ranges.push(range);
  }
  return ranges;
}

function parseRange(element: string): MediaRange | undefined {
  const [name = '', ...rest] = element.match(parameterPattern) ?? [];
  const [, type, subtype] = rangePattern.exec(name.trim().toLowerCase()) ?? [];
  if (type === undefined || subtype === undefined) return undefined;
  if (type === '*' && subtype !== '*') return undefined;
  const parameters = parseParameters(rest);
  const quality = parameters?.get('q') ?? '1';
  if (parameters === undefined || !qualityPattern.test(quality)) return undefined;
  parameters.delete('q');
  return { type, subtype, parameters, quality: Number(quality) };
}

function parseParameters(texts: readonly string[]): Map<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (const text of texts) {
    if (text.trim() === '') continue;
    const equals = text.indexOf('=');
    const name = text.slice(0, Math.max(0, equals)).trim().toLowerCase();
    if (!namePattern.test(name)) return undefined;
    parameters.set(name, unquote(text.slice(equals + 1).trim()).toLowerCase());
  }
  return parameters;
}

function unquote(value: string): string {
  return /^".*"$/s.test(value) ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value;
}

interface NegotiatedFormat {
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

/** The offers in our order of preference, which decides if the client has no preference. */
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
 * Returns the format for an `Accept` header: the highest quality wins, then the more specific
 * range, then plain text. Only the parameter `version` distinguishes the offers; others, such as
 * `escaping` and `charset`, do not change the response. A client that accepts none of the offers
 * gets plain text, which is more useful to a scraper than an error.
 */
export function negotiateFormat(accept: string | undefined): NegotiatedFormat {
  const ranges = parseAccept(accept ?? '*/*');
  let best: { readonly offer: Offer; readonly quality: number; readonly closeness: number } = {
    offer: textOffer,
    quality: 0,
    closeness: -1,
  };
  for (const offer of offers) {
    const { quality, closeness } = qualityOf(offer, ranges);
    if (quality === 0 || quality < best.quality) continue;
    if (quality === best.quality && closeness <= best.closeness) continue;
    best = { offer, quality, closeness };
  }
  return { format: best.offer.format, contentType: best.offer.contentType };
}

/** The most specific range decides the quality of the offer (RFC 9110, section 12.5.1). */
function qualityOf(offer: Offer, ranges: readonly MediaRange[]) {
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
