import { type Html, html } from '../html.ts';

const units: readonly (readonly [name: string, seconds: number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** A duration in its two largest units, rounded down: `2 d 4 h`, `3 min`, `0 s`. */
export function durationWords(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds));
  const first = units.findIndex(([, size]) => rest >= size);
  if (first === -1) return '0 s';
  const words: string[] = [];
  for (const [name, size] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) words.push(`${count} ${name}`);
  }
  return words.join(' ');
}

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

export function numberWords(value: number): string {
  return numbers.format(value);
}
