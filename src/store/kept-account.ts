import { type ItemRecords, KeptItems } from './kept-items.ts';
import type { ItemKind, Json } from './store.ts';

/** What the records of each kind of items are called. */
export const recordNames = {
  check: { states: 'check states', extras: 'check' },
  transaction: { states: 'transaction states', extras: 'transaction' },
} as const;

export type KeptAccount = { readonly [K in ItemKind]: KeptItems };

/** What a record holds and its identifier or name. */
export type NamedRecord = readonly [holds: string, id: string | number, value: Json];

/** The items among the records of an account. Throws when a record is not what was written. */
export function keptAccount(records: readonly NamedRecord[]): KeptAccount {
  const read = (kind: ItemKind) => {
    const named = (name: keyof ItemRecords) =>
      records.flatMap(([holds, id, value]): [number, Json][] =>
        holds === recordNames[kind][name] ? [[Number(id), value]] : [],
      );
    return new KeptItems({ states: named('states'), extras: named('extras') });
  };
  return { check: read('check'), transaction: read('transaction') };
}

/** The items of an account that has none yet. */
export function newAccount(): KeptAccount {
  return keptAccount([]);
}
