import Negotiator from 'negotiator';
import { contentTypes, type Format } from '../../exposition/formats.ts';

interface NegotiatedFormat {
  readonly format: Format;
  readonly contentType: string;
}

const plainText: NegotiatedFormat = { format: 'text', contentType: contentTypes.text };

/** The offers in our order of preference, which decides if the client has no preference. */
const offers: ReadonlyMap<string, NegotiatedFormat> = new Map([
  ['text/plain;version=0.0.4', plainText],
  [
    'application/openmetrics-text;version=1.0.0',
    { format: 'openmetrics', contentType: contentTypes.openmetrics },
  ],
  [
    'application/openmetrics-text;version=0.0.1',
    { format: 'openmetrics', contentType: contentTypes.openmetrics.replace('1.0.0', '0.0.1') },
  ],
]);

/** Parameters that do not change the response, such as `escaping` and `charset`. */
const otherParameters = /;\s*(?!(?:version|q)\s*=)[\w-]+\s*=\s*(?:"[^"]*"|[^;,\s]*)/gi;

/**
 * Returns the format for an `Accept` header. A client that accepts none of the offers gets plain
 * text, which is more useful to a scraper than an error.
 */
export function negotiateFormat(accept = '*/*'): NegotiatedFormat {
  const headers = { accept: accept.replace(otherParameters, '') };
  const [preferred = ''] = new Negotiator({ headers }).mediaTypes([...offers.keys()]);
  return offers.get(preferred) ?? plainText;
}
