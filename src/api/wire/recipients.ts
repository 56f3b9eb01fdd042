import { type RecipientCounts, recipientKinds } from '../../domain/check-detail.ts';

/** How many recipients of each kind the lists of a check or a transaction hold. */
export function countRecipients(
  lists: {
    readonly [K in keyof RecipientCounts]: unknown;
  },
): RecipientCounts {
  return Object.fromEntries(
    recipientKinds.flatMap((kind) => {
      const list = lists[kind];
      return Array.isArray(list) ? [[kind, list.length]] : [];
    }),
  );
}
