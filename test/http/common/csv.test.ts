import { describe, expect, test } from 'vitest';
import { type CsvForm, csvFormOf, csvForms, csvPieces } from '../../../src/http/common/csv.ts';
import fc from '../../support/fast-check.ts';

type Row = readonly [text: string, tags: readonly string[], amount: number];

function csv(rows: readonly Row[], form?: CsvForm): string {
  return [
    ...csvPieces<Row>(
      [
        ['text', ([text]) => text],
        ['tags', ([, tags]) => tags],
        ['amount', ([, , amount]) => amount],
      ],
      rows,
      form,
    ),
  ].join('');
}

/** The beginnings of all cells that a program may find that splits a file at one of these. */
function cellsIn(text: string): string[] {
  return [',', ';', '\t', /\r\n|\r|\n/]
    .flatMap((separator) => text.split(separator))
    .map((cell) => cell.replace(/^[\s"'\ufeff]*?(?=[^\s"\ufeff])/, ''));
}

const computed = /^[=+\-@＝＋－＠]/;

describe.each(csvForms)('a file with the separator %s', (form) => {
  test.each([
    '=1+1',
    'shop;=1+1',
    'shop, -2',
    'a\t@SUM(A1)',
    'a\r\n+1',
    '＝1+1',
    'a;"=1+1"',
    '\u200b=1',
    '" =1',
  ])('has no formula for %j, in a text or in a list of tags', (text) => {
    const cells = cellsIn(csv([[text, ['ok', text], 1.5]], form));
    expect(cells.filter((cell) => computed.test(cell))).toEqual([]);
  });

  test('has no formula, whatever the text', () => {
    const text = fc.string({ unit: fc.constantFrom(...'=+-@＝＋－＠,;\t\r\n" \'ab1') });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.array(text), fc.nat())), (rows) => {
        expect(cellsIn(csv(rows, form)).filter((cell) => computed.test(cell))).toEqual([]);
      }),
    );
  });
});

test('plain texts are as they are', () => {
  expect(csv([['Shop - Berlin (a=b)', ['team:a', 'x-y'], 0.5]])).toBe(
    '\ufefftext,tags,amount\r\nShop - Berlin (a=b),"team:a; x-y",0.5\r\n',
  );
});

test('with semicolons, numbers have a decimal comma', () => {
  expect(csv([['a,b', ['c', 'd'], 1234.5]], 'semicolon')).toBe(
    '\ufefftext;tags;amount\r\n"a,b";"c; d";1234,5\r\n',
  );
});

test('another form is refused with the two that there are', () => {
  expect(csvFormOf(new URLSearchParams())).toBe('comma');
  expect(csvFormOf(new URLSearchParams('csv=semicolon'))).toBe('semicolon');
  expect(() => csvFormOf(new URLSearchParams('csv=tab'))).toThrow(
    'unknown csv "tab": expected one of comma, semicolon',
  );
});
