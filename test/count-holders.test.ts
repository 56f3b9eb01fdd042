import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, '..', 'scripts', 'count-holders.mjs');

/**
 * What else is kept of an item is a field of its record (src/state/items/item-memory.ts), and leaves
 * with it.
 */
test('up to the state, items are found by their ids in these files alone', () => {
  const lines = execFileSync(process.execPath, [script], { encoding: 'utf8' }).split('\n');
  const files = lines
    .filter((line) => /^(?:tally|slo|state)\//.test(line))
    .map((line) => line.split(':', 1)[0]);
  expect(files).toEqual([
    // The changes of one call.
    'slo/outages.ts',
    'state/items/item-store.ts',
    // Items that have left.
    'state/items/removed-items.ts',
    // As the service lists it, also of items that no list has.
    'state/maintenance.ts',
    // Until the next write.
    'state/stored-account.ts',
  ]);
});
