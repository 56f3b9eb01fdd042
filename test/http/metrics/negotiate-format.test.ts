import { describe, expect, test } from 'vitest';
import { negotiateFormat } from '../../../src/http/metrics/negotiate-format.ts';
import fc from '../../support/fast-check.ts';

const text = 'text/plain; version=0.0.4; charset=utf-8';
const openmetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const oldOpenmetrics = 'application/openmetrics-text; version=0.0.1; charset=utf-8';

/** The headers of Prometheus, from its scrape code of these releases. */
const prometheus = {
  'Prometheus 2.42':
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
  'Prometheus 3':
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1',
  'Prometheus 3 with protobuf':
    'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.6,application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1',
};

describe('the format of a scrape', () => {
  test.each([
    ['Prometheus 2.42', prometheus['Prometheus 2.42'], openmetrics],
    ['Prometheus 3', prometheus['Prometheus 3'], openmetrics],
    ['Prometheus 3 with protobuf', prometheus['Prometheus 3 with protobuf'], openmetrics],
    ['Prometheus told to use text 0.0.4 alone', 'text/plain;version=0.0.4;q=0.2,*/*;q=0.1', text],
    ['an old OpenMetrics client', 'application/openmetrics-text; version=0.0.1', oldOpenmetrics],
    ['OpenMetrics of no named version', 'application/openmetrics-text', openmetrics],
    ['OpenMetrics in a future version', 'application/openmetrics-text;version=2.0.0', text],
    ['text in a future version', 'text/plain;version=1.0.0', text],
    ['no header', undefined, text],
    ['an empty header', '', text],
    ['curl', '*/*', text],
    ['a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', text],
    ['any text', 'text/*', text],
    ['any application type', 'application/*', openmetrics],
    ['both alike', 'text/plain, application/openmetrics-text', text],
    ['OpenMetrics named beside anything', '*/*, application/openmetrics-text', openmetrics],
    ['text preferred by quality', 'application/openmetrics-text;q=0.5,text/plain;q=0.9', text],
    ['text refused', 'text/plain;q=0, */*;q=0.1', openmetrics],
    ['OpenMetrics refused', 'application/openmetrics-text;q=0, */*', text],
    [
      'the newer OpenMetrics refused',
      'application/openmetrics-text;version=1.0.0;q=0, application/*',
      oldOpenmetrics,
    ],
    ['everything refused', '*/*;q=0', text],
    ['only what is not offered', 'application/json', text],
    ['upper case', 'APPLICATION/OPENMETRICS-TEXT; VERSION=1.0.0; Q=1', openmetrics],
    ['a quoted version', 'application/openmetrics-text; version="1.0.0"', openmetrics],
    ['a comma in quotes', 'text/plain;x=",";q=0.1, application/openmetrics-text', openmetrics],
    [
      'spaces',
      '  application/openmetrics-text ; version=1.0.0 ; q=0.7 ,  text/plain ; q=0.3',
      openmetrics,
    ],
    ['a charset', 'text/plain; version=0.0.4; charset=utf-8', text],
    ['a quality that is no number', 'application/openmetrics-text;q=high', text],
    ['a negative quality', 'application/openmetrics-text;q=-1', text],
    ['a type without subtype', 'openmetrics', text],
    ['nonsense', ';;;,,,"', text],
    ['nonsense beside a good element', '///, application/openmetrics-text', openmetrics],
  ])('%s', (_name, accept, contentType) => {
    expect(negotiateFormat(accept).contentType).toBe(contentType);
  });

  test('the format agrees with the content type, whatever the header', () => {
    const piece = fc.constantFrom(
      'text/plain',
      'application/openmetrics-text',
      '*/*',
      ';version=',
      '0.0.1',
      '1.0.0',
      ';q=',
      '0',
      '0.5',
      ',',
      '"',
      '\\',
      ' ',
    );
    const header = fc.oneof(
      fc.string(),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(header, (accept) => {
        const { format, contentType } = negotiateFormat(accept);
        const type = format === 'text' ? 'text/plain; ' : 'application/openmetrics-text; ';
        expect(contentType.startsWith(type)).toBe(true);
      }),
    );
  });

  test('the higher of two qualities wins', () => {
    const quality = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(quality, quality, (a, b) => {
        fc.pre(a !== b);
        const accept = `text/plain;q=${(a / 1000).toFixed(3)},application/openmetrics-text;q=${(b / 1000).toFixed(3)}`;
        expect(negotiateFormat(accept).format).toBe(a > b ? 'text' : 'openmetrics');
      }),
    );
  });

  test.each([
    ['quotes and backslashes', `${'"\\'.repeat(4_000)},application/openmetrics-text`],
    ['parameters without a value', `a/b${';x'.repeat(4_000)}`],
    ['many elements', 'a/b,'.repeat(4_000)],
    ['spaces', `a/b;${' '.repeat(16_000)}`],
  ])('a header of the largest size with %s is read at once', (_what, hostile) => {
    const start = performance.now();
    negotiateFormat(hostile);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
