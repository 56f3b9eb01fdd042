import type { ItemKind } from '../store/store.ts';

/** A check or a transaction of an account. */
export interface Subject {
  readonly kind: ItemKind;
  readonly id: number;
}

export function keyOf({ kind, id }: Subject): string {
  return `${kind} ${id}`;
}
