import type { AccountStatus } from '../ports.ts';
import { isStale, itemsOfAccount } from './items.ts';

/** A form offers this many tags. */
export const maxOfferedTags = 60;
const itemsPerStep = 1_024;

/**
 * Returns the most common tags of all fresh items, in order of their names.
 *
 * @param yieldIfDue awaited after each step
 */
export async function commonTags(
  accounts: readonly AccountStatus[],
  yieldIfDue: () => Promise<void>,
): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  let place = 0;
  for (const status of accounts) {
    for (const item of itemsOfAccount(status)) {
      if (place++ % itemsPerStep === 0) await yieldIfDue();
      if (isStale(item)) continue;
      for (const { name } of item.tags) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  await yieldIfDue();
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxOfferedTags)
    .map(([name]) => name)
    .sort();
}
