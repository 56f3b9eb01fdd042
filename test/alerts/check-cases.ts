import {
  type AlertCase,
  host,
  info,
  lowInfo,
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
const who = 'Front page (www.example.com, account shop)';
const open = series('uptime_check_outage_open');
const transactionOpen = series('uptime_transaction_outage_open');
const ratio = (window: string, kind = 'check') => series(`uptime_${kind}_error_ratio`, { window });
const burnRate = (window: string, kind = 'check') => series(`uptime_${kind}_burn_rate`, { window });
/** 05:00 UTC on the first day of UNIX time, where promtool begins at midnight. */
const began = { [series('uptime_check_outage_start_timestamp_seconds')]: '_x3 18000x9 stale' };
const budget = (left: number, kind = 'check') => ({
  [series(`uptime_${kind}_error_budget_remaining_ratio`)]: `${left}x1000`,
  [series(`uptime_${kind}_objective_ratio`)]: '0.999x1000',
});
const minutesAllowed = '(43m 12s of downtime allowed)';

const many = (values: (id: number) => string) =>
  Object.fromEntries(
    Array.from({ length: 20 }, (_, id) => [
      series('uptime_check_outage_open', { check_id: `${id}`, name: `Check ${id}` }),
      values(id),
    ]),
  );
const twenty = {
  [perAccount('uptime_checks', { check_type: 'http', status: 'up' })]: '15x60',
  [perAccount('uptime_checks', { check_type: 'http', status: 'down' })]: '5x60',
  [perAccount('uptime_checks', { check_type: 'http', status: 'paused' })]: '100x60',
};

const group = { ...ofAccount, group: 'checkout' };
const groupBurn = (window: string) => series('uptime_group_burn_rate', { window }, group);
const lastResponse = series('uptime_check_last_response_time_seconds');
const limit = { [series('uptime_check_response_time_threshold_seconds')]: '30x120' };
const usual = {
  [series('uptime_check_average_response_time_seconds', { window: '7d' })]: '0.8x120',
};
const recipient = (kind: string) =>
  series('uptime_check_notification_recipients', { recipient: kind });
const nobodyTold = {
  labels: { ...ofCheck, severity: 'warning' },
  summary: 'Nobody is told when Front page fails',
  description: `${who} has no user, team, integration or contact to notify in the service.`,
};

export const checkCases: readonly AlertCase[] = [
  {
    alert: 'UptimeCheckDown',
    when: 'a check is confirmed down',
    input: { ...info, ...readable, ...began, ...budget(0.42), [open]: '_x3 1x9 0x20' },
    notYet: '2m',
    firing: '4m',
    resolved: '14m',
    fired: {
      labels: { ...ofCheck, severity: 'critical' },
      summary: 'Front page is down',
      description: `${who} has been down since 05:00 UTC on 1 Jan, confirmed by a second test. 58 % of its 30-day error budget is used ${minutesAllowed}.`,
    },
  },
  {
    alert: 'UptimeCheckDown',
    when: 'a check of low importance is down, and its list grows stale',
    input: {
      [series('uptime_check_info', { ...host, severity: 'low' })]: '1x5 stale',
      [perAccount('uptime_up')]: '1x5 0x30',
      [open]: '_x3 1x9 0x20',
    },
    notYet: '2m',
    firing: '10m',
    resolved: '14m',
    fired: {
      labels: { ...ofCheck, severity: 'warning' },
      summary: 'Front page is down',
      description:
        'Front page (account shop) has been down, confirmed by a second test. This is what was known when the exporter last read the account.',
    },
  },
  {
    alert: 'UptimeCheckDown',
    when: 'it has gone up and down three times in an hour and has not been up for half an hour',
    input: {
      ...info,
      ...readable,
      [open]: '_x3 1x4 0x5 1x4 0x5 1x4 0x60',
      [ratio('5m')]: '0x200',
    },
    notYet: '2m',
    firing: '50m',
    resolved: '61m',
    fired: {
      labels: { ...ofCheck, severity: 'critical' },
      summary: 'Front page is down',
      description: `${who} has been down, confirmed by a second test. It keeps going up and down, so this alert stays open until it has been up for 30m.`,
    },
  },
  {
    alert: 'UptimeTransactionFailing',
    when: 'a transaction fails at its third step',
    input: {
      ...readable,
      ...budget(-0.5, 'transaction'),
      [transactionOpen]: '_x3 1x9 0x20',
      [series('uptime_transaction_failing_step')]: '_x3 3x9 stale',
    },
    notYet: '2m',
    firing: '4m',
    resolved: '14m',
    fired: {
      labels: { ...ofCheck, severity: 'critical' },
      summary: 'Front page is failing at step 3',
      description: `The transaction Front page (account shop) has been failing. 150 % of its 30-day error budget is used ${minutesAllowed}.`,
    },
  },
  {
    alert: 'UptimeManyChecksDown',
    when: 'five of twenty checks are down',
    input: { ...readable, ...twenty, ...many((id) => (id < 5 ? '_x3 1x9 0x40' : '0x1 stale')) },
    notYet: '2m',
    firing: '6m',
    resolved: '14m',
    fired: {
      labels: { ...ofAccount, severity: 'critical' },
      summary: '5 checks in shop are down',
      description:
        '5 checks in account shop are down, at least 20 % of all, so they probably have one cause. They include Check 0, Check 1, Check 2, Check 3, Check 4.',
    },
  },
  {
    alert: 'UptimeCheckFlapping',
    when: 'a check has had three outages within an hour',
    input: {
      ...info,
      ...readable,
      ...budget(0.9),
      [open]: '_x3 1x4 0x5 1x4 0x5 1x4 0x60',
      [ratio('5m')]: '0x200',
    },
    firing: '40m',
    resolved: '61m',
    fired: {
      labels: { ...ofCheck, severity: 'info' },
      summary: 'Front page is flapping',
      description: `${who} went down 3 times within 1h. Its alert UptimeCheckDown stays open until it has been up for 30m. 10 % of its 30-day error budget is used ${minutesAllowed}.`,
    },
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'a check of low importance is down for a while',
    input: {
      ...lowInfo,
      ...readable,
      ...budget(0.5),
      [open]: '_x3 1x20 0x20',
      [burnRate('1h')]: '0x3 100x60',
      [burnRate('5m')]: '0x3 500x60',
    },
    notYet: '5m',
    firing: '10m',
    resolved: '26m',
    fired: {
      labels: { ...ofCheck, severity: 'critical' },
      summary: 'Front page is burning its error budget too fast',
      description: `${who} is burning its error budget faster than the objective allows, 100.0 times as fast over 1h, planned maintenance excluded. 50 % of its 30-day error budget is used ${minutesAllowed}.`,
    },
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'short outages have used up most of the budget',
    input: {
      ...info,
      ...readable,
      ...budget(0.2),
      [burnRate('30d')]: '0.8x120',
      [burnRate('1d')]: '4x100 2x20',
      [burnRate('2h')]: '4x100 0x20',
    },
    notYet: '14m',
    firing: '20m',
    resolved: '105m',
    fired: {
      labels: { ...ofCheck, severity: 'warning' },
      summary: 'Front page is burning its error budget too fast',
      description: `${who} is burning its error budget faster than the objective allows, 4.0 times as fast over 1d, planned maintenance excluded. 80 % of its 30-day error budget is used ${minutesAllowed}.`,
    },
  },
  {
    alert: 'UptimeTransactionErrorBudgetBurn',
    when: 'a transaction of low importance fails for hours',
    input: {
      ...readable,
      [series('uptime_transaction_info', { severity: 'low' })]: '1x200',
      [transactionOpen]: '_x3 1x60 0x20',
      [burnRate('6h', 'transaction')]: '0x3 7x90',
      [burnRate('30m', 'transaction')]: '0x3 100x90',
    },
    notYet: '4m',
    firing: '20m',
    resolved: '66m',
    fired: {
      labels: { ...ofCheck, severity: 'critical' },
      summary: 'Front page is burning its error budget too fast',
      description:
        'Front page (account shop) is burning its error budget faster than the objective allows, 7.0 times as fast over 6h, planned maintenance excluded.',
    },
  },
  {
    alert: 'UptimeGroupErrorBudgetBurn',
    when: 'the checks of a group burn',
    input: {
      ...readable,
      [series('uptime_group_error_budget_remaining_ratio', {}, group)]: '0.5x100',
      [series('uptime_group_objective_ratio', {}, group)]: '0.99x100',
      [groupBurn('1h')]: '0x3 20x60 0x20',
      [groupBurn('5m')]: '0x3 20x60 0x20',
    },
    notYet: '5m',
    firing: '10m',
    resolved: '66m',
    fired: {
      labels: { ...group, severity: 'critical' },
      summary: 'checkout is burning its error budget too fast',
      description:
        'The checks of group checkout (account shop) are burning their error budget faster than the objective allows, 20.0 times as fast over 1h, planned maintenance excluded. 50 % of its 30-day error budget is used (7h 12m 0s of downtime allowed).',
    },
  },
  {
    alert: 'UptimeCheckWasDown',
    when: 'an outage was over before it was known',
    input: { ...info, ...readable, ...budget(0.9), [ratio('1d')]: '0x5 0.01x30 0x70' },
    notYet: '9m',
    firing: '12m',
    resolved: '97m',
    fired: {
      labels: { ...ofCheck, window: '1d', severity: 'info' },
      summary: 'Front page was down and is up again',
      description: `${who} was down for about 14m 24s in the last 24 hours. It was over before the exporter learnt of it, so nobody was paged. 10 % of its 30-day error budget is used ${minutesAllowed}.`,
    },
  },
  {
    alert: 'UptimeTransactionWasFailing',
    when: 'a failure was over before it was known',
    input: { ...readable, [ratio('1d', 'transaction')]: '0x5 0.01x30 0x70' },
    notYet: '9m',
    firing: '12m',
    resolved: '97m',
    fired: {
      labels: { ...ofCheck, window: '1d', severity: 'info' },
      summary: 'Front page was failing and is up again',
      description:
        'Front page (account shop) was failing for about 14m 24s in the last 24 hours. It was over before the exporter learnt of it, so nobody was paged.',
    },
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the response time comes near the threshold',
    input: { ...info, ...limit, [lastResponse]: '1x9 28x40 1x60' },
    notYet: '24m',
    firing: '30m',
    resolved: '55m',
    fired: {
      labels: { ...ofCheck, severity: 'warning', against: 'threshold' },
      summary: 'Front page is nearly too slow',
      description: `Every test of ${who} in the last 15 minutes took more than 80 % of the response time at which the service counts it as down; the last one took 28s.`,
    },
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the response time is twice the usual',
    input: { ...info, ...limit, ...usual, [lastResponse]: '0.8x9 2x40 0.8x60' },
    notYet: '24m',
    firing: '30m',
    resolved: '55m',
    fired: {
      labels: { ...ofCheck, severity: 'warning', against: 'usual' },
      summary: 'Front page is slower than usual',
      description: `Every test of ${who} in the last 15 minutes took more than 2 times its average of the last 7 days; the last one took 2s.`,
    },
  },
  {
    alert: 'UptimeCheckUnknown',
    when: 'the status is unknown for half an hour',
    input: { ...info, [status('unknown')]: '0x4 1x40 0x20' },
    notYet: '34m',
    firing: '40m',
    resolved: '50m',
    fired: {
      labels: { ...ofCheck, status: 'unknown', severity: 'warning' },
      summary: 'The service does not know whether Front page is up',
      description: `The status of ${who} has been unknown for 30m. If it went down, nobody would be told.`,
    },
  },
  {
    alert: 'UptimeCheckPausedTooLong',
    when: 'a paused check was last tested eight days ago',
    input: {
      ...info,
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
      ...info,
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
    input: { ...info, [recipient('user')]: '0x90 1x40', [recipient('team')]: '0x130' },
    notYet: '59m',
    firing: '80m',
    resolved: '110m',
    fired: nobodyTold,
  },
  {
    alert: 'UptimeCheckNotifiesNobody',
    when: 'a check of API 2.x has no contacts',
    input: { ...info, [recipient('contact')]: '0x90 1x40' },
    notYet: '59m',
    firing: '80m',
    resolved: '110m',
    fired: nobodyTold,
  },
];

export const quietCheckCases: readonly QuietCase[] = [
  {
    alert: 'UptimeManyChecksDown',
    when: 'four of twenty checks are down',
    input: { ...readable, ...twenty, ...many((id) => (id < 4 ? '1x60' : '0x60')) },
    at: ['10m'],
  },
  {
    alert: 'UptimeManyChecksDown',
    when: 'five of a thousand checks are down',
    input: {
      ...readable,
      [perAccount('uptime_checks', { check_type: 'http', status: 'up' })]: '995x60',
      ...many((id) => (id < 5 ? '1x60' : '0x60')),
    },
    at: ['10m'],
  },
  {
    alert: 'UptimeCheckDown',
    when: 'an outage ended before it was known',
    input: { ...info, ...readable, [ratio('1h')]: '0x5 0.2x60', [ratio('1d')]: '0x5 0.01x60' },
    at: ['6m', '30m'],
  },
  {
    alert: 'UptimeTransactionFailing',
    when: 'the transaction works',
    input: { ...readable, [transactionOpen]: '0x30' },
    at: ['10m'],
  },
  {
    alert: 'UptimeCheckFlapping',
    when: 'two outages follow each other',
    input: { ...info, ...readable, [open]: '0x3 1x4 0x5 1x4 0x60', [ratio('5m')]: '0x200' },
    at: ['18m', '30m'],
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'the outage is over and the budget is far from used up',
    input: {
      ...info,
      ...readable,
      ...budget(0.6),
      [open]: '0x200',
      ...Object.fromEntries(
        ['5m', '30m', '1h', '2h', '6h', '1d', '3d'].map((window) => [burnRate(window), '100x200']),
      ),
      [burnRate('30d')]: '0.4x200',
    },
    at: ['30m', '150m'],
  },
  {
    alert: 'UptimeTransactionErrorBudgetBurn',
    when: 'the failure is over',
    input: {
      ...readable,
      [transactionOpen]: '0x60',
      [burnRate('1h', 'transaction')]: '100x60',
      [burnRate('5m', 'transaction')]: '100x60',
    },
    at: ['30m'],
  },
  {
    alert: 'UptimeGroupErrorBudgetBurn',
    when: 'the group spends what it may',
    input: { ...readable, [groupBurn('1h')]: '1x60', [groupBurn('5m')]: '1x60' },
    at: ['30m'],
  },
  {
    alert: 'UptimeCheckWasDown',
    when: 'the outage was told when it began',
    input: { ...info, ...readable, [open]: '1x5 0x60', [ratio('1d')]: '0x5 0.01x60' },
    at: ['15m', '50m'],
  },
  {
    alert: 'UptimeTransactionWasFailing',
    when: 'the failure was told when it began',
    input: { ...readable, [transactionOpen]: '1x5 0x60', [ratio('1d', 'transaction')]: '0.01x60' },
    at: ['15m', '50m'],
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'twice the usual is still fast',
    input: {
      ...info,
      [series('uptime_check_average_response_time_seconds', { window: '7d' })]: '0.05x60',
      [lastResponse]: '0.2x60',
    },
    at: ['50m'],
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the check is in maintenance',
    input: { ...info, ...limit, ...usual, [lastResponse]: '28x60', [inMaintenance]: '1x60' },
    at: ['20m', '50m'],
  },
  {
    alert: 'UptimeCheckUnknown',
    when: 'the check is in maintenance',
    input: { ...info, [status('unknown')]: '1x60', [inMaintenance]: '1x60' },
    at: ['50m'],
  },
  {
    alert: 'UptimeCheckPausedTooLong',
    when: 'the check was tested eight days ago and is not paused',
    input: {
      ...info,
      [paused]: '0x20',
      [series('uptime_check_last_test_timestamp_seconds')]: '-691200x20',
    },
    at: ['18m'],
  },
  {
    alert: 'UptimeCheckPausedTooLong',
    when: 'the check has been paused for six days',
    input: {
      ...info,
      [paused]: '1x20',
      [series('uptime_check_last_test_timestamp_seconds')]: '-518400x20',
    },
    at: ['18m'],
  },
  {
    alert: 'UptimeCheckNotifiesNobody',
    when: 'the check is paused',
    input: { ...info, [recipient('user')]: '0x120', [paused]: '1x120' },
    at: ['100m'],
  },
  {
    alert: 'UptimeCheckNotifiesNobody',
    when: 'the service does not say which users are told',
    input: { ...info, [recipient('team')]: '0x120', [recipient('integration')]: '0x120' },
    at: ['70m', '100m'],
  },
  {
    alert: 'UptimeCheckNotifiesNobody',
    when: 'one team is told',
    input: { ...info, [recipient('user')]: '0x120', [recipient('team')]: '1x120' },
    at: ['100m'],
  },
];
