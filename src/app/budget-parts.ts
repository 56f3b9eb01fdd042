import type { AccountSettings } from '../config/account.ts';
import { accountsWithEqualCredentials } from '../config/equal-credentials.ts';

/** The part of one account in a request budget. */
export interface BudgetPart {
  /** From 0 to 1; 1 if the account has the budget for itself. */
  readonly share: number;
  /** The names of the other accounts. */
  readonly sharedWith: readonly string[];
}

const whole: BudgetPart = { share: 1, sharedWith: [] };
/** A small account plans like one of this part of the largest, so that its lists are not rare. */
const leastPart = 0.1;

/**
 * Divides the budget of accounts with equal credentials, in proportion to their numbers of checks
 * and transactions. An account whose size is not known here, because it was not read yet or another
 * replica has it, counts like the mean of the others.
 */
export class BudgetParts {
  readonly groups: readonly (readonly string[])[];
  readonly #sizeOf: (account: string) => number | undefined;

  constructor(
    accounts: readonly AccountSettings[],
    sizeOf: (account: string) => number | undefined,
  ) {
    this.groups = accountsWithEqualCredentials(accounts);
    this.#sizeOf = sizeOf;
  }

  of(account: string): BudgetPart {
    const group = this.groups.find((names) => names.includes(account));
    if (group === undefined) return whole;
    const sizes = new Map(group.map((name) => [name, this.#sizeOf(name)]));
    const read = [...sizes.values()].filter((size) => size !== undefined);
    const mean = read.reduce((sum, size) => sum + size, 0) / Math.max(1, read.length);
    const least = Math.max(1, leastPart * Math.max(mean, ...read));
    const weightOf = (name: string) => Math.max(least, sizes.get(name) ?? mean);
    const total = group.reduce((sum, name) => sum + weightOf(name), 0);
    return {
      share: weightOf(account) / total,
      sharedWith: group.filter((name) => name !== account),
    };
  }
}
