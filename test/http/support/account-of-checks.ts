import { itemsOf } from '../../../src/http/common/items.ts';
import type { AccountStatus } from '../../../src/http/ports.ts';
import type { ItemPast } from '../../../src/state/items/item-past.ts';
import type { CheckRow } from '../../../src/state/snapshot.ts';
import { checkWith, healthyAccount } from '../../support/snapshots.ts';

export type Row = Partial<CheckRow> & Pick<CheckRow, 'id'>;

/** An account with these checks and what is known of their past. */
export function accountOf(rows: readonly Row[], past: (id: number) => ItemPast | undefined) {
  const checks = rows.map(checkWith);
  const status: AccountStatus = {
    ...healthyAccount({ checks }),
    past: { ofCheck: past, ofTransaction: () => undefined },
  };
  return { status, items: itemsOf([status]) };
}

/** Of a check whose past was not read. */
export const unread: ItemPast = { outages: [], isPartial: true };
