import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { registryText } from '../../../src/exposition/self-metrics/metrics-text.ts';

describe('registryText', () => {
  it('writes a counter under the name that each format wants', async () => {
    const registry = new Registry();
    new Counter({ name: 'a_total', help: 'h', registers: [registry] }).inc(2);

    expect(await registryText(registry, 'text')).toBe(
      '# HELP a_total h\n# TYPE a_total counter\na_total 2\n',
    );
    expect(await registryText(registry, 'openmetrics')).toBe(
      '# TYPE a counter\n# HELP a h\na_total 2\n',
    );
  });

  it('escapes label values', async () => {
    const registry = new Registry();
    new Gauge({ name: 'a', help: 'h', labelNames: ['l'], registers: [registry] }).set(
      { l: 'say "\\"\n' },
      1,
    );

    expect(await registryText(registry, 'text')).toContain('a{l="say \\"\\\\\\"\\n"} 1\n');
  });

  it('writes the bounds of a histogram as floats', async () => {
    const registry = new Registry();
    new Histogram({ name: 'a', help: 'h', buckets: [0.5, 1], registers: [registry] }).observe(0.75);

    expect(await registryText(registry, 'text')).toBe(
      [
        '# HELP a h',
        '# TYPE a histogram',
        'a_bucket{le="0.5"} 0',
        'a_bucket{le="1.0"} 1',
        'a_bucket{le="+Inf"} 1',
        'a_sum 0.75',
        'a_count 1',
        '',
      ].join('\n'),
    );
  });

  it('leaves out what is not a number, with its family when nothing else is in it', async () => {
    const registry = new Registry();
    new Gauge({ name: 'a', help: 'h', registers: [registry] }).set(Number.NaN);
    new Gauge({ name: 'b', help: 'h', labelNames: ['l'], registers: [registry] });

    expect(await registryText(registry, 'text')).toBe('');
  });
});
