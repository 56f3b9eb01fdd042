import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formats } from '../../../src/exposition/formats.ts';
import { imageOf, pageOf } from '../../../src/exposition/page/page-image.ts';
import { anyChecks } from '../support/arbitraries.ts';
import { freshPage } from '../support/rendering.ts';
import { aSnapshot } from '../support/snapshots.ts';

test('the page of an image has the same text, whole and in parts', async () => {
  await fc.assert(
    fc.asyncProperty(anyChecks, async (checks) => {
      const page = await freshPage(aSnapshot({ checks }));
      const { index, chunks } = imageOf(page);

      const read = pageOf(JSON.parse(JSON.stringify(index)), Buffer.concat(chunks));

      expect(read.series).toBe(page.series);
      expect(read.bytes).toEqual(page.bytes);
      const selections = [
        {},
        { accounts: new Set(['main']) },
        { parts: new Set(['checks'] as const) },
        { parts: new Set(['exporter'] as const) },
      ];
      for (const format of formats) {
        for (const selection of selections) {
          const [before, after] = [page, read].map((of) =>
            of.prepared(format, selection).pieces.map(({ gzip }) => gunzipSync(gzip).toString()),
          );
          expect(after?.join('')).toBe(before?.join(''));
        }
      }
      expect(() => read.prepared('text', { accounts: new Set(['other']) })).toThrow(
        'unknown account',
      );
    }),
  );
});

test('bytes that do not belong to the index are refused', async () => {
  const { index, chunks } = imageOf(await freshPage(aSnapshot({})));
  expect(() => pageOf(index, Buffer.concat([...chunks, Buffer.alloc(1)]))).toThrow(RangeError);
});
