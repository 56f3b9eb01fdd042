import {
  type AlertCase,
  high,
  low,
  ofAccount,
  ofCheck,
  perAccount,
  type QuietCase,
  readable,
  series,
} from './alert-case.ts';

const status = (name: string) => series('uptime_check_status', { status: name });
const inMaintenance = series('uptime_check_in_maintenance');
const paused = series('uptime_check_paused');
const who = 'Front page (account shop)';
const open = series('uptime_check_outage_open', high);
const openLow = series('uptime_check_outage_open', low);
const flaps = series('uptime_check_flapping', high);
const transactionOpen = series('uptime_transaction_outage_open', { importance: 'high' });
const lastStart = series('uptime_check_last_outage_start_timestamp_seconds');
const burnRate = (window: string, kind = 'check') => series(`uptime_${kind}_burn_rate`, { window });
/** 00:02 UTC on the first day of UNIX time; promtool begins at midnight. */
const began = { [series('uptime_check_outage_start_timestamp_seconds')]: '_x3 120x9 stale' };
const countedUntil = (values: string) => ({
  [perAccount('uptime_exporter_counted_until_timestamp_seconds')]: values,
});
const budget = (left: number, kind = 'check') => ({
  [series(`uptime_${kind}_error_budget_remaining_ratio`)]: `${left}x1000`,
});
const checkFailed = 'The check of www.example.com (account shop) failed two tests.';

const many = (values: (id: number) => string) =>
  Object.fromEntries(
    Array.from({ length: 20 }, (_, id) => [
      series('uptime_check_outage_open', { ...high, check_id: `${id}`, name: `Check ${id}` }),
      values(id),
    ]),
  );
const twenty = {
  [perAccount('uptime_checks', { check_type: 'http', status: 'up' })]: '15x60',
  [perAccount('uptime_checks', { check_type: 'http', status: 'down' })]: '5x60',
  [perAccount('uptime_checks', { check_type: 'http', status: 'paused' })]: '100x60',
};

const group = { ...ofAccount, group: 'checkout' };
const groupOpen = series('uptime_group_outages_open', {}, group);
const groupBurn = (window: string) => series('uptime_group_burn_rate', { window }, group);
const up = series('uptime_check_up');
const lastResponse = series('uptime_check_last_response_time_seconds');
const limit = { [series('uptime_check_response_time_threshold_seconds')]: '30x120' };
const usual = {
  [series('uptime_check_average_response_time_seconds', { window: '7d' })]: '0.8x120',
};
const recipient = (kind: string) =>
  series('uptime_check_notification_recipients', { recipient: kind });
const nobodyTold = {
  labels: { ...ofCheck, severity: 'warning' },
  summary: 'Nobody is notified when Front page fails',
  description: `${who} has no user, team, integration or contact to notify in the service.`,
};

const slow = (duration: string) => ({
  labels: { ...ofCheck, severity: 'warning' },
  summary: 'Front page is slow',
  description: `The last test of ${who} took ${duration}. That is more than 2 times its average of 7 days, or 80 % of the response time above which the service counts it as down.`,
});

export const checkCases: readonly AlertCase[] = [
  {
    alert: 'UptimeCheckDown',
    when: 'a check is confirmed down, and its counters have reached the outage',
    input: {
      ...readable,
      ...began,
      ...countedUntil('0+60x40'),
      ...budget(0.42),
      [open]: '_x3 1x9 0x20',
    },
    notYet: '2m',
    firing: '4m',
    resolved: '14m',
    fired: {
      labels: { ...ofCheck, ...high, severity: 'critical' },
      summary: 'Front page went down at 00:02 UTC on 1 Jan',
      description: `${checkFailed} 58 % of its 30-day error budget is used.`,
    },
  },
  {
    alert: 'UptimeCheckDown',
    when: 'the counters have not reached the outage: its budget is not known',
    input: { ...readable, ...began, ...countedUntil('0x40'), ...budget(1), [open]: '_x3 1x9 0x20' },
    notYet: '2m',
    firing: '11m',
    resolved: '14m',
    fired: {
      labels: { ...ofCheck, ...high, severity: 'critical' },
      summary: 'Front page went down at 00:02 UTC on 1 Jan',
      description: checkFailed,
    },
  },
  {
    alert: 'UptimeCheckDown',
    when: 'a check of low importance is down, nobody knows since when, and its account is away for two days',
    input: {
      [perAccount('uptime_outages_open', { kind: 'check' })]: '1x5 stale',
      [openLow]: '_x3 1x2 stale',
    },
    notYet: '2m',
    firing: '20h',
    resolved: '1447m',
    fired: {
      labels: { ...ofCheck, ...low, severity: 'warning' },
      summary: 'Front page was down when last seen',
      description: checkFailed,
    },
  },
  {
    alert: 'UptimeCheckDown',
    when: 'it flaps and is up for a moment',
    input: { ...readable, [open]: '_x3 1x4 0x100', [flaps]: '_x3 1x40 0x100' },
    notYet: '2m',
    firing: '30m',
    resolved: '45m',
    fired: {
      labels: { ...ofCheck, ...high, severity: 'critical' },
      summary: 'Front page keeps going down',
      description: checkFailed,
    },
  },
  {
    alert: 'UptimeTransactionFailing',
    when: 'a transaction fails at its third step',
    input: {
      ...readable,
      ...budget(-0.5, 'transaction'),
      ...countedUntil('0+60x40'),
      [transactionOpen]: '_x3 1x9 0x20',
      [series('uptime_transaction_outage_start_timestamp_seconds')]: '_x3 120x9 stale',
      [series('uptime_transaction_failing_step')]: '_x3 3x9 stale',
    },
    notYet: '2m',
    firing: '4m',
    resolved: '14m',
    fired: {
      labels: { ...ofCheck, importance: 'high', severity: 'critical' },
      summary: 'Front page is failing at step 3',
      description:
        'In account shop, since 00:02 UTC on 1 Jan. 150 % of its 30-day error budget is used.',
    },
  },
  {
    alert: 'UptimeManyChecksDown',
    when: 'five of twenty checks are down, until one is up and five minutes more',
    input: {
      ...many((id) => (id < 5 ? '_x3 1x9 0x40' : '0x1 stale')),
      ...twenty,
      [perAccount('uptime_outages_open', { kind: 'check' })]: '0x2 5x9 4x40',
    },
    notYet: '2m',
    firing: '6m',
    resolved: '19m',
    fired: {
      labels: { ...ofAccount, severity: 'critical' },
      summary: '5 checks in shop are down',
      description:
        'So many checks of account shop probably have one cause. Among them: Check 0, Check 1, Check 2, Check 3, Check 4.',
    },
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'a check of low importance is down for a while',
    input: {
      ...readable,
      ...budget(0.5),
      [openLow]: '_x3 1x20 0x20',
      [burnRate('1h')]: '0x3 100x60',
      [burnRate('5m')]: '0x3 500x60',
    },
    notYet: '5m',
    firing: '10m',
    resolved: '26m',
    fired: {
      labels: { ...ofCheck, severity: 'critical' },
      summary: 'Front page burns its error budget too fast',
      description: `In shop: down 100.0 times as long as allowed. 50 % of its 30-day error budget is used.`,
    },
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'short outages have used up most of the budget',
    input: {
      ...readable,
      ...budget(0.2),
      [burnRate('30d')]: '0.8x120',
      [burnRate('1d')]: '4x100 2x20',
      [burnRate('2h')]: '4x100 0x20',
    },
    notYet: '1m',
    firing: '20m',
    resolved: '105m',
    fired: {
      labels: { ...ofCheck, severity: 'warning' },
      summary: 'Front page burns its error budget too fast',
      description: `In shop: down 4.0 times as long as allowed. 80 % of its 30-day error budget is used.`,
    },
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'a hundred checks are down: the text is short',
    input: {
      ...readable,
      [perAccount('uptime_outages_open', { kind: 'check' })]: '1x3 100x60',
      ...budget(0.5),
      [openLow]: '_x3 1x20 0x20',
      [burnRate('1h')]: '0x3 100x60',
      [burnRate('5m')]: '0x3 500x60',
    },
    notYet: '5m',
    firing: '10m',
    resolved: '26m',
    fired: {
      labels: { ...ofCheck, severity: 'critical' },
      summary: 'Front page burns its error budget too fast',
      description: 'In shop: down too long.',
    },
  },
  {
    alert: 'UptimeTransactionErrorBudgetBurn',
    when: 'a transaction of low importance fails for hours',
    input: {
      ...readable,
      [series('uptime_transaction_outage_open', { importance: 'low' })]: '_x3 1x60 0x20',
      [burnRate('6h', 'transaction')]: '0x3 7x90',
      [burnRate('30m', 'transaction')]: '0x3 100x90',
    },
    notYet: '4m',
    firing: '20m',
    resolved: '66m',
    fired: {
      labels: { ...ofCheck, severity: 'critical' },
      summary: 'Front page burns its error budget too fast',
      description: `In shop: down 7.0 times as long as allowed.`,
    },
  },
  {
    alert: 'UptimeGroupErrorBudgetBurn',
    when: 'a member of a group that burns is down',
    input: {
      ...readable,
      [series('uptime_group_error_budget_remaining_ratio', {}, group)]: '0.5x100',
      [groupOpen]: '0x3 1x60 0x20',
      [groupBurn('1h')]: '0x3 20x90',
      [groupBurn('5m')]: '0x3 20x90',
    },
    notYet: '5m',
    firing: '10m',
    resolved: '66m',
    fired: {
      labels: { ...group, severity: 'critical' },
      summary: 'checkout burns its error budget too fast',
      description:
        'In shop: down 20.0 times as long as allowed. 50 % of its 30-day error budget is used.',
    },
  },
  {
    alert: 'UptimeCheckWasDown',
    when: 'an outage was over before it was known',
    input: { ...readable, [lastStart]: '_x30 1200x30 stale' },
    notYet: '34m',
    firing: '37m',
    resolved: '125m',
    fired: {
      labels: { ...ofCheck, severity: 'info' },
      summary: 'Front page was down and is up again',
      description: `${who} was down from 00:20 UTC on 1 Jan. The outage was over before UptimeCheckDown could report it.`,
    },
  },
  {
    alert: 'UptimeTransactionWasFailing',
    when: 'a failure was over before it was known',
    input: {
      ...readable,
      [series('uptime_transaction_last_outage_start_timestamp_seconds')]: '_x30 1200x30 stale',
    },
    notYet: '34m',
    firing: '37m',
    resolved: '125m',
    fired: {
      labels: { ...ofCheck, severity: 'info' },
      summary: 'Front page was failing and is up again',
      description:
        'The transaction Front page (account shop) was failing from 00:20 UTC on 1 Jan. The outage was over before UptimeTransactionFailing could report it.',
    },
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the response time comes near the threshold',
    input: { ...limit, [up]: '1x120', [lastResponse]: '1x9 28x40 1x60' },
    notYet: '24m',
    firing: '30m',
    resolved: '55m',
    fired: slow('28s'),
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the response time is twice the usual',
    input: { ...limit, ...usual, [up]: '1x120', [lastResponse]: '0.8x9 2x40 0.8x60' },
    notYet: '24m',
    firing: '30m',
    resolved: '55m',
    fired: slow('2s'),
  },
  {
    alert: 'UptimeCheckUnknown',
    when: 'the status is unknown for half an hour',
    input: { [status('unknown')]: '0x4 1x40 0x20' },
    notYet: '34m',
    firing: '40m',
    resolved: '50m',
    fired: {
      labels: { ...ofCheck, status: 'unknown', severity: 'warning' },
      summary: 'The service does not know whether Front page is up',
      description: `The status of ${who} is unknown. If it went down, nobody would be notified.`,
    },
  },
  {
    alert: 'UptimeCheckPausedTooLong',
    when: 'a paused check was last tested eight days ago',
    input: {
      [paused]: '1x36 0x30',
      [series('uptime_check_last_test_timestamp_seconds')]: '-691200x36 600x30',
    },
    firing: '16m',
    resolved: '50m',
    fired: {
      labels: { ...ofCheck, severity: 'info' },
      summary: 'Front page has been paused for 8 days',
      description: `${who} was last tested 8 days ago and is paused. It may have been forgotten.`,
    },
  },
  {
    alert: 'UptimeCheckPausedTooLong',
    when: 'a paused check was never tested and is eight days old',
    input: {
      [paused]: '1x36 0x30',
      [series('uptime_check_created_timestamp_seconds')]: '-691200x66',
    },
    firing: '16m',
    resolved: '50m',
    fired: {
      labels: { ...ofCheck, severity: 'info' },
      summary: 'Front page has been paused for 8 days',
      description: `${who} was last tested 8 days ago and is paused. It may have been forgotten.`,
    },
  },
  {
    alert: 'UptimeCheckNotifiesNobody',
    when: 'a check has no recipients of any kind',
    input: { [recipient('user')]: '0x90 1x40', [recipient('team')]: '0x130' },
    notYet: '59m',
    firing: '80m',
    resolved: '110m',
    fired: nobodyTold,
  },
  {
    alert: 'UptimeCheckNotifiesNobody',
    when: 'a check of API 2.x has no contacts',
    input: { [recipient('contact')]: '0x90 1x40' },
    notYet: '59m',
    firing: '80m',
    resolved: '110m',
    fired: nobodyTold,
  },
];

const openNumber = (values: string) => ({
  [perAccount('uptime_outages_open', { kind: 'check' })]: values,
});

export const quietCheckCases: readonly QuietCase[] = [
  {
    alert: 'UptimeManyChecksDown',
    when: 'four of twenty checks are down',
    input: { ...twenty, ...openNumber('4x60') },
    at: ['10m'],
  },
  {
    alert: 'UptimeManyChecksDown',
    when: 'five of a thousand checks are down',
    input: {
      [perAccount('uptime_checks', { check_type: 'http', status: 'up' })]: '995x60',
      ...openNumber('5x60'),
    },
    at: ['10m'],
  },
  {
    alert: 'UptimeCheckDown',
    when: 'an outage ended before it was known',
    input: { ...readable, [lastStart]: '_x5 60x60', [open]: '_x5 0x60' },
    at: ['6m', '30m'],
  },
  {
    alert: 'UptimeTransactionFailing',
    when: 'the transaction works',
    input: { ...readable, [transactionOpen]: '0x30' },
    at: ['10m'],
  },
  {
    alert: 'UptimeCheckDown',
    when: 'it has not flapped for a while',
    input: { ...readable, [flaps]: '0x60' },
    at: ['18m', '30m'],
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'the outage is over and the budget is far from used up',
    input: {
      ...readable,
      ...budget(0.6),
      [openLow]: '0x200',
      ...Object.fromEntries(
        ['5m', '30m', '1h', '2h', '6h', '1d', '3d'].map((window) => [burnRate(window), '100x200']),
      ),
      [burnRate('30d')]: '0.4x200',
    },
    at: ['30m', '150m'],
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'the check is of high importance: UptimeCheckDown pages',
    input: { ...readable, [open]: '1x60', [burnRate('1h')]: '100x60', [burnRate('5m')]: '100x60' },
    at: ['30m', '50m'],
  },
  {
    alert: 'UptimeTransactionErrorBudgetBurn',
    when: 'the failure is over',
    input: {
      ...readable,
      [series('uptime_transaction_outage_open', { importance: 'low' })]: '0x60',
      [burnRate('1h', 'transaction')]: '100x60',
      [burnRate('5m', 'transaction')]: '100x60',
    },
    at: ['30m'],
  },
  {
    alert: 'UptimeGroupErrorBudgetBurn',
    when: 'the group spends what it may',
    input: {
      ...readable,
      [groupOpen]: '1x60',
      [groupBurn('1h')]: '1x60',
      [groupBurn('5m')]: '1x60',
    },
    at: ['30m'],
  },
  {
    alert: 'UptimeGroupErrorBudgetBurn',
    when: 'no member is down any more',
    input: {
      ...readable,
      [groupOpen]: '1x3 0x60',
      [groupBurn('1h')]: '0x3 20x60',
      [groupBurn('5m')]: '0x3 20x60',
    },
    at: ['7m', '30m', '50m'],
  },
  {
    alert: 'UptimeCheckWasDown',
    when: 'the outage was told when it was open',
    input: { ...readable, [open]: '_x20 1x5 0x100', [lastStart]: '_x26 1140x100' },
    at: ['40m', '90m'],
  },
  {
    alert: 'UptimeCheckWasDown',
    when: 'the outage began before the rules were loaded',
    input: { ...readable, [lastStart]: '-600x100' },
    at: ['40m', '90m'],
  },
  {
    alert: 'UptimeTransactionWasFailing',
    when: 'the failure was told when it was open',
    input: {
      ...readable,
      [transactionOpen]: '_x20 1x5 0x100',
      [series('uptime_transaction_last_outage_start_timestamp_seconds')]: '_x26 1140x100',
    },
    at: ['40m', '90m'],
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'twice the usual is still fast',
    input: {
      [series('uptime_check_average_response_time_seconds', { window: '7d' })]: '0.05x60',
      [up]: '1x60',
      [lastResponse]: '0.2x60',
    },
    at: ['50m'],
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the check is in maintenance',
    input: { ...limit, ...usual, [up]: '1x60', [lastResponse]: '28x60', [inMaintenance]: '1x60' },
    at: ['20m', '50m'],
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the check is down',
    input: { ...limit, ...usual, [up]: '0x60', [lastResponse]: '28x60' },
    at: ['20m', '50m'],
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the check is paused',
    input: { ...limit, ...usual, [paused]: '1x60', [lastResponse]: '28x60' },
    at: ['20m', '50m'],
  },
  {
    alert: 'UptimeCheckUnknown',
    when: 'the check is in maintenance',
    input: { [status('unknown')]: '1x60', [inMaintenance]: '1x60' },
    at: ['50m'],
  },
  {
    alert: 'UptimeCheckPausedTooLong',
    when: 'the check was tested eight days ago and is not paused',
    input: {
      [paused]: '0x20',
      [series('uptime_check_last_test_timestamp_seconds')]: '-691200x20',
    },
    at: ['18m'],
  },
  {
    alert: 'UptimeCheckPausedTooLong',
    when: 'the check has been paused for six days',
    input: {
      [paused]: '1x20',
      [series('uptime_check_last_test_timestamp_seconds')]: '-518400x20',
    },
    at: ['18m'],
  },
  {
    alert: 'UptimeCheckNotifiesNobody',
    when: 'the check is paused',
    input: { [recipient('user')]: '0x120', [paused]: '1x120' },
    at: ['100m'],
  },
  {
    alert: 'UptimeCheckNotifiesNobody',
    when: 'the service does not say which users are told',
    input: { [recipient('team')]: '0x120', [recipient('integration')]: '0x120' },
    at: ['70m', '100m'],
  },
  {
    alert: 'UptimeCheckNotifiesNobody',
    when: 'one team is told',
    input: { [recipient('user')]: '0x120', [recipient('team')]: '1x120' },
    at: ['100m'],
  },
];
