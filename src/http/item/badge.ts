import { humanizeDuration } from '../../lib/format-duration.ts';
import { formatRatio } from '../common/format.tsx';
import { type Item, type ItemState, isStale } from '../common/items.ts';
import { wholeAvailabilityIn } from '../common/past-bars.ts';
import { type ShownRange, youngerThan } from '../common/shown-range.ts';
import { stateWord } from '../common/state-badge.tsx';

/** Dark enough for white letters. */
const colours: { readonly [S in ItemState]: string } = {
  up: '#00664b',
  down: '#b3320a',
  unconfirmed_down: '#805700',
  unknown: '#57606a',
  paused: '#0a56b3',
};

const [characterWidth, padding, height] = [6.6, 8, 20];

/**
 * Draws an image of the state of an item and its availability in a range, to embed in other pages.
 * It does not contain the item's name. If the item is younger than the range, the badge names the
 * age of the item. The state of an item in a stale list is unknown. There is no availability while
 * it lacks the last outage. An overspent error budget is named, and what is up is then not green.
 */
export function badgeSvg(item: Item, range: ShownRange, nowSeconds: number): string {
  const up = wholeAvailabilityIn(item, range, nowSeconds);
  const age = youngerThan(item, range, nowSeconds);
  const trusted = isStale(item) ? 'unknown' : item.state;
  const inMaintenance = item.inMaintenance && !isStale(item);
  // Of the error budget of 30 days, whatever the range: green is for what is up and within it.
  const isOverspent = trusted === 'up' && (item.row.budget?.remainingRatio ?? 0) < 0;
  const colour = inMaintenance
    ? colours.paused
    : isOverspent
      ? colours.unconfirmed_down
      : colours[trusted];
  const state = inMaintenance ? 'maintenance' : stateWord(trusted).toLowerCase();
  const share = up === undefined ? '' : ` · ${formatRatio(up)}`;
  const words = `${state}${share}${share !== '' && age !== undefined ? ` of ${humanizeDuration(age)}` : ''}${isOverspent ? ' · budget overspent' : ''}`;
  const title = `uptime ${range}`;
  const [left, right] = [widthOf(title), widthOf(words)];
  const text = (x: number, inside: string) => `<text x="${x}" y="14">${inside}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${height}" role="img" aria-label="${title}: ${words}"><rect width="${left + right}" height="${height}" rx="4" fill="#3d444d"/><path d="M${left} 0h${right - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-${right - 4}z" fill="${colour}"/><g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">${text(left / 2, title)}${text(left + right / 2, words)}</g></svg>\n`;
}

function widthOf(text: string): number {
  return Math.round(text.length * characterWidth + 2 * padding);
}
