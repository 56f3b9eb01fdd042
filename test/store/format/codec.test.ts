import { expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '../../../src/store/format/bytes.ts';
import { amount, wholeAmount } from '../../../src/store/format/codec.ts';
import { readDocument } from '../../../src/store/format/document-bytes.ts';

test('a watermark that was stored with a fraction is whole when it is read', () => {
  const to = new ByteWriter();
  amount.write(to, 1_795_691_949.258);
  expect(wholeAmount.read(new ByteReader(to.copy()))).toBe(1_795_691_949);

  const stored = { watermark: { startSeconds: 1.5, atSeconds: 7.25, recent: [] }, counts: {} };
  const bytes = new TextEncoder().encode(JSON.stringify(stored));
  expect(readDocument('alerts', bytes)).toMatchObject({
    watermark: { startSeconds: 1, atSeconds: 7 },
  });
});
