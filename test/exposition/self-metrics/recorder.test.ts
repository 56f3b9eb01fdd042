import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, it, test } from 'vitest';
import { formats } from '../../../src/exposition/formats.ts';
import { registryText } from '../../../src/exposition/self-metrics/metrics-text.ts';
import { RecordedHistogram, RecordedValue } from '../../../src/exposition/self-metrics/recorder.ts';
import fc from '../../support/fast-check.ts';
import { awkwardText } from '../support/arbitraries.ts';

const common = { help: 'Help.', commonLabels: [], labels: ['account', 'operation'] } as const;
const total = { ...common, name: 'a_total', type: 'counter' } as const;
const gauge = { ...common, name: 'a_bytes', type: 'gauge' } as const;
const seconds = {
  ...common,
  name: 'a_seconds',
  type: 'histogram',
  buckets: [0.5, 1, 2.5],
} as const;

const events = fc.array(
  fc.record({
    account: fc.oneof(fc.constantFrom('one', 'two'), awkwardText),
    operation: fc.constantFrom('list', 'get'),
    value: fc.oneof(fc.constantFrom(0, 0.5, 1, 2.5, 3), fc.double({ min: 0, max: 9, noNaN: true })),
  }),
);

describe('what is recorded', () => {
  it('is written as prom-client writes it, whatever happened', async () => {
    await fc.assert(
      fc.asyncProperty(events, fc.constantFrom(...formats), async (happened, format) => {
        const registry = new Registry();
        const options = { help: 'Help.', labelNames: common.labels, registers: [registry] };
        const theirs = {
          total: new Counter({ ...options, name: total.name }),
          gauge: new Gauge({ ...options, name: gauge.name }),
          seconds: new Histogram({ ...options, name: seconds.name, buckets: [0.5, 1, 2.5] }),
        };
        const ours = {
          total: new RecordedValue(total),
          gauge: new RecordedValue(gauge),
          seconds: new RecordedHistogram(seconds),
        };

        for (const { value, ...labels } of happened) {
          theirs.total.inc(labels, value);
          theirs.gauge.set(labels, value);
          theirs.seconds.observe(labels, value);
          ours.total.inc(labels, value);
          ours.gauge.set(labels, value);
          ours.seconds.observe(labels, value);
        }

        const written = [ours.total, ours.gauge, ours.seconds].map((family) =>
          family.text(format, 0),
        );
        expect(sorted(written.join(''))).toEqual(sorted(await registryText(registry, format)));
      }),
    );
  });

  it('forgets the series of an account, and no other', () => {
    const requests = new RecordedValue(total);
    const durations = new RecordedHistogram(seconds);
    for (const account of ['one', 'two']) {
      requests.inc({ account, operation: 'list' });
      durations.observe({ account, operation: 'list' }, 1);
    }

    for (const family of [requests, durations]) family.forget('one');

    const text = requests.text('text', 0) + durations.text('text', 0);
    expect(text).not.toContain('"one"');
    expect(text).toContain('a_total{account="two",operation="list"} 1\n');
    expect(text).toContain('a_seconds_count{account="two",operation="list"} 1\n');
  });
});

test('a series that an event begins on a page that was served is 0 for three minutes', () => {
  const requests = new RecordedValue(total);
  requests.inc({ account: 'one', operation: 'list' });
  const value = (operation: string, now: number) =>
    new RegExp(`operation="${operation}"} (\\d+)`).exec(requests.text('text', now))?.[1];

  expect(value('list', 0)).toBe('1');
  requests.inc({ account: 'one', operation: 'get' });

  expect(value('get', 60_000)).toBe('0');
  requests.inc({ account: 'one', operation: 'get' });
  expect(value('get', 239_999)).toBe('0');
  expect(value('get', 240_000)).toBe('2');
  requests.inc({ account: 'one', operation: 'list' });
  expect(value('list', 240_001)).toBe('2');
});

/** The lines. The label of the bound comes first in prom-client and last in the exporter. */
function sorted(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\{(le="[^"]*"),(.*)\} /s, '{$2,$1} '))
    .sort();
}
