import type { AdminAction } from './admin-action.ts';
import { budgetActions } from './budget-actions.ts';
import { faultActions } from './fault-actions.ts';
import { outageActions } from './outage-actions.ts';
import { truthActions } from './truth-actions.ts';

/** Everything the admin listener does, in the order of its index. */
export const adminActions: readonly AdminAction[] = [
  ...faultActions,
  ...outageActions,
  ...budgetActions,
  ...truthActions,
];
