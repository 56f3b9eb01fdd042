import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import {
  barLook,
  describeBar,
  describeBars,
  type PastBar,
} from '../../../src/http/common/past-bars.ts';
import { BarsTable, Strip, StripEnds } from '../../../src/http/common/strip.tsx';
import { noon } from '../../support/snapshots.ts';

const day = 86_400;

/** Days before noon, each with its seconds down, or unknown. */
function daysOf(...downs: readonly (number | undefined)[]) {
  return downs.map((down, place) => ({
    fromSeconds: noon - (downs.length - place) * day,
    toSeconds: noon - (downs.length - place - 1) * day,
    seconds:
      down === undefined
        ? { up: 0, down: 0, unknown: 0, unmonitored: 0 }
        : { up: day - down, down, unknown: 0, unmonitored: 0 },
    maintenance: { known: 0, down: 0 },
    notKnown: 0,
  }));
}

describe('a bar', () => {
  test('looks different for 7 minutes, 3 hours, 12 hours and a day', () => {
    const looks = daysOf(0, 420, 3 * 3_600, day / 2, day, undefined).map((bar) => barLook(bar));

    expect(looks).toEqual([
      'up',
      [{ shows: 'down', degree: 'slight' }],
      [{ shows: 'down', degree: 'partial' }],
      [{ shows: 'down', degree: 'heavy' }],
      [{ shows: 'down', degree: 'whole' }],
      'none',
    ]);
  });

  test('of a group is as high as the share of its error budget that was used', () => {
    const [hour, checks, permitted] = [3_600, 20, 0.001];
    const looks = [240, hour / 4, 4 * hour, 8 * hour].map((down) => {
      const [bar] = daysOf(0);
      const seconds = { up: checks * day - down, down, unknown: 0, unmonitored: 0 };
      return barLook({ ...bar, seconds } as PastBar, permitted);
    });

    expect(looks).toEqual([
      [{ shows: 'down', degree: 'slight' }],
      [{ shows: 'down', degree: 'partial' }],
      [{ shows: 'down', degree: 'heavy' }],
      [{ shows: 'down', degree: 'whole' }],
    ]);
  });

  test('shows what was unknown above what was down', () => {
    const mixed = (down: number, unknown: number) => {
      const [bar] = daysOf(0);
      const seconds = { up: day - down - unknown, down, unknown, unmonitored: 0 };
      return { ...bar, seconds } as PastBar;
    };

    expect(barLook(mixed(600, day / 2))).toEqual([
      { shows: 'down', degree: 'slight' },
      { shows: 'unknown', degree: 'heavy' },
    ]);
    expect(barLook(mixed(600, 600))).toEqual([
      { shows: 'down', degree: 'slight' },
      { shows: 'unknown', degree: 'partial' },
    ]);
    expect(barLook(mixed(600, day - 600))).toEqual([
      { shows: 'down', degree: 'slight' },
      { shows: 'unknown', degree: 'whole' },
    ]);
    const html = renderToString(
      Strip({ bars: [mixed(600, 0), mixed(600, 600)], label: '', up: 1 }),
    );
    // What is drawn later hides what is behind it.
    const classes = [...html.matchAll(/<path class="([^"]*)"/g)].map(([, name]) => name);
    expect(classes).toEqual(['rest', 'unknown partial', 'down slight']);
  });

  test('of a group shows what was up above much downtime and little that was unknown', () => {
    const [bar] = daysOf(0);
    const seconds = { up: 10 * day - 4_200, down: 3_600, unknown: 600, unmonitored: 0 };
    const mixed = { ...bar, seconds } as PastBar;

    expect(barLook(mixed, 0.001)).toEqual([
      { shows: 'down', degree: 'heavy' },
      { shows: 'unknown', degree: 'raised' },
    ]);
    const html = renderToString(Strip({ bars: [mixed], label: '', up: 1, permitted: 0.001 }));
    const classes = [...html.matchAll(/<path class="([^"]*)"/g)].map(([, name]) => name);
    expect(classes).toEqual(['rest', 'unknown raised', 'down heavy']);
  });

  test('shows, says and tabulates the same: less than a second is not down', () => {
    const bars = daysOf(0.4);
    const table = renderToString(h(BarsTable, { bars, label: 'Days' })).replace(/<[^>]*>/g, ' ');

    expect(bars.map((bar) => barLook(bar))).toEqual(['up']);
    expect(bars.map(describeBar)).toEqual(['up']);
    expect(table).toContain('100 %');
  });

  test('tabulates no ratio of a day of which little is known', () => {
    const [bar] = daysOf(0);
    const seconds = { up: 0, down: 840, unknown: 0, unmonitored: 0 };
    const bars = [{ ...bar, seconds, notKnown: day - 840 } as PastBar];
    const table = renderToString(h(BarsTable, { bars, label: 'Days' })).replace(/<[^>]*>/g, ' ');

    expect(bars.map(describeBar)).toEqual(['down 14 min, 23 h 46 min not known yet']);
    expect(table).toContain('14 min');
    expect(table).not.toContain('%');
  });

  test('has its day and its minutes as a text where no script runs', () => {
    const html = renderToString(
      Strip({ bars: daysOf(0, 420), label: 'Last 2 days', up: 1, hasTitles: true }),
    );

    expect([...html.matchAll(/<title>([^<]*)</g)].map(([, text]) => text)).toEqual([
      '2026-01-03 12:00 UTC: up',
      '2026-01-04 12:00 UTC: down 7 min',
    ]);
  });

  test('has its time and the texts of its bars for the script', () => {
    const html = renderToString(
      Strip({ bars: daysOf(0, 0, 420, 420, undefined), label: '5 days', up: 1 }),
    );

    expect(html).toContain(`data-bars="${noon - 5 * day}|86400|2 up|2 down 7 min|1 not known yet"`);
    expect(html).not.toContain('<title>');
  });
});

test('a strip has its beginning and now at its ends', () => {
  const text = renderToString(h(StripEnds, { bars: daysOf(0, 0) })).replace(/<[^>]*>/g, ' ');

  expect(text.replace(/\s+/g, ' ').trim()).toBe('2026-01-03 12:00 UTC now');
});

test('a check that was made a minute ago does not claim 30 days', () => {
  const bars = daysOf(...Array(29).fill(undefined), undefined).map((bar, place) =>
    place < 29 ? bar : { ...bar, seconds: { ...bar.seconds, up: 60 } },
  );

  expect(describeBars(bars, 1)).toBe('100 % up, of the 1 min that are known');
});
