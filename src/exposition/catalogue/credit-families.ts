import type { Credits } from '../../domain/account.ts';
import { type AccountFamily, lean } from './family.ts';
import { accountFamiliesOf } from './row-families.ts';

const list = accountFamiliesOf('credits');

/** The limits of the account's plan, and the credits that are left. */
export const creditFamilies: readonly AccountFamily[] = [
  credit('check_limit', "Checks that the account's plan allows.", 'checkLimit'),
  credit('checks_available', 'Checks that can still be created.', 'checksAvailable'),
  lean(
    'nothing',
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
  ),
  credit('sms_available', 'Text messages that can still be sent.', 'smsAvailable'),
  lean(
    'nothing',
    credit(
      'sms_tests_available',
      'Test text messages that can still be sent.',
      'smsTestsAvailable',
    ),
  ),
  credit(
    'sms_autofill_enabled',
    '1 when text messages are bought automatically, else 0.',
    'smsAutofillEnabled',
  ),
  lean(
    'nothing',
    credit('sms_autofill_amount', 'Text messages bought at a time.', 'smsAutofillAmount'),
  ),
  lean(
    'nothing',
    credit(
      'sms_autofill_threshold',
      'Remaining text messages at which more are bought.',
      'smsAutofillThreshold',
    ),
  ),
  lean(
    'nothing',
    credit(
      'sms_overage_limit',
      'Text messages that may be sent beyond the plan; absent when overage is off.',
      'smsOverageLimit',
    ),
  ),
  lean(
    'nothing',
    credit(
      'rum_sites_available',
      'Real-user-monitoring sites that can still be created.',
      'rumSitesAvailable',
    ),
  ),
  lean('nothing', credit('rum_sites_used', 'Real-user-monitoring sites in use.', 'rumSitesUsed')),
  lean(
    'nothing',
    credit(
      'rum_filters_limit',
      'Filters allowed for each real-user-monitoring site.',
      'rumFiltersLimit',
    ),
  ),
  lean(
    'nothing',
    credit(
      'rum_pageviews_limit',
      'Real-user-monitoring page views that the plan allows.',
      'rumPageviewsLimit',
    ),
  ),
];

function credit(suffix: string, help: string, field: keyof Credits): AccountFamily {
  return list.value(`uptime_account_${suffix}`, help, 'credits', (credits) => credits[field]);
}
