import {
  type ExporterView,
  exporterFamily,
  lean,
  type SampledFamily,
  type SharedAccount,
} from './family.ts';

/** The exporter's own state over all accounts: removed accounts, and the leases of shared ones. */
export const exporterViewFamilies: readonly SampledFamily<ExporterView>[] = [
  {
    ...exporterFamily(
      'account_removed',
      '1 for 25 hours after the account was removed from the configuration.',
      ['account'],
    ),
    samples: ({ removedAccounts }, { emit }) => {
      for (const account of removedAccounts) emit(1, account);
    },
  },
  lease(
    'lease_held',
    '1 if this replica owns the account, else 0. Absent if accounts are not shared.',
    ({ isHeld }) => isHeld,
  ),
  lease(
    'lease_epoch',
    'Number of times that a replica has taken the account; only on its owner.',
    ({ isHeld, number = 0 }) => (isHeld ? number : undefined),
  ),
  lease(
    'lease_expired_takes_total',
    'Times that this replica has taken the account from an owner that had not released it. Absent if accounts are not shared.',
    ({ expiredTakes }) => expiredTakes,
  ),
  lean(
    'nothing',
    lease(
      'lease_remaining_seconds',
      'How long the owner may serve the account without another renewal.',
      ({ isHeld, remainingSeconds }) => (isHeld ? remainingSeconds : undefined),
    ),
  ),
  {
    ...exporterFamily(
      'database_up',
      '1 if the last attempt to renew and read the leases succeeded, else 0. Absent if accounts are not shared.',
    ),
    samples: ({ leases }, { emit }) => emit(leases?.isDatabaseUp),
  },
];

function lease(
  suffix: string,
  help: string,
  value: (account: SharedAccount) => number | boolean | undefined,
): SampledFamily<ExporterView> {
  return {
    ...exporterFamily(suffix, help, ['account']),
    samples: ({ leases }, { emit }) => {
      for (const shared of leases?.accounts ?? []) emit(value(shared), shared.account);
    },
  };
}
