import { test } from 'vitest';
import { surviveDamage } from '../support/damaged-stores.ts';

/** Another seed finds other damage: SEED=7 DAMAGED=5000 npx vitest run --project long test/store/sqlite/damage.long.test.ts */
const seed = Number(process.env.SEED ?? 2);
const stores = Number(process.env.DAMAGED ?? 600);

test(`${stores} damaged stores open, say what they lost, and keep the rest`, async () => {
  await surviveDamage(stores, seed);
});
