import { type CheckStatus, type CheckType, checkStatuses } from '../../domain/check.ts';
import type { Credits } from '../../domain/credits.ts';
import type { AccountSnapshot } from '../../state/account-snapshot.ts';
import type { AccountFamily, Emit, SampleValue } from './family.ts';

/** Every family with series for the account as a whole. */
export const accountFamilies: readonly AccountFamily[] = [
  {
    ...gauge('uptime_up', '1 when the last refresh of the check list worked and is not stale.'),
    dataset: 'checks',
    samples: ({ up }, emit) => emit(up),
  },
  {
    ...gauge(
      'uptime_account_info',
      'How the account is read; always 1.',
      'api_version',
      'base_url',
    ),
    samples: ({ apiVersion, baseUrl }, emit) => emit(1, apiVersion, baseUrl),
  },
  {
    ...gauge('uptime_checks', 'Checks by type and status.', 'check_type', 'status'),
    dataset: 'checks',
    samples: countChecks,
  },
  credit(
    'uptime_account_check_limit',
    'Checks that the plan of the account allows.',
    (credits) => credits.checkLimit,
  ),
  credit(
    'uptime_account_checks_available',
    'Checks that can still be created.',
    (credits) => credits.checksAvailable,
  ),
  {
    ...gauge('uptime_account_checks_used', 'Checks in use by kind.', 'kind'),
    dataset: 'credits',
    samples: ({ credits }, emit) => {
      emit(credits?.defaultChecksUsed, 'default');
      emit(credits?.transactionChecksUsed, 'transaction');
    },
  },
  credit(
    'uptime_account_sms_available',
    'Text messages that can still be sent.',
    (credits) => credits.smsAvailable,
  ),
  credit(
    'uptime_account_sms_tests_available',
    'Test text messages that can still be sent.',
    (credits) => credits.smsTestsAvailable,
  ),
  credit(
    'uptime_account_sms_autofill_enabled',
    '1 when text messages are bought automatically, else 0.',
    (credits) => credits.smsAutofillEnabled,
  ),
  credit(
    'uptime_account_sms_autofill_amount',
    'Text messages that are bought at once.',
    (credits) => credits.smsAutofillAmount,
  ),
  credit(
    'uptime_account_sms_autofill_threshold',
    'Text messages left at which more are bought.',
    (credits) => credits.smsAutofillThreshold,
  ),
  credit(
    'uptime_account_sms_overage_limit',
    'Text messages that may be sent beyond the plan; absent when overage is off.',
    (credits) => credits.smsOverageLimit,
  ),
  credit(
    'uptime_account_rum_sites_available',
    'Real-user-monitoring sites that can still be created.',
    (credits) => credits.rumSitesAvailable,
  ),
  credit(
    'uptime_account_rum_sites_used',
    'Real-user-monitoring sites in use.',
    (credits) => credits.rumSitesUsed,
  ),
  credit(
    'uptime_account_rum_filters_limit',
    'Filters allowed for each real-user-monitoring site.',
    (credits) => credits.rumFiltersLimit,
  ),
  credit(
    'uptime_account_rum_pageviews_limit',
    'Real-user-monitoring page views that the plan allows.',
    (credits) => credits.rumPageviewsLimit,
  ),
];

function gauge(name: string, help: string, ...labels: readonly string[]) {
  return { name, type: 'gauge', help, commonLabels: ['account'], labels } as const;
}

function credit(
  name: string,
  help: string,
  value: (credits: Credits) => SampleValue,
): AccountFamily {
  return {
    ...gauge(name, help),
    dataset: 'credits',
    samples: ({ credits }, emit) => emit(credits && value(credits)),
  };
}

/** Each type that occurs with every status, so that a count falls to 0 and does not vanish. */
function countChecks({ checks = [] }: AccountSnapshot, emit: Emit): void {
  const counts = new Map<CheckType, Map<CheckStatus, number>>();
  for (const { type, status } of checks) {
    const ofType = counts.get(type) ?? new Map<CheckStatus, number>();
    counts.set(type, ofType.set(status, (ofType.get(status) ?? 0) + 1));
  }
  for (const [type, ofType] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const status of checkStatuses) emit(ofType.get(status) ?? 0, type, status);
  }
}
