import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { Sparkline } from '../../../src/http/common/sparkline.tsx';
import { noon } from '../../support/snapshots.ts';

const hour = 3_600;

/** Averages in milliseconds of some hours before noon. The first known hour is a week ago. */
function averagesOf(known: Readonly<Record<number, number>>) {
  const values = new Uint16Array(168);
  for (const [hoursAgo, milliseconds] of Object.entries(known)) {
    values[168 - Number(hoursAgo)] = milliseconds;
  }
  return {
    startAtSeconds: noon - 168 * hour,
    milliseconds: Buffer.from(values.buffer).toString('base64'),
  };
}

function pathOf(known: Readonly<Record<number, number>>, range: '24h' | '7d' | '30d') {
  const drawing = Sparkline({ averages: averagesOf(known), range, now: noon });
  return drawing === null ? undefined : / d="([^"]*)"/.exec(renderToString(drawing))?.[1];
}

test('an hour stands where it was within the range, which ends now', () => {
  // Two units for each of the 24 hours, from left to right.
  expect(pathOf({ 24: 100, 23: 100 }, '24h')).toMatch(/^M1 \d+ 3 \d+$/);
  expect(pathOf({ 2: 100, 1: 100 }, '24h')).toMatch(/^M45 \d+ 47 \d+$/);
});

test('a check that was paused three days ago has no line of 24 hours, and half a line of a week', () => {
  const known = Object.fromEntries(Array.from({ length: 90 }, (_, place) => [168 - place, 100]));

  expect(pathOf(known, '24h')).toBeUndefined();
  // 28 points of six hours, two units wide: the last known one ends 78 hours ago.
  const places = [...(pathOf(known, '7d') ?? '').matchAll(/(?:M| )(\d+) \d+/g)].map(([, x]) =>
    Number(x),
  );
  expect(places[0]).toBe(1);
  expect(places.at(-1)).toBe(29);
});

test('a week of hours does not fill 30 days', () => {
  const week = Object.fromEntries(Array.from({ length: 168 }, (_, place) => [place + 1, 100]));

  expect(pathOf(week, '30d')).toMatch(/^M47 \d+ 49 .* 59 \d+$/);
});

test('hours that are not known are a gap, and an hour alone can be seen', () => {
  expect(pathOf({ 10: 100, 9: 100, 5: 100, 4: 100 }, '24h')).toMatch(
    /^M29 \d+ 31 \d+M39 \d+ 41 \d+$/,
  );
  expect(pathOf({ 10: 100 }, '24h')).toMatch(/^M28 \d+h2$/);
});
