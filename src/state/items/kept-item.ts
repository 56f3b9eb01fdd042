import type { Mutable } from '../../lib/present.ts';
import { ItemMemory } from './item-memory.ts';
import type { Details, ItemRecord, ItemRows, RowItem } from './item-rows.ts';
import type { Slot } from './slots.ts';

export interface NamedEntry {
  readonly id: number;
  readonly name: string;
  readonly tags?: readonly unknown[];
  readonly status?: string;
  readonly active?: boolean;
}

/** How the store has the totals of an item that no refresh has changed since. */
export type Stored = 'as it is' | 'otherwise' | 'never';

export type ItemData<E extends NamedEntry, T, F> = Omit<ItemRecord<E, T, F>, keyof ItemMemory>;

/** Everything that is known of an item. A class, because objects that are composed take more memory. */
export class KeptItem<E extends NamedEntry, T, F extends object, R extends object>
  extends ItemMemory
  implements Mutable<ItemRecord<E, T, F>>, Slot
{
  readonly slot: number;
  readonly generation: number;
  entry: E;
  totals: T;
  details: Details<F>;
  readonly row: RowItem<E, T, F, R>;
  stored: Stored;
  /**
   * The last list lacked the item: the time of the first complete list that did, in UNIX seconds;
   * infinite if every list that did was incomplete.
   */
  missingSince: number | undefined;

  constructor(
    data: ItemData<E, T, F>,
    stored: Stored,
    { slot, generation }: Slot,
    rows: ItemRows<E, T, F, R>,
  ) {
    super();
    this.slot = slot;
    this.generation = generation;
    this.entry = data.entry;
    this.totals = data.totals;
    this.details = data.details;
    this.stored = stored;
    this.missingSince = undefined;
    this.row = rows.add(this);
  }
}
