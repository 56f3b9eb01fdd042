import { SharedLedger } from '../budget/shared-ledger.ts';
import type { AccountSettings } from '../config/account.ts';
import { haveEqualCredentials } from '../config/equal-credentials.ts';
import type { Clock } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';

interface LedgerOfAccounts {
  readonly ledger: SharedLedger;
  readonly accounts: Set<AccountSettings>;
}

/** The ledgers of the accounts that this process runs: one for each set of credentials. */
export class SharedLedgers {
  readonly #options: { readonly clock: Clock; readonly random: Random };
  /** The newest first. */
  #ledgers: readonly LedgerOfAccounts[] = [];

  constructor(options: { readonly clock: Clock; readonly random: Random }) {
    this.#options = options;
  }

  /**
   * The ledger of the other accounts with these credentials, or a new one. An account that replaces
   * itself under other settings restores what it has stored.
   */
  join(settings: AccountSettings): SharedLedger {
    const shared = this.#ledgers.find(({ accounts }) =>
      [...accounts].some(
        (one) => one.name !== settings.name && haveEqualCredentials(one, settings),
      ),
    );
    const joined = shared ?? { ledger: new SharedLedger(this.#options), accounts: new Set() };
    joined.accounts.add(settings);
    if (shared === undefined) this.#ledgers = [joined, ...this.#ledgers];
    return joined.ledger;
  }

  leave(settings: AccountSettings): void {
    for (const { accounts } of this.#ledgers) accounts.delete(settings);
    this.#ledgers = this.#ledgers.filter(({ accounts }) => accounts.size > 0);
  }
}
