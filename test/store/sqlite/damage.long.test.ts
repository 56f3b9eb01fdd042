import { test } from 'vitest';
import { extent } from '../../support/extent.ts';
import { surviveDamage, surviveHeaders } from '../support/damaged-stores.ts';

/**
 * Another seed tests other damage: SEED=7 DAMAGED=5000 npx vitest run --project long
 * test/store/sqlite/damage.long.test.ts
 */
const seed = Number(process.env.SEED ?? 2);
const stores = Number(process.env.DAMAGED ?? extent(15, 300));
const headerBits = 8 * 100;
/** Prime to eight, so that each change tests bits of every place in a byte. */
const step = extent(33, 1);

test(`${stores} corrupt stores open, and name what they lost`, async () => {
  await surviveDamage(stores, seed);
});

test('no bit of the header of the file is taken for another number, and each loss is named', async () => {
  const tested = Array.from({ length: Math.ceil(headerBits / step) }, (_, place) => place * step);
  await surviveHeaders(tested);
});
