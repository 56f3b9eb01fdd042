import { type Html, html } from './html.ts';

const maxLength = 200;

/** Controls, line breaks, and the marks that could turn round the text around them; not the plain LRM and RLM. */
const controlCharacters = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Text from the service for one line of a page: of bounded length, and unable to disturb its neighbours. */
export function displayText(text: string): string {
  const clean = text.slice(0, maxLength + 1).replace(controlCharacters, '\ufffd');
  return clean.length <= maxLength ? clean : `${clean.slice(0, maxLength).toWellFormed()}…`;
}

const utc = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'UTC',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** A moment, for people and machines. */
export function formatMoment(unixSeconds: number): Html {
  const words = utc.format(unixSeconds * 1000);
  return html`<time datetime="${words}Z">${words} UTC</time>`;
}

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A share from 0 to 1 in percent, rounded down: what is not whole does not look so. */
export function formatRatio(share: number): string {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2).replace(/\.?0+$/, '')} %`;
}

export function formatDecimal(value: number): string {
  return numbers.format(value);
}
