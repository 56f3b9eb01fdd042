import { isDeepStrictEqual } from 'node:util';
import type { AccountSnapshot } from '../../state/account-snapshot.ts';
import { type DroppedValues, droppedValues } from './dropped-values.ts';
import type { LabelPolicy } from './label-policy.ts';
import { RowLabels } from './row-labels.ts';

/** The labels of one account's checks and transactions; immutable. */
export interface AccountLabels {
  readonly checks: RowLabels;
  readonly transactions: RowLabels;
  readonly dropped: DroppedValues;
  readonly policy: LabelPolicy;
}

/** The former labels themselves when they still hold. */
export function accountLabels(
  policy: LabelPolicy,
  { account, checks = [], transactions = [] }: AccountSnapshot,
  former?: AccountLabels,
): AccountLabels {
  const dropped = droppedValues(policy, [...checks, ...transactions]);
  if (former?.policy === policy && isDeepStrictEqual(former.dropped, dropped)) return former;
  const ofTags = policy.labels.filter(({ reads }) => reads === 'tags');
  return {
    checks: new RowLabels(account, policy.labels, dropped),
    transactions: new RowLabels(account, ofTags, dropped),
    dropped,
    policy,
  };
}
