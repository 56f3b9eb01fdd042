import request from 'supertest';
import type { AccountStatus } from '../../../src/http/ports.ts';
import type { CheckRow } from '../../../src/state/snapshot.ts';
import { testApp } from '../../support/http-app.ts';
import { livelyAccount } from '../../support/lively-account.ts';
import { accountWith, datasetWith } from '../../support/snapshots.ts';

export const account = livelyAccount(12);
/** Another account with the same ids; its name has a slash, a blank and an umlaut. */
export const other = accountWith(account, { account: 'a/b ü' });

export const app = (...accounts: readonly AccountStatus[]) => request(testApp({ accounts }));
/** The account with these changes of its checks. */
export const changed = (change: (check: CheckRow) => Partial<CheckRow>) =>
  accountWith(account, {
    checks: (account.snapshot.checks ?? []).map((check) => ({ ...check, ...change(check) })),
  });
/** Its list of checks is too old. */
export const stale = accountWith(account, {
  datasets: { ...account.snapshot.datasets, checks: datasetWith({ stale: true }) },
});
