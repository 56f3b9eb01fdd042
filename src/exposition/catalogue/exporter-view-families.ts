import type { ExporterView, SampledFamily, SharedAccount } from './family.ts';

/** The exporter's own state over all accounts: removed accounts, and the leases of shared ones. */
export const exporterViewFamilies: readonly SampledFamily<ExporterView>[] = [
  family(
    'account_removed',
    '1 for 25 hours after the account was removed from the configuration.',
    ['account'],
    ({ removedAccounts }, { emit }) => {
      for (const account of removedAccounts) emit(1, account);
    },
  ),
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
  lease(
    'lease_remaining_seconds',
    'How long the owner may serve the account without another renewal.',
    ({ isHeld, remainingSeconds }) => (isHeld ? remainingSeconds : undefined),
  ),
  family(
    'database_up',
    '1 if the last attempt to renew and read the leases succeeded, else 0. Absent if accounts are not shared.',
    [],
    ({ leases }, { emit }) => emit(leases?.isDatabaseUp),
  ),
];

/** A counter if its name says so, otherwise a gauge. */
function family(
  suffix: string,
  help: string,
  labels: readonly string[],
  samples: SampledFamily<ExporterView>['samples'],
): SampledFamily<ExporterView> {
  const type = suffix.endsWith('_total') ? 'counter' : 'gauge';
  return { name: `uptime_exporter_${suffix}`, type, help, commonLabels: [], labels, samples };
}

function lease(
  suffix: string,
  help: string,
  value: (account: SharedAccount) => number | boolean | undefined,
): SampledFamily<ExporterView> {
  return family(suffix, help, ['account'], ({ leases }, { emit }) => {
    for (const shared of leases?.accounts ?? []) emit(value(shared), shared.account);
  });
}
