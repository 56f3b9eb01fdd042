import { type Html, html } from '../html.ts';

const utc = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'UTC',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** A moment, for people and machines. */
export function momentWords(unixSeconds: number): Html {
  const words = utc.format(unixSeconds * 1000);
  return html`<time datetime="${words}Z">${words} UTC</time>`;
}

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** A share from 0 to 1 in percent, rounded down: what is not whole does not look so. */
export function shareWords(share: number): string {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2).replace(/\.?0+$/, '')} %`;
}

export function numberWords(value: number): string {
  return numbers.format(value);
}
