import {
  type AlertCase,
  ofAccount,
  ofCheck,
  type QuietCase,
  series,
  target,
} from './alert-case.ts';

const perAccount = (name: string, labels: Record<string, string> = {}) =>
  series(name, labels, ofAccount);
const perTarget = (name: string, labels: Record<string, string> = {}) =>
  series(name, labels, target);

const transactionUp = series('uptime_transaction_up');
const hourly = series('uptime_transaction_hourly_average_response_time_seconds');
const available = perAccount('uptime_account_checks_available');
const limit = { [perAccount('uptime_account_check_limit')]: '50x200' };
const paused = perAccount('uptime_contacts', { contact_type: 'user', paused: 'true' });

const remaining = (window: string) =>
  perAccount('uptime_exporter_rate_limit_remaining', { window });
const size = (window: string) => perAccount('uptime_exporter_rate_limit_limit', { window });
const reset = {
  [perAccount('uptime_exporter_rate_limit_reset_timestamp_seconds', { window: 'long' })]:
    '2592000x700',
};
const dataset = (name: string, what: string) =>
  perAccount(`uptime_exporter_dataset_${what}`, { dataset: name });
const success = (name: string) => dataset(name, 'last_success_timestamp_seconds');
const attempt = (name: string) => dataset(name, 'last_attempt_timestamp_seconds');
const interval = (name: string) => dataset(name, 'interval_seconds');
const missing = (name: string) => dataset(name, 'missing_requests_per_second');
const errors = (reason: string, name = 'checks') =>
  perAccount('uptime_exporter_dataset_errors_total', { dataset: name, reason });
const accountUp = perAccount('uptime_up');

const unauthorized = {
  labels: { ...ofAccount, severity: 'critical' },
  summary: 'The service does not let the exporter read shop',
  description:
    'The last requests of account shop were refused: the service does not accept its credentials (401), or does not let them read the check list (403). Nothing is refreshed until the exporter has other credentials.',
};

export const otherCases: readonly AlertCase[] = [
  {
    alert: 'UptimeTransactionFailing',
    when: 'a transaction fails at its third step',
    input: {
      [transactionUp]: '1x2 0x9 1x20',
      [series('uptime_transaction_failing_step')]: '_x3 3x9 stale',
    },
    notYet: '4m',
    firing: '6m',
    resolved: '14m',
    fired: {
      labels: { ...ofCheck, severity: 'critical' },
      summary: 'Front page fails at step 3',
      description:
        'The transaction Front page (account shop) fails at step 3. It is not in maintenance.',
    },
  },
  {
    alert: 'UptimeTransactionFailing',
    when: 'a transaction fails and the step is not known',
    input: { [transactionUp]: '1x2 0x9 1x20' },
    notYet: '4m',
    firing: '6m',
    resolved: '14m',
    fired: {
      labels: { ...ofCheck, severity: 'critical' },
      summary: 'Front page fails',
      description:
        'The transaction Front page (account shop) fails; the step is not known. It is not in maintenance.',
    },
  },
  {
    alert: 'UptimeTransactionSlow',
    when: 'a transaction takes much longer than the day before',
    input: { [hourly]: '2x120 9x60 2x60' },
    notYet: '130m',
    firing: '140m',
    resolved: '190m',
    fired: {
      labels: { ...ofCheck, severity: 'warning' },
      summary: 'Front page is slower than usual',
      description:
        'The transaction Front page (account shop) took 9s on average of the last full hour: more than 1.5 times its average of the day before.',
    },
  },
  {
    alert: 'UptimeCreditsLow',
    when: '2 of 50 checks can be created',
    input: { ...limit, [available]: '10x2 2x90 10x20' },
    notYet: '62m',
    firing: '70m',
    resolved: '100m',
    fired: {
      labels: { ...ofAccount, severity: 'info' },
      summary: 'Account shop can create 2 more checks only',
      description: 'Less than 5 % of the checks that the plan of account shop allows are left.',
    },
  },
  {
    alert: 'UptimeSmsCreditsLow',
    when: 'five text messages are left',
    input: { [perAccount('uptime_account_sms_available')]: '30x2 5x60 130x9' },
    notYet: '32m',
    firing: '40m',
    resolved: '66m',
    fired: {
      labels: { ...ofAccount, severity: 'warning' },
      summary: 'Account shop can send 5 more text messages only',
      description:
        'When the text messages of account shop are used up, the service tells nobody by SMS any more. If it buys new ones by itself, that has not worked.',
    },
  },
  {
    alert: 'UptimeContactsPaused',
    when: 'the notifications of two contacts have been paused for a day',
    input: { [paused]: '2x1500 0x20' },
    notYet: '1439m',
    firing: '1450m',
    resolved: '1505m',
    fired: {
      labels: { ...ofAccount, severity: 'info' },
      summary: '2 contacts of account shop get no notifications',
      description: 'The notifications of 2 contacts of account shop are paused in the service.',
    },
  },
  {
    alert: 'UptimeExporterDown',
    when: 'the exporter cannot be scraped',
    input: { [perTarget('up')]: '1x2 0x9 1x9' },
    notYet: '7m',
    firing: '9m',
    resolved: '14m',
    fired: {
      labels: { ...target, severity: 'critical' },
      summary: 'The exporter exporter:9158 cannot be scraped',
      description:
        'Prometheus has not reached the exporter exporter:9158 for 5m. Nothing is known of its accounts; what was not counted meanwhile is made up for when it is back.',
    },
  },
  {
    alert: 'UptimeExporterAbsent',
    when: 'there is no target',
    input: { [perTarget('up')]: '_x15 1x20' },
    notYet: '9m',
    firing: '12m',
    resolved: '18m',
    fired: {
      labels: { job: 'uptime', severity: 'critical' },
      summary: 'No exporter is scraped at all',
      description: 'Prometheus has no target with the job uptime: nobody watches the checks.',
    },
  },
  {
    alert: 'UptimeExporterAccountUnreadable',
    when: 'the check list has never come and comes at last',
    input: { [accountUp]: '0x40 1x20' },
    notYet: '9m',
    firing: '11m',
    resolved: '42m',
    fired: {
      labels: { ...ofAccount, severity: 'critical' },
      summary: 'The checks of shop cannot be read',
      description:
        'For 10m no refresh of the check list of account shop has worked. Once the list is too old its series are withdrawn, and alerts that rest on them cannot fire.',
    },
  },
  {
    alert: 'UptimeExporterDataStale',
    when: 'the transactions are not refreshed',
    input: {
      [interval('transactions')]: '60x60',
      [success('transactions')]: '0+60x10 600x30 2520+60x9',
    },
    notYet: '20m',
    firing: '25m',
    resolved: '45m',
    fired: {
      labels: { ...ofAccount, dataset: 'transactions', severity: 'critical' },
      summary: 'The transactions of shop are out of date',
      description:
        'The dataset transactions of account shop was last refreshed 15m 0s ago, more than 3 times its planned interval. Its series are withdrawn, and alerts that rest on them cannot fire.',
    },
  },
  {
    alert: 'UptimeExporterDataStale',
    when: 'the credits are not refreshed',
    input: { [interval('credits')]: '900x90', [success('credits')]: '0x70 4260+60x9' },
    notYet: '50m',
    firing: '60m',
    resolved: '75m',
    fired: {
      labels: { ...ofAccount, dataset: 'credits', severity: 'warning' },
      summary: 'The credits of shop are out of date',
      description:
        'The dataset credits of account shop was last refreshed 1h 0m 0s ago, more than 3 times its planned interval. Its series are withdrawn, and alerts that rest on them cannot fire.',
    },
  },
  {
    alert: 'UptimeExporterApiBudgetLow',
    when: 'other clients eat up the reserve',
    input: { [size('short')]: '400x60', [remaining('short')]: '200x2 30x30 400x9' },
    notYet: '12m',
    firing: '15m',
    resolved: '36m',
    fired: {
      labels: { ...ofAccount, window: 'short', severity: 'warning' },
      summary: 'Account shop has few API requests left',
      description:
        'Only 7.5% of the short window of account shop are left. The exporter stops at its reserve, so other clients of the account spend the rest.',
    },
  },
  {
    alert: 'UptimeExporterApiBudgetExhaustionPredicted',
    when: 'the long window is spent too fast',
    input: { ...reset, [remaining('long')]: '50000-100x400 72000x60' },
    notYet: '389m',
    firing: '395m',
    resolved: '405m',
    fired: {
      labels: { ...ofAccount, window: 'long', severity: 'warning' },
      summary: 'Account shop will run out of API requests before the reset',
      description:
        'If the spending of the last 6 hours goes on, account shop has used up its long window before it is reset, and every client is refused until then.',
    },
  },
  {
    alert: 'UptimeExporterApiThrottled',
    when: 'the service answers 429',
    input: { [errors('rate_limited')]: '0x5 1x60' },
    firing: '8m',
    resolved: '25m',
    fired: {
      labels: { ...ofAccount, severity: 'warning' },
      summary: 'The service refuses requests of shop: limit reached',
      description:
        'The service answered 429 to requests of account shop within the last 15m. The exporter waits for the reset; nothing is refreshed meanwhile.',
    },
  },
  {
    alert: 'UptimeExporterBudgetTooSmall',
    when: 'the check list can be refreshed every ten minutes only',
    input: {
      [interval('checks')]: '60x2 600x90 60x9',
      [missing('checks')]: '0x2 0.0016666666666666668x90 0x9',
    },
    notYet: '62m',
    firing: '70m',
    resolved: '95m',
    fired: {
      labels: { ...ofAccount, dataset: 'checks', severity: 'warning' },
      summary: 'The API budget of shop is too small for checks',
      description:
        'The budget of account shop lacks 6.0 requests an hour to refresh the dataset checks often enough to be of use.',
    },
  },
  {
    alert: 'UptimeExporterUnauthorized',
    when: 'the token is not accepted any more',
    input: {
      [errors('unauthorized')]: '0x5 1x60',
      [attempt('checks')]: '0+60x62',
      [success('checks')]: '0+60x5 300x15 1320+60x40',
    },
    firing: '10m',
    resolved: '25m',
    fired: unauthorized,
  },
  {
    alert: 'UptimeExporterUnauthorized',
    when: 'the token was wrong from the start',
    input: {
      [errors('unauthorized')]: '1x60',
      [attempt('checks')]: '0+60x62',
      [success('checks')]: '_x22 1320+60x40',
    },
    firing: '2m',
    resolved: '25m',
    fired: unauthorized,
  },
  {
    alert: 'UptimeExporterUnauthorized',
    when: 'the token may read nothing from the start',
    input: {
      [errors('forbidden')]: '1+0.1x60',
      [errors('unauthorized')]: '0x60',
      [attempt('checks')]: '0+60x62',
      [success('checks')]: '_x22 1320+60x40',
    },
    firing: '2m',
    resolved: '25m',
    fired: unauthorized,
  },
  {
    alert: 'UptimeExporterClockWrong',
    when: "the exporter's clock is ahead, until it is set",
    input: { [perAccount('uptime_exporter_api_clock_offset_seconds')]: '0x5 -120x25 1x20' },
    notYet: '18m',
    firing: '22m',
    resolved: '34m',
    fired: {
      labels: { ...ofAccount, severity: 'warning' },
      summary: 'The clocks of exporter:9158 and of the service are apart',
      description:
        "The clock of the service is off that of the exporter exporter:9158 by 2m 0s, seen with account shop. When the exporter's is more than five minutes slow, its counters stand still until it is set.",
    },
  },
  {
    alert: 'UptimeExporterStoreFailing',
    when: 'writes fail',
    input: { [perTarget('uptime_exporter_store_errors_total')]: '0x5 3x60' },
    firing: '8m',
    resolved: '25m',
    fired: {
      labels: { ...target, severity: 'critical' },
      summary: 'The exporter exporter:9158 cannot store its counters',
      description:
        'Writes to the storage of the exporter exporter:9158 fail. It goes on serving what it had stored; counters stand still until a write works.',
    },
  },
  {
    alert: 'UptimeExporterConfigReloadFailed',
    when: 'a reload fails, until one works',
    input: { [perTarget('uptime_exporter_config_last_reload_successful')]: '1x2 0x17 1x10' },
    notYet: '6m',
    firing: '10m',
    resolved: '26m',
    fired: {
      labels: { ...target, severity: 'warning' },
      summary: 'The exporter exporter:9158 could not reload its configuration',
      description:
        'The last reading of the configuration of the exporter exporter:9158 failed, so that it still uses the former one. With what is in the file now it would not start.',
    },
  },
  {
    alert: 'UptimeExporterLabelLimitReached',
    when: 'a promoted label has too many values',
    input: {
      [perAccount('uptime_exporter_label_values_dropped_total', { label: 'team' })]: '0x2 4x20 0x9',
    },
    notYet: '7m',
    firing: '10m',
    resolved: '26m',
    fired: {
      labels: { ...ofAccount, label: 'team', severity: 'info' },
      summary: 'The label team of shop has too many values',
      description:
        '4 values of the promoted label team of account shop were left empty: alerts cannot be routed by it for those checks.',
    },
  },
];

export const quietOtherCases: readonly QuietCase[] = [
  {
    alert: 'UptimeTransactionFailing',
    when: 'the transaction is in maintenance',
    input: { [transactionUp]: '0x30', [series('uptime_transaction_in_maintenance')]: '1x30' },
    at: ['10m'],
  },
  {
    alert: 'UptimeTransactionFailing',
    when: 'the data were withdrawn as stale',
    input: { [transactionUp]: '0x1 stale' },
    at: ['3m', '10m'],
  },
  {
    alert: 'UptimeTransactionSlow',
    when: 'it is a little slower than usual',
    input: { [hourly]: '2x120 2.8x60' },
    at: ['150m'],
  },
  {
    alert: 'UptimeCreditsLow',
    when: 'a tenth of the checks is left',
    input: { ...limit, [available]: '5x120' },
    at: ['100m'],
  },
  {
    alert: 'UptimeSmsCreditsLow',
    when: 'the credits are not known',
    input: { [perAccount('uptime_account_sms_available')]: '5x9 stale' },
    at: ['60m'],
  },
  {
    alert: 'UptimeContactsPaused',
    when: 'no contact is paused',
    input: { [paused]: '0x1500' },
    at: ['1460m'],
  },
  {
    alert: 'UptimeExporterDown',
    when: 'the exporter restarts within two minutes',
    input: { [perTarget('up')]: '1x9 0x1 1x20' },
    at: ['11m', '16m'],
  },
  {
    alert: 'UptimeExporterAbsent',
    when: 'the exporter is down but known',
    input: { [perTarget('up')]: '0x30' },
    at: ['20m'],
  },
  {
    alert: 'UptimeExporterAccountUnreadable',
    when: 'a refresh fails now and then',
    input: { [accountUp]: '1x5 0x6 1x5 0x8 1x20' },
    at: ['11m', '20m', '25m', '40m'],
  },
  {
    alert: 'UptimeExporterDataStale',
    when: 'the check list is not refreshed: another alert says so',
    input: { [interval('checks')]: '60x60', [success('checks')]: '0x60', [accountUp]: '0x60' },
    at: ['20m', '40m'],
  },
  {
    alert: 'UptimeExporterDataStale',
    when: 'the plan allows a longer interval',
    input: { [interval('transactions')]: '1000x60', [success('transactions')]: '0x60' },
    at: ['40m'],
  },
  {
    alert: 'UptimeExporterDataStale',
    when: 'the exporter is back after twenty minutes and refreshes at once',
    input: {
      [interval('transactions')]: '60x10 stale _x20 60x20',
      [success('transactions')]: '0+60x10 stale _x20 1920+60x20',
    },
    at: ['20m', '33m', '40m'],
  },
  {
    alert: 'UptimeExporterApiBudgetLow',
    when: 'the exporter has spent all but its reserve',
    input: { [size('short')]: '400x60', [remaining('short')]: '80x60' },
    at: ['30m'],
  },
  {
    alert: 'UptimeExporterApiBudgetExhaustionPredicted',
    when: 'what is left lasts until the reset',
    input: { ...reset, [remaining('long')]: '50000-1x600' },
    at: ['500m'],
  },
  {
    alert: 'UptimeExporterApiBudgetExhaustionPredicted',
    when: 'the window has just been reset',
    input: { ...reset, [remaining('long')]: '10000x360 72000x300' },
    at: ['400m', '600m'],
  },
  {
    alert: 'UptimeExporterApiThrottled',
    when: 'requests fail for another reason',
    input: { [errors('timeout')]: '0+1x60', [errors('rate_limited')]: '0x60' },
    at: ['20m'],
  },
  {
    alert: 'UptimeExporterApiThrottled',
    when: 'the exporter restarts and counts from 0',
    input: { [errors('rate_limited')]: '5x20 0x30' },
    at: ['19m', '25m'],
  },
  {
    alert: 'UptimeExporterBudgetTooSmall',
    when: 'an account without transactions is looked at once an hour',
    input: {
      [interval('transactions')]: '3600x120',
      [missing('transactions')]: '0x120',
      [missing('checks')]: '0x120',
    },
    at: ['100m'],
  },
  {
    alert: 'UptimeExporterUnauthorized',
    when: 'the last refresh worked',
    input: {
      [errors('unauthorized')]: '0x2 1x60',
      [attempt('checks')]: '0+60x62',
      [success('checks')]: '0+60x62',
    },
    at: ['5m', '30m'],
  },
  {
    alert: 'UptimeExporterUnauthorized',
    when: 'the account does not include one dataset',
    input: {
      [errors('forbidden', 'teams')]: '1+0.1x60',
      [errors('forbidden')]: '0x60',
      [attempt('teams')]: '0+600x60',
      [attempt('checks')]: '0+60x62',
      [success('checks')]: '0+60x62',
    },
    at: ['5m', '30m'],
  },
  {
    alert: 'UptimeExporterClockWrong',
    when: 'a reply was slow',
    input: { [perAccount('uptime_exporter_api_clock_offset_seconds')]: '0x5 -30x40' },
    at: ['30m'],
  },
  {
    alert: 'UptimeExporterStoreFailing',
    when: 'the exporter restarts and counts from 0',
    input: { [perTarget('uptime_exporter_store_errors_total')]: '3x20 0x30' },
    at: ['19m', '25m'],
  },
  {
    alert: 'UptimeExporterConfigReloadFailed',
    when: 'reloads work',
    input: { [perTarget('uptime_exporter_config_last_reload_successful')]: '1x30' },
    at: ['20m'],
  },
  {
    alert: 'UptimeExporterLabelLimitReached',
    when: 'no value was dropped',
    input: {
      [perAccount('uptime_exporter_label_values_dropped_total', { label: 'team' })]: '0x30',
    },
    at: ['20m'],
  },
];
