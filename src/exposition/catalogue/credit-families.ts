import type { AccountFamily } from './family.ts';
import { accountFamiliesOf } from './row-families.ts';

const list = accountFamiliesOf('credits');

/** The limits of the account's plan, and the credits that are left. */
export const creditFamilies: readonly AccountFamily[] = [
  list.value(
    'uptime_account_check_limit',
    "Checks that the account's plan allows.",
    'credits',
    ({ checkLimit }) => checkLimit,
  ),
  list.value(
    'uptime_account_checks_available',
    'Checks that can still be created.',
    'credits',
    ({ checksAvailable }) => checksAvailable,
  ),
  list.values(
    'uptime_account_checks_used',
    'Checks in use by kind.',
    'credits',
    ['kind'],
    (credits, emit) => {
      emit(credits.defaultChecksUsed, 'default');
      emit(credits.transactionChecksUsed, 'transaction');
    },
  ),
  list.value(
    'uptime_account_sms_available',
    'Text messages that can still be sent.',
    'credits',
    ({ smsAvailable }) => smsAvailable,
  ),
  list.value(
    'uptime_account_sms_tests_available',
    'Test text messages that can still be sent.',
    'credits',
    ({ smsTestsAvailable }) => smsTestsAvailable,
  ),
  list.value(
    'uptime_account_sms_autofill_enabled',
    '1 when text messages are bought automatically, else 0.',
    'credits',
    ({ smsAutofillEnabled }) => smsAutofillEnabled,
  ),
  list.value(
    'uptime_account_sms_autofill_amount',
    'Text messages bought at a time.',
    'credits',
    ({ smsAutofillAmount }) => smsAutofillAmount,
  ),
  list.value(
    'uptime_account_sms_autofill_threshold',
    'Remaining text messages at which more are bought.',
    'credits',
    ({ smsAutofillThreshold }) => smsAutofillThreshold,
  ),
  list.value(
    'uptime_account_sms_overage_limit',
    'Text messages that may be sent beyond the plan; absent when overage is off.',
    'credits',
    ({ smsOverageLimit }) => smsOverageLimit,
  ),
  list.value(
    'uptime_account_rum_sites_available',
    'Real-user-monitoring sites that can still be created.',
    'credits',
    ({ rumSitesAvailable }) => rumSitesAvailable,
  ),
  list.value(
    'uptime_account_rum_sites_used',
    'Real-user-monitoring sites in use.',
    'credits',
    ({ rumSitesUsed }) => rumSitesUsed,
  ),
  list.value(
    'uptime_account_rum_filters_limit',
    'Filters allowed for each real-user-monitoring site.',
    'credits',
    ({ rumFiltersLimit }) => rumFiltersLimit,
  ),
  list.value(
    'uptime_account_rum_pageviews_limit',
    'Real-user-monitoring page views that the plan allows.',
    'credits',
    ({ rumPageviewsLimit }) => rumPageviewsLimit,
  ),
];
