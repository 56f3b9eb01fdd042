import { describe, expect, it } from 'vitest';
import { parseExposition } from './openmetrics-parser.ts';

const gauge = '# TYPE a gauge\n# HELP a h\n';
const counter = '# TYPE a counter\n# HELP a h\n';
const histogram = '# TYPE a_seconds histogram\n# UNIT a_seconds seconds\n# HELP a_seconds h\n';

describe('parseExposition', () => {
  it('reads the three types of OpenMetrics', () => {
    const text = `# TYPE c counter\n# HELP c say \\"hi\\"\nc_total{l="a\\n\\"\\\\"} 1e+06\n${histogram}a_seconds_bucket{le="1.0"} 1\na_seconds_bucket{le="+Inf"} 2\na_seconds_sum 3.5\na_seconds_count 2\n# EOF\n`;

    const [first, second] = parseExposition(text, 'openmetrics');

    expect(first).toEqual({
      name: 'c',
      type: 'counter',
      help: 'say "hi"',
      unit: undefined,
      samples: [{ name: 'c_total', labels: { l: 'a\n"\\' }, value: 1_000_000 }],
    });
    expect(second?.unit).toBe('seconds');
    expect(second?.samples).toHaveLength(4);
  });

  it.each([
    ['no end marker', `${gauge}a 1\n`],
    ['text after the end marker', `${gauge}a 1\n# EOF\na{b="1"} 1\n`],
    ['a blank line', `${gauge}\na 1\n# EOF\n`],
    [
      'a family in two places',
      `${gauge}a 1\n# TYPE b gauge\n# HELP b h\nb 1\n# TYPE a gauge\n# EOF\n`,
    ],
    ['a series twice', `${gauge}a{b="1",c="2"} 1\na{c="2",b="1"} 2\n# EOF\n`],
    ['a sample without metadata', 'a 1\n# EOF\n'],
    ['a sample of another family', `${gauge}b 1\n# EOF\n`],
    ['metadata after samples', `# TYPE a gauge\na 1\n# HELP a h\n# EOF\n`],
    ['a counter without _total', `${counter}a 1\n# EOF\n`],
    ['a counter below 0', `${counter}a_total -1\n# EOF\n`],
    ['a unit that is not the suffix', '# TYPE a gauge\n# UNIT a seconds\n# HELP a h\na 1\n# EOF\n'],
    ['an unclosed label value', `${gauge}a{b="1} 1\n# EOF\n`],
    ['an unknown escape', `${gauge}a{b="\\t"} 1\n# EOF\n`],
    ['a label twice', `${gauge}a{b="1",b="2"} 1\n# EOF\n`],
    ['a comma after the last label', `${gauge}a{b="1",} 1\n# EOF\n`],
    ['a timestamp', `${gauge}a 1 2\n# EOF\n`],
    ['a value that is no number', `${gauge}a 0x10\n# EOF\n`],
    [
      'a histogram without +Inf',
      `${histogram}a_seconds_bucket{le="1.0"} 1\na_seconds_sum 1\na_seconds_count 1\n# EOF\n`,
    ],
    [
      'a bound that is not canonical',
      `${histogram}a_seconds_bucket{le="1"} 1\na_seconds_bucket{le="+Inf"} 1\na_seconds_sum 1\na_seconds_count 1\n# EOF\n`,
    ],
    [
      'buckets that are not cumulative',
      `${histogram}a_seconds_bucket{le="1.0"} 2\na_seconds_bucket{le="+Inf"} 1\na_seconds_sum 1\na_seconds_count 1\n# EOF\n`,
    ],
    [
      'a count that is not the +Inf bucket',
      `${histogram}a_seconds_bucket{le="+Inf"} 1\na_seconds_sum 1\na_seconds_count 2\n# EOF\n`,
    ],
  ])('refuses %s in OpenMetrics', (_, text) => {
    expect(() => parseExposition(text, 'openmetrics')).toThrow();
  });

  it.each([
    ['an end marker', `${gauge}a 1\n# EOF\n`],
    [
      'a unit',
      '# TYPE a_seconds gauge\n# UNIT a_seconds seconds\n# HELP a_seconds h\na_seconds 1\n',
    ],
    ['an escaped quote in help', '# TYPE a gauge\n# HELP a say \\"hi\\"\na 1\n'],
    ['a counter whose samples have another name', `${counter}a_total 1\n`],
  ])('refuses %s in text 0.0.4', (_, text) => {
    expect(() => parseExposition(text, 'text')).toThrow();
  });
});
