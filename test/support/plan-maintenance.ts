import type { World } from '../../sandbox/src/account/world.ts';

interface Planned {
  /** UNIX seconds. */
  readonly from: number;
  readonly to: number;
  /** Checks. */
  readonly uptimeids: readonly number[];
  /** Transactions. */
  readonly tmsids?: readonly number[];
  readonly description?: string;
}

/** Plans maintenance that happens once. Returns the identifier of its window. */
export function planMaintenance({ maintenance }: Pick<World, 'maintenance'>, planned: Planned) {
  const once = { recurrencetype: 'none', repeatevery: 0, effectiveto: planned.to } as const;
  return maintenance.add({ description: 'Patches', tmsids: [], ...planned, ...once });
}
