import { renderToString } from 'preact-render-to-string';
import { describe, expect, test } from 'vitest';
import { offeredRanges, ResponseChart } from '../../../src/http/item/response-chart.tsx';
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

/** A week that ends with this many hours without an average. */
function silentFor(hours: number): string {
  const week = Uint16Array.from({ length: 168 }, (_, hour) => (hour < 168 - hours ? 200 : 0));
  return Buffer.from(week.buffer).toString('base64');
}

describe('the ranges of the response chart', () => {
  const rangesOf = (readFrom: number, readEverySeconds?: number) =>
    offeredRanges({ readFrom, readEverySeconds, now: noon });

  test('are offered as soon as they show more than a shorter one', () => {
    expect(rangesOf(noon - hour)).toEqual(['24h']);
    expect(rangesOf(noon - 30 * hour)).toEqual(['24h']);
    expect(rangesOf(noon - 3 * day)).toEqual(['24h', '7d']);
    expect(rangesOf(noon - 7 * day)).toEqual(['24h', '7d']);
    expect(rangesOf(noon - 8 * day)).toEqual(['24h', '7d', '30d']);
    expect(rangesOf(noon - 30 * day)).toEqual(['24h', '7d', '30d']);
  });

  test('are not offered when the plan leaves them mostly empty', () => {
    expect(rangesOf(noon - 8 * day, 12 * hour)).toEqual(['24h', '7d', '30d']);
    expect(rangesOf(noon - 8 * day, 13 * hour)).toEqual(['7d', '30d']);
    expect(rangesOf(noon - 3 * day, 13 * hour)).toEqual(['7d']);
    expect(rangesOf(noon - 8 * day, 4 * day)).toEqual(['30d']);
    expect(rangesOf(noon - 8 * day, Number.POSITIVE_INFINITY)).toEqual(['30d']);
  });
});

const quantiles = {
  fromSeconds: noon - 3 * hour,
  toSeconds: noon - hour,
  p50Seconds: 0.21,
  p95Seconds: 0.48,
};

describe('the response chart', () => {
  const htmlOf = (
    averages: ReturnType<typeof averagesOf>,
    range?: string,
    hasQuantiles = false,
    createdAtSeconds = noon - 400 * day,
  ) =>
    renderToString(
      ResponseChart({
        averages,
        createdAtSeconds,
        periodSeconds: undefined,
        range,
        now: noon,
        readEverySeconds: hour,
        quantiles: hasQuantiles ? quantiles : undefined,
      }),
    );
  const wordsOf = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

  test('ends now, whenever it was read last, and says from when until when that was', () => {
    const html = htmlOf(averagesOf(167, 5), '24h');

    expect(html).toContain(`data-from="${noon - day}" data-to="${noon}"`);
    expect(wordsOf(html)).toContain('read from 2025-12-29 08:00 UTC until 2026-01-05 07:00 UTC');
    const [, data = ''] = /data-chart="([^"]*)"/.exec(html) ?? [];
    const { columns } = JSON.parse(data.replaceAll('&quot;', '"'));
    // The middle of the last known hour.
    expect(columns[0].at(-1)).toBe(noon - 5.5 * 3_600);
  });

  test('of a transaction that runs every 12 hours has a line from run to run, with a gap where one has none', () => {
    const week = Uint16Array.from({ length: 168 }, (_, place) =>
      [4, 16, 29, 53].includes(place) ? 200 : 0,
    );
    const milliseconds = Buffer.from(week.buffer).toString('base64');
    const columnsOf = (periodSeconds: number | undefined) => {
      const props = { createdAtSeconds: 0, readEverySeconds: hour, quantiles: undefined };
      const averages = { startAtSeconds: noon - 7 * day, milliseconds };
      const html = renderToString(
        ResponseChart({ ...props, averages, periodSeconds, range: '7d', now: noon }),
      );
      const [, data = ''] = /data-chart="([^"]*)"/.exec(html) ?? [];
      return JSON.parse(data.replaceAll('&quot;', '"')).columns[1];
    };

    const gap = Array.from({ length: 11 }, () => null);
    expect(columnsOf(12 * hour)).toEqual([0.2, 0.2, 0.2, ...gap, 0.2]);
    expect(columnsOf(undefined)).toHaveLength(50);
  });

  test.each([
    [undefined, 'No response times are known yet.'],
    [46 * hour, 'No response times are known yet. They are read every 1 d 22 h.'],
    [Number.POSITIVE_INFINITY, 'No response times are known yet: the plan does not read them.'],
  ])(
    'that was never read says when it will be, with an interval of %s',
    (readEverySeconds, text) => {
      const unread = { averages: undefined, quantiles: undefined, createdAtSeconds: noon };
      const html = renderToString(
        ResponseChart({
          ...unread,
          ...{ periodSeconds: undefined, readEverySeconds, range: undefined, now: noon },
        }),
      );
      expect(wordsOf(html)).toContain(text);
    },
  );

  test('has nothing of the time before its check was made', () => {
    const html = htmlOf(averagesOf(168), '24h', false, noon - 50 * hour);
    expect(wordsOf(html)).toContain('read from 2026-01-03 10:00 UTC until');
  });

  test('shows the range of its address if that is offered, otherwise another', () => {
    const html = htmlOf(averagesOf(168), '24h');
    expect(html).toContain(`data-from="${noon - day}"`);
    const marked = [...html.matchAll(/<a id="([\w-]+)"[^>]* aria-current=/g)];
    expect(marked.map(([, id]) => id)).toEqual(['range-24h']);
    expect(htmlOf(averagesOf(168), '30d')).toContain(`data-from="${noon - 7 * day}"`);
    expect(htmlOf(averagesOf(720), '30d')).toContain(`data-from="${noon - 30 * day}"`);
    expect(htmlOf(averagesOf(720), '"><script>')).toContain(`data-from="${noon - 7 * day}"`);
  });

  test('tells a range that was not read from one in which nothing was answered', () => {
    expect(wordsOf(htmlOf(averagesOf(90, 78), '24h'))).toContain(
      'The last 24h have not been read yet.',
    );
    const silent = { ...averagesOf(168), milliseconds: silentFor(12) };
    expect(wordsOf(htmlOf(silent, '24h'))).not.toContain('No test was answered');
    const long = { ...averagesOf(168), milliseconds: silentFor(30) };
    expect(wordsOf(htmlOf(long, '24h'))).toContain(
      'No test measured a response time in the known part of the last 24h.',
    );
  });

  test('names p50 and p95 in its legend', () => {
    const html = htmlOf(averagesOf(168), '24h', true);

    expect(wordsOf(html)).toContain('average by hour p50 210 ms p95 480 ms');
  });
});
