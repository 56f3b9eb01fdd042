import { onTestFinished } from 'vitest';
import type { AccountSettings } from '../../src/config/account.ts';
import { Holders } from '../support/holders.ts';
import { World } from './world.ts';

const hour = 3_600;

/** A list may come two hours after the one before. */
export const lists = {
  checks: { floorSeconds: 2 * hour },
  transactions: { floorSeconds: 2 * hour },
};

/** A world of checks and transactions, with all maps and sets that its exporter makes. */
export function lived(items: number, hourlyRequests: number) {
  const holders = new Holders();
  const world = World.inMemory({
    checks: Math.round(0.8 * items),
    transactions: Math.round(0.2 * items),
    shortLimit: hourlyRequests,
    longLimit: 720 * hourlyRequests,
    batchIntervalMilliseconds: hour * 1000,
    datasets: lists,
  });
  onTestFinished(async () => {
    await world.stop();
    holders.end();
  });
  const { registry, transactions } = world.sandbox.world;
  const all = [...registry.all, ...transactions.all].map(({ id }) => id);
  return { holders, world, registry, transactions, all };
}

export function excluding(ids: readonly number[]): Partial<AccountSettings> {
  const excluded = new Set(ids);
  return { filter: ({ id }) => !excluded.has(id) };
}
