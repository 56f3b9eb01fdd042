import { describe, expect, it } from 'vitest';
import {
  escapeLabelValue,
  familyHeader,
  formatBound,
  formatNumber,
  SampleWriter,
} from '../../src/exposition/text-format.ts';
import fc from '../support/fast-check.ts';

describe('escapeLabelValue', () => {
  it.each([
    ['a\\b', 'a\\\\b'],
    ['say "hi"', 'say \\"hi\\"'],
    ['two\nlines', 'two\\nlines'],
    ['\\n', '\\\\n'],
    ['tab\tand\rreturn', 'tab\tand\rreturn'],
    ['nul\0', 'nul\0'],
    ['half \ud83d', 'half \uFFFD'],
    ['whole 😀', 'whole 😀'],
    ['over\u202edir', 'over\ufffddir'],
    ['\u2066isolated\u2069', '\ufffdisolated\ufffd'],
    ['marks \u200e\u200f', 'marks \u200e\u200f'],
    ['x'.repeat(1_001), 'x'.repeat(1_000)],
    ['"'.repeat(1_001), '\\"'.repeat(1_000)],
    [`${'é'.repeat(499)}x😀`, `${'é'.repeat(499)}x`],
  ])('writes %j as %j', (value, escaped) => {
    expect(escapeLabelValue(value)).toBe(escaped);
  });
});

describe('formatNumber', () => {
  it.each([
    [0, '0'],
    [-0, '0'],
    [1_700_000_000, '1700000000'],
    [0.25, '0.25'],
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NEGATIVE_INFINITY, '-Inf'],
  ])('writes %d as %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  it('writes every number so that it reads back exactly, in a form of the OpenMetrics grammar', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = formatNumber(value);

        expect(Number(text)).toBe(value + 0);
        expect(text).toMatch(/^-?\d+(\.\d+)?(e[+-]?\d+)?$/);
      }),
    );
  });
});

describe('formatBound', () => {
  it.each([
    [1, '1.0'],
    [0.05, '0.05'],
    [10, '10.0'],
    [Number.POSITIVE_INFINITY, '+Inf'],
  ])('writes %d as %s', (bound, text) => {
    expect(formatBound(bound)).toBe(text);
  });
});

describe('familyHeader', () => {
  const bytes = { name: 'a_bytes_total', type: 'counter', help: 'Say "\\"\nand more.' } as const;

  it('escapes backslash and line feed, but no quote, in text 0.0.4', () => {
    expect(familyHeader(bytes, 'text')).toBe(
      '# HELP a_bytes_total Say "\\\\"\\nand more.\n# TYPE a_bytes_total counter\n',
    );
  });

  it('names counters without _total, and gives the unit, in OpenMetrics', () => {
    expect(familyHeader(bytes, 'openmetrics')).toBe(
      '# TYPE a_bytes counter\n# UNIT a_bytes bytes\n# HELP a_bytes Say \\"\\\\\\"\\nand more.\n',
    );
  });
});

describe('SampleWriter', () => {
  it('leaves out what is not known and what is not a number', () => {
    const writer = new SampleWriter({ name: 'a', labels: [] });
    writer.common = 'account="main"';

    writer.emit(undefined);
    writer.emit(Number.NaN);
    writer.emit(true);

    expect(writer.text).toBe('a{account="main"} 1\n');
    expect(writer.series).toBe(1);
  });
});
