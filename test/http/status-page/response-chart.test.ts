import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import {
  filledRanges,
  ResponseChart,
} from '../../../src/http/status-page/item-page/response-chart.tsx';
import { noon } from '../../support/snapshots.ts';

const [hour, day] = [3_600, 86_400];

function averagesOf(hours: number, untilHoursAgo = 0) {
  return {
    startAtSeconds: noon - (hours + untilHoursAgo) * hour,
    milliseconds: Buffer.from(Uint16Array.from({ length: hours }, () => 200).buffer).toString(
      'base64',
    ),
  };
}

describe('the ranges of the response chart', () => {
  const rangesOf = (readFrom: number, createdAtSeconds = 0) =>
    filledRanges({ readFrom, createdAtSeconds, now: noon });

  test('are offered as far back as averages were read', () => {
    expect(rangesOf(noon - hour)).toEqual(['24h']);
    expect(rangesOf(noon - 3 * day)).toEqual(['24h']);
    expect(rangesOf(noon - 7 * day)).toEqual(['24h', '7d']);
    expect(rangesOf(noon - 29 * day)).toEqual(['24h', '7d']);
    expect(rangesOf(noon - 30 * day)).toEqual(['24h', '7d', '30d']);
  });

  test('cover the life of a young check, and no more', () => {
    expect(rangesOf(noon - 7 * day, noon - 2 * hour)).toEqual(['24h']);
    expect(rangesOf(noon - 7 * day, noon - 3 * day)).toEqual(['24h', '7d']);
  });
});

const quantiles = {
  ...{ fromSeconds: noon - 3 * hour, toSeconds: noon - hour },
  ...{ p50Seconds: 0.21, p95Seconds: 0.48 },
};

describe('the response chart', () => {
  const htmlOf = (averages: ReturnType<typeof averagesOf>, range?: string, hasQuantiles = false) =>
    renderToString(
      ResponseChart({
        ...{ averages, createdAtSeconds: noon - 400 * day, range, now: noon },
        quantiles: hasQuantiles ? quantiles : undefined,
      }),
    );
  const wordsOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

  test('ends now, whenever it was read last, and says until when that was', () => {
    const html = htmlOf(averagesOf(167, 5), '24h');

    expect(html).toContain(`data-from="${noon - day}" data-to="${noon}"`);
    expect(wordsOf(html)).toContain('read until 2026-01-05 07:00 UTC');
    // The last hour that was read ends five of 24 hours before the right edge, which is at 712; the left one is at 52.
    const [, last] = /L([\d.]+) [\d.]+"/.exec(html) ?? [];
    expect(Number(last)).toBeCloseTo(52 + (660 * 18.5) / 24, 0);
  });

  test('shows the range of its address if that is filled, otherwise another', () => {
    expect(htmlOf(averagesOf(168), '24h')).toContain(`data-from="${noon - day}"`);
    expect(htmlOf(averagesOf(168), '30d')).toContain(`data-from="${noon - 7 * day}"`);
    expect(htmlOf(averagesOf(720), '30d')).toContain(`data-from="${noon - 30 * day}"`);
    expect(htmlOf(averagesOf(720), '"><script>')).toContain(`data-from="${noon - 7 * day}"`);
  });

  test('says so when nothing was answered in the range', () => {
    expect(wordsOf(htmlOf(averagesOf(90, 78), '24h'))).toContain(
      'No test was answered in the last 24h.',
    );
  });

  test('names p50 and p95 in its legend, and draws a line of each', () => {
    const html = htmlOf(averagesOf(168), '24h', true);

    expect(wordsOf(html)).toContain('average by hour p50 210 ms p95 480 ms');
    expect(html.match(/class="quantile beside p\d\d"/g)).toHaveLength(2);
    expect(html.match(/class="quantile p\d\d"/g)).toHaveLength(2);
  });
});
