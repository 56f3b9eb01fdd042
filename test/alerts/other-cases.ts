import {
  type AlertCase,
  ofAccount,
  ofCheck,
  perAccount,
  perTarget,
  type QuietCase,
  readable,
  series,
  target,
} from './alert-case.ts';

const hourly = series('uptime_transaction_hourly_average_response_time_seconds');
const available = perAccount('uptime_account_checks_available');
const limit = { [perAccount('uptime_account_check_limit')]: '50x200' };
const paused = perAccount('uptime_contacts', { contact_type: 'user', paused: 'true' });

const remaining = (window: string) =>
  perAccount('uptime_exporter_rate_limit_remaining', { window });
const reset = {
  [perAccount('uptime_exporter_rate_limit_reset_timestamp_seconds', { window: 'long' })]:
    '2592000x700',
};
const accountUp = perAccount('uptime_up');

const stale = (name: string) => perAccount('uptime_exporter_dataset_stale', { dataset: name });
const tried = (name: string) => ({
  [perAccount('uptime_exporter_dataset_interval_seconds', { dataset: name })]: '60x200',
  [perAccount('uptime_exporter_dataset_last_attempt_timestamp_seconds', { dataset: name })]:
    '0+60x200',
});
const missing = (name: string) =>
  perAccount('uptime_exporter_dataset_missing_requests_per_second', { dataset: name });
const errors = (reason: string, name = 'checks') =>
  perAccount('uptime_exporter_dataset_errors_total', { dataset: name, reason });
const budgetPaused = perAccount('uptime_exporter_budget_paused');
const rejected = perAccount('uptime_exporter_rejected_entries_total', {
  dataset: 'checks',
  reason: 'name',
});
const otherExporter = { ...ofAccount, instance: 'other:9158' };

const unauthorized = {
  labels: { ...ofAccount, severity: 'critical' },
  summary: 'The service rejects the credentials of shop',
  description:
    'The service rejects the credentials of account shop (401), or does not let them read the check list (403). Nothing will be refreshed until the exporter gets new credentials; alerts about checks that were down stay open.',
};

export const otherCases: readonly AlertCase[] = [
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
        'The transaction Front page (account shop) took 9s on average of the last full hour, more than 1.5 times its average of the day before.',
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
      summary: 'Account shop can create only 2 more checks',
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
      summary: 'Account shop can send only 5 more text messages',
      description:
        'When the text messages of account shop are used up, the service stops sending SMS. If it is set to buy more, that has not worked.',
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
      description:
        'The notifications of 2 contacts of account shop have been paused in the service for a day.',
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
      summary: 'The uptime exporter exporter:9158 is down',
      description:
        'Prometheus has failed to scrape the exporter exporter:9158 for 5 minutes. Nobody is watching its accounts; alerts about checks that were down stay open. When the exporter is back, it fills the gap in its counters.',
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
      summary: 'No uptime exporter is being scraped',
      description:
        'Prometheus has had no target with the job uptime for 10 minutes: nobody watches the checks.',
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
        'The exporter has failed to read the check list of account shop for 10 minutes. New outages go unnoticed; alerts about checks that were down stay open.',
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
      labels: { ...ofAccount, window: 'long', severity: 'info' },
      summary: 'Account shop will run out of API requests before the reset',
      description:
        'If the spending of the last 6 hours goes on, the long window of account shop is used up before it resets. The exporter slows down by itself; another client does not.',
    },
  },
  {
    alert: 'UptimeExporterClockWrong',
    when: "the exporter's clock is ahead, until it is set",
    input: { [perAccount('uptime_exporter_api_clock_offset_seconds')]: '0x5 -120x25 1x20' },
    notYet: '18m',
    firing: '22m',
    resolved: '34m',
    fired: {
      labels: { ...target, severity: 'warning' },
      summary: 'The clock of exporter:9158 is wrong',
      description:
        "The clock of the exporter exporter:9158 and the service's differ by 2m 0s. Counters go by the service's clock and are right; ages and forecasts are off by as much.",
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
        'Writes to the storage of the exporter exporter:9158 have failed in the last 15 minutes. It serves what it had stored; counters are paused until a write works.',
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
        'The last reload of the configuration of the exporter exporter:9158 failed, so it still uses the former one. It would not start with what is in the file now.',
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
        '4 values of the promoted label team of account shop were left empty: alerts of those checks cannot be routed by it.',
    },
  },
  {
    alert: 'UptimeExporterDataStale',
    when: 'the transactions are not refreshed',
    input: { ...readable, ...tried('transactions'), [stale('transactions')]: '0x20 1x30 0x9' },
    notYet: '29m',
    firing: '32m',
    resolved: '55m',
    fired: {
      labels: { ...ofAccount, dataset: 'transactions', severity: 'critical' },
      summary: 'The transactions of shop are out of date',
      description:
        'The dataset transactions of account shop has not been refreshed for three of its planned intervals, or never, although the check list is. Its series are withdrawn.',
    },
  },
  {
    alert: 'UptimeExporterDataStale',
    when: 'the credits have never come',
    input: { ...readable, ...tried('credits'), [stale('credits')]: '1x60 0x20' },
    notYet: '29m',
    firing: '32m',
    resolved: '65m',
    fired: {
      labels: { ...ofAccount, dataset: 'credits', severity: 'warning' },
      summary: 'The credits of shop are out of date',
      description:
        'The dataset credits of account shop has not been refreshed for three of its planned intervals, or never, although the check list is. Its series are withdrawn.',
    },
  },
  {
    alert: 'UptimeExporterBudgetPaused',
    when: 'other clients spend the budget, and single requests try',
    input: { [accountUp]: '1x20 0x60', [budgetPaused]: '0x5 1x25 0x1 1x10 0x30' },
    notYet: '14m',
    firing: '33m',
    resolved: '55m',
    fired: {
      labels: { ...ofAccount, severity: 'critical' },
      summary: 'Account shop is out of API requests',
      description:
        "The exporter has sent no requests for account shop for 10 minutes: only the reserve for other clients is left, or the service answered 429. Another client is using up the account's requests. Nothing will be refreshed until the limit resets; alerts about checks that were down stay open.",
    },
  },
  {
    alert: 'UptimeExporterBudgetTooSmall',
    when: 'two datasets are refreshed too seldom',
    input: {
      [missing('checks')]: '0x2 0.0016666666666666668x90 0x9',
      [missing('results')]: '0x2 0.01x90 0x9',
      [missing('probes')]: '0x101',
    },
    notYet: '62m',
    firing: '70m',
    resolved: '95m',
    fired: {
      labels: { ...ofAccount, severity: 'info' },
      summary: 'The API budget of shop is too small',
      description:
        '42 more requests an hour are needed to refresh everything of account shop often enough to be of use. Too seldom now: results, checks.',
    },
  },
  {
    alert: 'UptimeExporterUnauthorized',
    when: 'the token is not accepted any more',
    input: { [errors('unauthorized')]: '0x5 1x60', [accountUp]: '1x5 0x16 1x40' },
    firing: '10m',
    resolved: '25m',
    fired: unauthorized,
  },
  {
    alert: 'UptimeExporterUnauthorized',
    when: 'the token was wrong from the start',
    input: { [errors('unauthorized')]: '1x60', [accountUp]: '0x21 1x40' },
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
      [accountUp]: '0x21 1x40',
    },
    firing: '2m',
    resolved: '25m',
    fired: unauthorized,
  },
  {
    alert: 'UptimeExporterTallyLag',
    when: 'an outage report does not arrive',
    input: {
      ...readable,
      [perAccount('uptime_exporter_tally_lag_seconds')]: '0+60x200 0x20',
    },
    notYet: '149m',
    firing: '160m',
    resolved: '205m',
    fired: {
      labels: { ...ofAccount, severity: 'warning' },
      summary: 'Counters of shop are 2h 40m 0s behind',
      description:
        'The counters and error budgets of a check of account shop have not moved for 2h 40m 0s, although the check list is read: its outage report does not arrive.',
    },
  },
  {
    alert: 'UptimeExporterRejectedEntries',
    when: 'a check of every list is malformed, then mended',
    input: { [rejected]: '0x5 1+1x30 31x90' },
    notYet: '15m',
    firing: '25m',
    resolved: '110m',
    fired: {
      labels: { ...ofAccount, dataset: 'checks', severity: 'warning' },
      summary: 'Some checks of shop cannot be read',
      description:
        'In the last hour entries of the dataset checks of account shop were left out because they were malformed. What they describe is not watched.',
    },
  },
  {
    alert: 'UptimeExporterCountersReset',
    when: 'the counters of two checks begin again',
    input: {
      [series('uptime_check_outages_total')]: '3x30 0x120',
      [series('uptime_check_outages_total', { check_id: '8' })]: '1x30 0x120',
      [series('uptime_check_outages_total', { check_id: '9' })]: '5x151',
      [series('uptime_check_outages_total', { check_id: '10' })]: '0x151',
    },
    firing: '35m',
    resolved: '110m',
    fired: {
      labels: { ...ofAccount, severity: 'warning' },
      summary: 'Counters of exporter:9158 were lost',
      description:
        'The exporter exporter:9158 (account shop) lost stored counters of 2 checks or records. They begin again; Prometheus sees a counter reset.',
    },
  },
  {
    alert: 'UptimeExporterCountersReset',
    when: 'it starts with a damaged store',
    input: {
      [perTarget('uptime_exporter_store_records_lost_total', { kind: 'check' })]: '_x10 4x120',
    },
    firing: '15m',
    resolved: '100m',
    fired: {
      labels: { ...target, severity: 'warning' },
      summary: 'Counters of exporter:9158 were lost',
      description:
        'The exporter exporter:9158 lost stored counters of 4 checks or records. They begin again; Prometheus sees a counter reset.',
    },
  },
  {
    alert: 'UptimeExporterScrapeSlow',
    when: 'scrapes take nine of ten seconds',
    input: { [perTarget('scrape_duration_seconds')]: '0.2x5 9x20 0.2x30' },
    notYet: '14m',
    firing: '20m',
    resolved: '40m',
    fired: {
      labels: { ...target, severity: 'warning' },
      summary: 'Scrapes of exporter:9158 nearly time out',
      description:
        'A scrape of the exporter exporter:9158 took 9s in the last 10 minutes. At 10 s Prometheus gives up, and nothing is known.',
    },
  },
  {
    alert: 'UptimeExporterTwoPollers',
    when: 'two exporters have the same account',
    input: {
      [perAccount('uptime_account_info', { base_url: 'https://api.example.com' })]: '1x60',
      [series('uptime_account_info', { base_url: 'https://api.example.com' }, otherExporter)]:
        '_x5 1x30 stale',
    },
    notYet: '19m',
    firing: '25m',
    resolved: '45m',
    fired: {
      labels: {
        job: 'uptime',
        account: 'shop',
        base_url: 'https://api.example.com',
        severity: 'warning',
      },
      summary: '2 exporters poll account shop',
      description:
        '2 exporters of the job uptime serve account shop. They spend its API requests 2 times. If these are different accounts, give them different names.',
    },
  },
];

export const quietOtherCases: readonly QuietCase[] = [
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
  {
    alert: 'UptimeExporterDataStale',
    when: 'the whole account cannot be read: another alert says so',
    input: {
      ...tried('transactions'),
      [accountUp]: '1x5 0x60',
      [stale('transactions')]: '0x9 1x60',
    },
    at: ['30m', '60m'],
  },
  {
    alert: 'UptimeExporterDataStale',
    when: 'the account can be read again, and one dataset comes later',
    input: {
      ...tried('transactions'),
      [accountUp]: '0x20 1x40',
      [stale('transactions')]: '1x29 0x40',
    },
    at: ['25m', '40m'],
  },
  {
    alert: 'UptimeExporterDataStale',
    when: 'a dataset was never needed',
    input: { ...readable, [stale('analyses')]: '1x100' },
    at: ['60m', '90m'],
  },
  {
    alert: 'UptimeExporterAccountUnreadable',
    when: 'the credentials are refused: another alert says so',
    input: { [errors('unauthorized')]: '0x5 1x60', [accountUp]: '1x5 0x60' },
    at: ['20m', '50m'],
  },
  {
    alert: 'UptimeExporterAccountUnreadable',
    when: 'the budget is spent: another alert says so',
    input: { [budgetPaused]: '0x5 1x60', [accountUp]: '1x15 0x60' },
    at: ['30m', '50m'],
  },
  {
    alert: 'UptimeExporterBudgetPaused',
    when: 'the budget is held for some minutes',
    input: { [budgetPaused]: '0x5 1x8 0x10 1x8 0x10' },
    at: ['13m', '30m'],
  },
  {
    alert: 'UptimeExporterBudgetTooSmall',
    when: 'the budget suffices',
    input: { [missing('transactions')]: '0x120', [missing('checks')]: '0x120' },
    at: ['100m'],
  },
  {
    alert: 'UptimeExporterBudgetTooSmall',
    when: 'another client has spent the budget',
    input: { [missing('checks')]: '1x120', [budgetPaused]: '1x120' },
    at: ['100m'],
  },
  {
    alert: 'UptimeExporterUnauthorized',
    when: 'the last refresh worked',
    input: { [errors('unauthorized')]: '0x2 1x60', ...readable },
    at: ['5m', '30m'],
  },
  {
    alert: 'UptimeExporterUnauthorized',
    when: 'the account does not include one dataset, and the service cannot be reached',
    input: {
      [errors('forbidden', 'teams')]: '1+0.1x60',
      [errors('forbidden')]: '0x60',
      [accountUp]: '1x10 0x50',
    },
    at: ['5m', '30m'],
  },
  {
    alert: 'UptimeExporterTallyLag',
    when: 'the account cannot be read: another alert says so',
    input: { [accountUp]: '0x300', [perAccount('uptime_exporter_tally_lag_seconds')]: '0+60x300' },
    at: ['200m', '290m'],
  },
  {
    alert: 'UptimeExporterRejectedEntries',
    when: 'every entry is good',
    input: { [rejected]: '0x60' },
    at: ['30m'],
  },
  {
    alert: 'UptimeExporterCountersReset',
    when: 'a check is deleted and the exporter restarts',
    input: {
      [series('uptime_check_outages_total')]: '3x30 stale',
      [series('uptime_check_outages_total', { check_id: '8' })]: '3x30 stale _x5 3x60',
      [perTarget('uptime_exporter_store_records_lost_total', { kind: 'check' })]: '0x100',
    },
    at: ['32m', '40m', '50m'],
  },
  {
    alert: 'UptimeExporterScrapeSlow',
    when: 'scrapes are fast',
    input: { [perTarget('scrape_duration_seconds')]: '0.2x60' },
    at: ['30m'],
  },
  {
    alert: 'UptimeExporterTwoPollers',
    when: 'each exporter has accounts of its own',
    input: {
      [perAccount('uptime_account_info', { base_url: 'https://api.example.com' })]: '1x60',
      [series(
        'uptime_account_info',
        { account: 'blog', base_url: 'https://api.example.com' },
        otherExporter,
      )]: '1x60',
    },
    at: ['30m'],
  },
];
