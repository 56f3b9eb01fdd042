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
/** Averages that end now, in minutes since the start. */
const newHours = {
  [series('uptime_transaction_hourly_start_timestamp_seconds')]: '-3600+60x900',
};
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
const transactionsFailure = (reason: string) =>
  perAccount('uptime_exporter_dataset_failure', { dataset: 'transactions', reason });
const tried = (name: string) => ({
  [perAccount('uptime_exporter_dataset_interval_seconds', { dataset: name })]: '60x200',
  [perAccount('uptime_exporter_dataset_last_attempt_timestamp_seconds', { dataset: name })]:
    '0+60x200',
});
const missing = (name: string) =>
  perAccount('uptime_exporter_dataset_missing_requests_per_second', { dataset: name });
/**
 * The reason why the account cannot be read, for each minute. Each reason has its own series while
 * it applies.
 */
const failing = (reason: string, values: string) => ({
  [perAccount('uptime_exporter_account_failure', { reason })]: values,
});
const ofIpv6 = { ...ofAccount, instance: '[2001:db8::1]:9158' };
const outageDelay = perAccount('uptime_exporter_outage_delay_seconds');
const rejected = perAccount('uptime_exporter_rejected_entries_total', {
  dataset: 'checks',
  reason: 'name',
});

const customer = { base_url: 'https://api.example.com', first_check: '7' };
const polled = (labels: Record<string, string>) =>
  perAccount('uptime_account_info', { ...customer, ...labels });
const twoPollers = {
  labels: { account: 'shop', ...customer, severity: 'warning' },
  summary: 'Several exporters poll account shop',
  description:
    '2 exporters, each with its own store, poll account shop. Together they spend 2 times as many API requests.',
};

const storeFailing = {
  labels: { ...target, severity: 'critical' },
  summary: 'The exporter exporter:9158 cannot store its counters',
  description:
    'Writes to the storage of exporter:9158 keep failing. Counters stay at their last stored values until a write succeeds.',
};
const recordsLost = {
  labels: { ...target, severity: 'warning' },
  summary: 'Counters of exporter:9158 were lost',
  description:
    'The exporter exporter:9158 lost stored records, or its store is older than the data that it has served: the counters that its log names restart at 0. Prometheus sees a counter reset.',
};

const listed = perAccount('uptime_listed_checks');

export const otherCases: readonly AlertCase[] = [
  {
    alert: 'UptimeChecksMissing',
    when: 'the list is empty, as with the token of another account',
    input: { [listed]: '40x9 0x100 40x20' },
    notYet: '19m',
    firing: '100m',
    resolved: '117m',
    fired: {
      labels: { ...ofAccount, severity: 'critical' },
      summary: 'The service lists no checks of shop',
      description:
        'None of the checks of account shop is watched, and alerts about them are resolved.',
    },
  },
  {
    alert: 'UptimeChecksMissing',
    when: 'three of five checks are deleted, for an hour',
    input: { [listed]: '5x9 2x100' },
    notYet: '19m',
    firing: '40m',
    resolved: '77m',
    fired: {
      labels: { ...ofAccount, severity: 'warning' },
      summary: 'Many checks of shop are no longer listed',
      description:
        'The service lists 2 checks of account shop, fewer than 50 % of those that it listed within the last hour. The others are not watched.',
    },
  },
  {
    alert: 'UptimeTransactionSlow',
    when: 'a transaction takes much longer than the day before',
    input: { ...newHours, [hourly]: '2x800 9x60 2x60' },
    notYet: '810m',
    firing: '820m',
    resolved: '870m',
    fired: {
      labels: { ...ofCheck, severity: 'warning' },
      summary: 'Front page is slower than usual',
      description:
        'The transaction Front page (account shop) took 9s on average in an hour that ended within the last two, more than 1.5 times its average of the day before.',
    },
  },
  {
    alert: 'UptimeCreditsLow',
    when: '2 of 50 checks can be created, and the exporter restarts',
    input: { ...limit, [available]: '10x2 2x70 stale _ 2x17 10x20' },
    notYet: '62m',
    firing: '80m',
    resolved: '105m',
    fired: {
      labels: { ...ofAccount, severity: 'info' },
      summary: 'Account shop can create few more checks',
      description:
        'Account shop can create only 2 more checks, less than 5 % of those that its plan allows.',
    },
  },
  {
    alert: 'UptimeSmsCreditsLow',
    when: 'five text messages are left, and the exporter restarts',
    input: { [perAccount('uptime_account_sms_available')]: '30x2 5x40 stale _ 5x20 130x12' },
    notYet: '32m',
    firing: '50m',
    resolved: '75m',
    fired: {
      labels: { ...ofAccount, severity: 'warning' },
      summary: 'Account shop can send few more text messages',
      description: '5 text messages are left. Without any, the service sends no SMS for shop.',
    },
  },
  {
    alert: 'UptimeContactsPaused',
    when: 'the notifications of one contact have been paused for a day, and its exporter was away for 20 minutes',
    input: { [paused]: '1x400 stale _x20 1x1079 0x20' },
    notYet: '1439m',
    firing: '1450m',
    resolved: '1505m',
    fired: {
      labels: { ...ofAccount, severity: 'info' },
      summary: 'Contacts of account shop are without notifications',
      description: 'The notifications of 1 contact of account shop are paused in the service.',
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
        'Prometheus cannot scrape exporter:9158. Nobody is watching its accounts. Open alerts stay open.',
    },
  },
  {
    alert: 'UptimeExporterDown',
    when: 'a replica is down for two days, and another one has its accounts',
    input: {
      [perTarget('up')]: '1x2 0x2900 1x9',
      [perAccount('uptime_exporter_lease_held')]: '1x2 stale _x2899 0x9',
      [perAccount('uptime_exporter_lease_held', { instance: 'other:9158' })]: '0x3 1x3000',
    },
    notYet: '7m',
    firing: '48h',
    resolved: '2910m',
    fired: {
      labels: { ...target, severity: 'warning' },
      summary: 'The uptime exporter exporter:9158 is down',
      description: 'Prometheus cannot scrape exporter:9158. Other replicas take its accounts.',
    },
  },
  {
    alert: 'UptimeExporterAccountWithoutHolder',
    when: 'no replica takes an account, and a scrape fails',
    input: {
      [perTarget('uptime_exporter_database_up')]: '1x60',
      [perAccount('uptime_exporter_lease_held')]: '1x5 0x10 stale 0x10 1x30',
    },
    notYet: '7m',
    firing: '17m',
    resolved: '34m',
    fired: {
      labels: { job: 'uptime', account: 'shop', severity: 'critical' },
      summary: 'No replica serves account shop',
      description:
        'No replica that Prometheus can scrape has taken account shop. New outages go unnoticed. Open alerts stay open.',
    },
  },
  {
    alert: 'UptimeExporterOwnershipFlapping',
    when: 'two replicas take an account from each other five times, and one of them restarts meanwhile',
    input: {
      [perAccount('uptime_exporter_lease_expired_takes_total')]: '0x10 1x4 0x5 1x90',
      [perAccount('uptime_exporter_lease_expired_takes_total', { instance: 'other:9158' })]:
        '0x5 1x10 2x9 3x90',
    },
    notYet: '18m',
    firing: '22m',
    resolved: '50m',
    fired: {
      labels: { job: 'uptime', account: 'shop', severity: 'warning' },
      summary: 'Replicas take account shop from each other',
      description:
        'Replicas have taken account shop 4 times within half an hour from an owner that had not released it. Each time, nobody polls it for a moment, and its data are read from the database again.',
    },
  },
  {
    alert: 'UptimeExporterDatabaseDown',
    when: 'one of two replicas does not reach the database',
    input: {
      [perTarget('uptime_exporter_database_up')]: '1x5 0x20 1x20',
      [perTarget('uptime_exporter_database_up', { instance: 'other:9158' })]: '1x60',
    },
    notYet: '7m',
    firing: '9m',
    resolved: '32m',
    fired: {
      labels: { ...target, severity: 'warning' },
      summary: 'The exporter exporter:9158 cannot reach its database',
      description:
        'In job uptime, this replica stops serving its accounts. Replicas that reach the database take them.',
    },
  },
  {
    alert: 'UptimeExporterDatabaseDown',
    when: 'no replica reaches the database',
    input: {
      [perTarget('uptime_exporter_database_up')]: '1x5 0x20 1x20',
      [perTarget('uptime_exporter_database_up', { instance: 'other:9158' })]: '1x6 0x20 1x20',
    },
    notYet: '8m',
    firing: '10m',
    resolved: '34m',
    fired: {
      labels: { job: 'uptime', severity: 'critical' },
      summary: 'No exporter can reach the database',
      description: 'In job uptime, no account is polled or served. Open alerts stay open.',
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
      description: 'Prometheus has no target with the job uptime. Nobody is watching the checks.',
    },
  },
  {
    alert: 'UptimeExporterAccountUnreadable',
    when: 'the check list has never come and comes at last, from an address of IPv6',
    input: Object.fromEntries(
      Object.entries({
        ...failing('starting', '1x3 stale'),
        ...failing('timeout', '_x4 1x35 stale'),
        ...failing('none', '_x40 0x20'),
      }).map(([name, values]) => [name.replace(ofAccount.instance, ofIpv6.instance), values]),
    ),
    notYet: '9m',
    firing: '11m',
    resolved: '46m',
    fired: {
      labels: { ...ofIpv6, severity: 'critical' },
      summary: 'The checks of shop cannot be read',
      description: 'Reason: timeout. New outages go unnoticed.',
    },
  },
  {
    alert: 'UptimeExporterAccountUnreadable',
    when: 'other clients have spent the short window',
    input: {
      ...failing('none', '0x5 stale _x33 0x60'),
      ...failing('budget', '_x6 1x33 stale'),
      [remaining('short')]: '80x100',
      [perAccount('uptime_exporter_rate_limit_reserve', { window: 'short' })]: '80x100',
      [perAccount('uptime_exporter_rate_limit_reset_timestamp_seconds', { window: 'short' })]:
        '2400x100',
      [remaining('long')]: '50000x100',
      [perAccount('uptime_exporter_rate_limit_reserve', { window: 'long' })]: '14400x100',
      ...reset,
    },
    notYet: '15m',
    firing: '25m',
    resolved: '46m',
    fired: {
      labels: { ...ofAccount, severity: 'critical' },
      summary: 'The checks of shop cannot be read',
      description: 'Reason: budget, until 00:40 UTC on 1 Jan. New outages go unnoticed.',
    },
  },
  {
    alert: 'UptimeExporterAccountUnreadable',
    when: 'the credentials are refused',
    input: {
      ...failing('none', '0x5 stale _x24 0x20'),
      ...failing('unauthorized', '_x6 1x23 stale'),
    },
    notYet: '8m',
    firing: '10m',
    resolved: '36m',
    fired: {
      labels: { ...ofAccount, severity: 'critical' },
      summary: 'The checks of shop cannot be read',
      description: 'Reason: unauthorized. New outages go unnoticed.',
    },
  },
  {
    alert: 'UptimeExporterAccountUnreadable',
    when: 'the transactions cannot be read',
    input: {
      ...failing('none', '0x100'),
      ...tried('transactions'),
      [stale('transactions')]: '0x20 1x30 0x9',
      [perAccount('uptime_exporter_dataset_failure', {
        dataset: 'transactions',
        reason: 'forbidden',
      })]: '_x10 1x40 stale',
    },
    notYet: '29m',
    firing: '38m',
    resolved: '58m',
    fired: {
      labels: { ...ofAccount, dataset: 'transactions', severity: 'critical' },
      summary: 'The transactions of shop cannot be read',
      description: 'Reason: forbidden. New outages go unnoticed.',
    },
  },
  {
    alert: 'UptimeExporterApiBudgetExhaustionPredicted',
    when: 'the long window is spent too fast',
    input: { ...reset, [remaining('long')]: '50000-100x400 72000x60' },
    notYet: '389m',
    firing: '395m',
    resolved: '408m',
    fired: {
      labels: { ...ofAccount, window: 'long', severity: 'info' },
      summary: 'Account shop will run out of API requests before the reset',
      description:
        'At the rate of the last 6 hours, the long window of account shop is used up before it resets. The exporter slows down by itself; other clients do not.',
    },
  },
  {
    alert: 'UptimeExporterClockWrong',
    when: "the exporter's clock is ahead, until it is set",
    input: { [perAccount('uptime_exporter_api_clock_offset_seconds')]: '0x5 -120x25 1x20' },
    notYet: '18m',
    firing: '22m',
    resolved: '38m',
    fired: {
      labels: { ...target, severity: 'warning' },
      summary: 'The clock of exporter:9158 is wrong',
      description:
        "The clock of the exporter exporter:9158 differs from the clock of the service by 2m 0s. Counters use the service's clock and are right. Ages and forecasts are wrong by this time.",
    },
  },
  {
    alert: 'UptimeExporterStoreFailing',
    when: 'writes keep failing',
    input: { [perTarget('uptime_exporter_store_errors_total')]: '0x5 1+1x20 21x60' },
    notYet: '14m',
    firing: '20m',
    resolved: '38m',
    fired: storeFailing,
  },
  {
    alert: 'UptimeExporterStoreFailing',
    when: 'writes keep failing, ten minutes apart',
    input: {
      [perTarget('uptime_exporter_store_errors_total')]: '0x5 1x9 2x9 3x60',
      [perTarget('uptime_exporter_store_failing')]: '0x5 1x29 0x60',
    },
    notYet: '14m',
    firing: '20m',
    resolved: '48m',
    fired: storeFailing,
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
        'The last reload of the configuration of the exporter exporter:9158 failed, so it still uses the previous one. With the present file it would not start.',
    },
  },
  {
    alert: 'UptimeExporterDataStale',
    when: 'the credits have never come',
    input: { ...readable, ...tried('credits'), [stale('credits')]: '1x60 0x20' },
    notYet: '14m',
    firing: '32m',
    resolved: '67m',
    fired: {
      labels: { ...ofAccount, dataset: 'credits', severity: 'warning' },
      summary: 'The dataset credits of shop is out of date',
      description:
        'The dataset credits of account shop is not refreshed, although its check list is. Its series are withdrawn.',
    },
  },
  {
    alert: 'UptimeExporterOutagesSeenLate',
    when: 'others have spent the short window until it resets',
    input: {
      ...failing('none', '0x60'),
      [outageDelay]: '60x4 420x20 60x35',
      [missing('checks')]: '0x60',
    },
    notYet: '9m',
    firing: '12m',
    resolved: '32m',
    fired: {
      labels: { ...ofAccount, severity: 'warning' },
      summary: 'Outages of shop are seen late',
      description:
        'The check list of account shop is read only every 7m 0s, because its request budget allows no more. New outages are seen that much later.',
    },
  },
  {
    alert: 'UptimeExporterAccountUnwatched',
    when: 'one of two exporters disappears from service discovery',
    input: {
      [perTarget('up')]: '1x20 stale',
      [perTarget('up', { instance: 'other:9158' })]: '1x3000',
      [accountUp]: '1x20 stale',
      [perAccount('uptime_up', { instance: 'other:9158', account: 'blog' })]: '1x3000',
    },
    notYet: '30m',
    firing: '35m',
    resolved: '1465m',
    fired: {
      labels: { ...ofAccount, severity: 'warning' },
      summary: 'No exporter watches account shop',
      description:
        'The exporter exporter:9158, which served account shop, is no longer among the targets of Prometheus, and no other one serves the account.',
    },
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
    resolved: '208m',
    fired: {
      labels: { ...ofAccount, severity: 'warning' },
      summary: 'Counters of shop stand still',
      description:
        'The counters and error budgets of a check of account shop have not moved for 2h 40m 0s, although the check list is read: its outage report does not arrive.',
    },
  },
  {
    alert: 'UptimeExporterTallyLag',
    when: 'the list of transactions is read, but the report of their states fails with one error or another',
    input: {
      ...readable,
      [stale('transactions')]: '0x220',
      [transactionsFailure('server_error')]: '_x10 1x60 stale',
      [transactionsFailure('timeout')]: '_x71 1x100 stale',
    },
    notYet: '39m',
    firing: '90m',
    resolved: '180m',
    fired: {
      labels: { ...ofAccount, dataset: 'transactions', severity: 'warning' },
      summary: 'Counters of shop stand still',
      description:
        'The counters and error budgets of the transactions of account shop do not move, although their list is read: the report of their states does not arrive.',
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
      summary: 'Some entries of the dataset checks of shop cannot be read',
      description:
        'Entries of the dataset checks of account shop are malformed and left out. The objects that they describe are not watched.',
    },
  },
  {
    alert: 'UptimeExporterCountersReset',
    when: 'the store is lost while the exporter is away for an hour',
    input: {
      [polled({ store: 'a1' })]: '1x30 stale',
      [polled({ store: 'b2' })]: '_x90 1x2000',
    },
    firing: '95m',
    resolved: '1540m',
    fired: {
      labels: { ...ofAccount, severity: 'warning' },
      summary: 'Counters of exporter:9158 were lost',
      description:
        'The exporter exporter:9158 has a new store: all counters of account shop restart at 0. Prometheus sees a counter reset.',
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
    fired: recordsLost,
  },
  {
    alert: 'UptimeExporterCountersReset',
    when: 'it starts with a restored copy, which is one lost record and all counters',
    input: {
      [perTarget('uptime_exporter_store_records_lost_total', { kind: 'missing' })]: '_x10 1x120',
    },
    firing: '15m',
    resolved: '100m',
    fired: recordsLost,
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
        'A scrape of the exporter exporter:9158 took 9s. Prometheus gives up after 10 s and then has no data.',
    },
  },
  {
    alert: 'UptimeExporterTwoPollers',
    when: 'two pods behind one fixed instance have a store each',
    input: { [polled({ store: 'a1' })]: '1x60', [polled({ store: 'b2' })]: '_x5 1x30 stale' },
    notYet: '19m',
    firing: '25m',
    resolved: '45m',
    fired: twoPollers,
  },
  {
    alert: 'UptimeExporterTwoPollers',
    when: 'two exporters of different jobs have the same account',
    input: {
      [polled({ store: 'a1' })]: '1x60',
      [polled({ store: 'b2', job: 'staging', instance: 'other:9158' })]: '_x5 1x30 stale',
    },
    notYet: '19m',
    firing: '25m',
    resolved: '45m',
    fired: twoPollers,
  },
];

export const quietOtherCases: readonly QuietCase[] = [
  {
    alert: 'UptimeChecksMissing',
    when: 'a list is empty once, half of the checks are deleted, and a new account has none',
    input: {
      [listed]: '40x9 0x5 40x30 20x60',
      [series('uptime_listed_checks', { account: 'new' }, target)]: '0x100',
    },
    at: ['12m', '16m', '60m', '90m'],
  },
  {
    alert: 'UptimeTransactionSlow',
    when: 'it failed within the hour',
    input: {
      ...newHours,
      [hourly]: '2x800 9x60',
      [series('uptime_transaction_outage_open', { importance: 'high' })]: '_x780 1x30 0x60',
    },
    at: ['830m', '850m'],
  },
  {
    alert: 'UptimeTransactionSlow',
    when: 'nobody knows yet what is usual',
    input: { ...newHours, [hourly]: '2x120 9x60' },
    at: ['140m', '170m'],
  },
  {
    alert: 'UptimeTransactionSlow',
    when: 'it is a little slower than usual',
    input: { ...newHours, [hourly]: '2x800 2.8x60' },
    at: ['830m'],
  },
  {
    alert: 'UptimeTransactionSlow',
    when: 'it takes more than 1.5 times as long, but not a second more',
    input: { ...newHours, [hourly]: '1x800 1.9x60' },
    at: ['830m'],
  },
  {
    alert: 'UptimeTransactionSlow',
    when: 'its average is of an hour that ended more than two hours ago',
    input: {
      [hourly]: '2x800 9x60',
      [series('uptime_transaction_hourly_start_timestamp_seconds')]: '37000x900',
    },
    at: ['830m', '850m'],
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
    alert: 'UptimeExporterAccountWithoutHolder',
    when: 'another replica takes the account within two minutes',
    input: {
      [perTarget('uptime_exporter_database_up', { instance: 'other:9158' })]: '1x60',
      [perAccount('uptime_exporter_lease_held')]: '1x5 stale',
      [perAccount('uptime_exporter_lease_held', { instance: 'other:9158' })]: '0x6 1x60',
    },
    at: ['7m', '8m', '30m'],
  },
  {
    alert: 'UptimeExporterAccountWithoutHolder',
    when: 'no replica reaches the database: another alert says so',
    input: {
      [perTarget('uptime_exporter_database_up')]: '1x5 0x60',
      [perAccount('uptime_exporter_lease_held')]: '1x5 0x60',
    },
    at: ['10m', '30m', '60m'],
  },
  {
    alert: 'UptimeExporterOwnershipFlapping',
    when: 'three replicas that have often taken the account are restarted',
    input: {
      [perAccount('uptime_exporter_lease_expired_takes_total')]: '5x5 _ 0x60',
      [perAccount('uptime_exporter_lease_expired_takes_total', { instance: 'b:9158' })]:
        '5x10 _ 0x60',
      [perAccount('uptime_exporter_lease_expired_takes_total', { instance: 'c:9158' })]:
        '5x15 _ 0x60',
    },
    at: ['16m', '25m', '40m'],
  },
  {
    alert: 'UptimeExporterDatabaseDown',
    when: 'single requests to the database fail',
    input: { [perTarget('uptime_exporter_database_up')]: '1x5 0x1 1x5 0x1 1x20' },
    at: ['7m', '13m', '25m'],
  },
  {
    alert: 'UptimeExporterStoreFailing',
    when: 'the database does not answer: another alert says so',
    input: {
      [perTarget('uptime_exporter_database_up')]: '1x5 0x60',
      [perTarget('uptime_exporter_store_failing')]: '0x5 1x60',
    },
    at: ['18m', '40m'],
  },
  {
    alert: 'UptimeExporterAccountUnwatched',
    when: 'replicas have it, and none polls it: another alert says so',
    input: {
      [perTarget('up')]: '1x100',
      [accountUp]: '1x20 stale',
      [perAccount('uptime_exporter_lease_held')]: '1x20 0x80',
    },
    at: ['35m', '90m'],
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
    input: {
      ...failing('none', '0x5 stale _x5 0x5 stale _x7 0x20'),
      ...failing('timeout', '_x6 1x5 stale _x5 1x7 stale'),
    },
    at: ['11m', '20m', '25m', '40m'],
  },
  {
    alert: 'UptimeExporterAccountUnreadable',
    when: 'two lists are refused',
    input: {
      ...failing('none', '0x5 stale _x2 0x30'),
      ...failing('forbidden', '_x6 1x2 stale'),
    },
    at: ['8m', '9m', '10m', '20m'],
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
    when: 'a single write fails',
    input: {
      [perTarget('uptime_exporter_store_errors_total')]: '0x20 1x60',
      [perTarget('uptime_exporter_store_failing')]: '0x20 1x2 0x58',
    },
    at: ['22m', '25m', '31m', '40m'],
  },
  {
    alert: 'UptimeExporterConfigReloadFailed',
    when: 'reloads work',
    input: { [perTarget('uptime_exporter_config_last_reload_successful')]: '1x30' },
    at: ['20m'],
  },
  {
    alert: 'UptimeExporterAccountUnreadable',
    when: 'a new account has no transactions yet, and its checks come first',
    input: {
      ...failing('starting', '1x3 stale'),
      ...failing('none', '_x4 0x60'),
      ...tried('transactions'),
      [stale('transactions')]: '1x9 0x60',
    },
    at: ['8m', '12m', '30m'],
  },
  {
    alert: 'UptimeExporterDataStale',
    when: 'the whole account cannot be read: another alert says so',
    input: {
      ...tried('credits'),
      [accountUp]: '1x5 0x60',
      [stale('credits')]: '0x9 1x60',
    },
    at: ['30m', '60m'],
  },
  {
    alert: 'UptimeExporterDataStale',
    when: 'the account can be read again, and one dataset comes later',
    input: {
      ...tried('credits'),
      [accountUp]: '0x20 1x40',
      [stale('credits')]: '1x29 0x40',
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
    alert: 'UptimeExporterOutagesSeenLate',
    when: 'lists come every minute, and two are missing',
    input: { ...failing('none', '0x60'), [outageDelay]: '60x20 180x2 60x38' },
    at: ['22m', '50m'],
  },
  {
    alert: 'UptimeExporterOutagesSeenLate',
    when: 'the account cannot be read: another alert says so',
    input: { ...failing('timeout', '1x60'), [outageDelay]: '900x60' },
    at: ['30m', '50m'],
  },
  {
    alert: 'UptimeExporterAccountUnwatched',
    when: 'a reload removes the account, and its exporter goes on',
    input: {
      [perTarget('up')]: '1x100',
      [accountUp]: '1x20 stale',
      [perAccount('uptime_exporter_account_removed')]: '_x20 1x80',
    },
    at: ['35m', '90m'],
  },
  {
    alert: 'UptimeExporterAccountUnwatched',
    when: 'a rolling update replaces the pod, whose series keep its own instance',
    input: {
      [perTarget('up')]: '1x1500 stale',
      [perTarget('up', { instance: 'new:9158' })]: '_x1502 1x1400',
      [accountUp]: '1x1500 stale',
      [perAccount('uptime_up', { instance: 'new:9158' })]: '_x1502 1x1400',
    },
    at: ['1520m', '2900m'],
  },
  {
    alert: 'UptimeExporterAccountUnwatched',
    when: 'the exporter is down: another alert says so',
    input: { [perTarget('up')]: '1x20 0x80', [accountUp]: '1x20 stale' },
    at: ['35m', '90m'],
  },
  {
    alert: 'UptimeExporterAccountUnwatched',
    when: 'no exporter is left: another alert says so',
    input: { [perTarget('up')]: '1x20 stale', [accountUp]: '1x20 stale' },
    at: ['35m', '90m'],
  },
  {
    alert: 'UptimeExporterTallyLag',
    when: 'the list of transactions is not read either: another alert says so',
    input: {
      ...readable,
      [stale('transactions')]: '0x15 1x220',
      [transactionsFailure('forbidden')]: '1x220',
    },
    at: ['150m', '200m'],
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
    when: 'the exporter restarts with its store',
    input: {
      [polled({ store: 'a1' })]: '1x30 stale _x5 1x60',
      [perTarget('uptime_exporter_store_records_lost_total', { kind: 'check' })]: '0x100',
    },
    at: ['32m', '40m', '50m'],
  },
  {
    alert: 'UptimeExporterCountersReset',
    when: 'two exporters serve the account: another alert says so',
    input: { [polled({ store: 'a1' })]: '1x60', [polled({ store: 'b2' })]: '1x60' },
    at: ['10m', '50m'],
  },
  {
    alert: 'UptimeExporterScrapeSlow',
    when: 'a single scrape is slow',
    input: { [perTarget('scrape_duration_seconds')]: '0.2x20 9 0.2x60' },
    at: ['22m', '26m', '31m', '40m'],
  },
  {
    alert: 'UptimeExporterScrapeSlow',
    when: 'scrapes are fast',
    input: { [perTarget('scrape_duration_seconds')]: '0.2x60' },
    at: ['30m'],
  },
  {
    alert: 'UptimeExporterTwoPollers',
    when: 'two customers of the service call their accounts alike, and replicas share a store',
    input: {
      [polled({ store: 'a1' })]: '1x60',
      [polled({ store: 'a1', instance: 'replica:9158' })]: '1x60',
      [polled({ store: 'b2', instance: 'other:9158', first_check: '90' })]: '1x60',
    },
    at: ['30m'],
  },
];
