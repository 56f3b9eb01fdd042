import { test } from 'vitest';
import { surviveDamage, surviveHeaders } from '../support/damaged-stores.ts';

/**
 * Another seed tests other damage: SEED=7 DAMAGED=5000 npx vitest run --project long
 * test/store/sqlite/damage.long.test.ts
 */
const seed = Number(process.env.SEED ?? 2);
const stores = Number(process.env.DAMAGED ?? 300);
const headerBits = 8 * 100;

test(`${stores} corrupt stores open, show what they lost, and keep what was not touched`, async () => {
  await surviveDamage(stores, seed);
});

test('no bit of the header of the file costs a record', async () => {
  await surviveHeaders(Array.from({ length: headerBits }, (_, bit) => bit));
});
