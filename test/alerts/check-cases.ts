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
const burnRate = (kind = 'check') => series(`uptime_${kind}_burn_rate`, { window: '3d' });
/** The share of the error budget that is used. */
const used = (kind = 'check') => series(`uptime_${kind}_burn_rate`, { window: '30d' });
const littleLeft = {
  summary: 'Front page has less than 25 % of its 30-day error budget left',
  description: 'In account shop: 20 % is left, and the last three days used more than their share.',
};
/** 00:02 UTC on the first day of UNIX time; promtool begins at midnight. */
const began = { [series('uptime_check_outage_start_timestamp_seconds')]: '_x3 120x9 stale' };
const countedUntil = (values: string) => ({
  [perAccount('uptime_exporter_counted_until_timestamp_seconds')]: values,
});
const budget = (left: number, kind = 'check') => ({
  [series(`uptime_${kind}_error_budget_remaining_ratio`)]: `${left}x1000`,
});
const objective = (values: string, kind = 'check') => ({
  [series(`uptime_${kind}_objective_ratio`)]: values,
});
const renamed = { name: 'Home page' };
const checkFailed = 'Host www.example.com in account shop.';
const wentDown = {
  labels: { ...ofCheck, ...high, severity: 'critical' },
  summary: 'Front page went down at 00:02 UTC on 1 Jan',
  description: checkFailed,
};
const manyDown = {
  labels: { ...ofAccount, severity: 'critical' },
  summary: 'Many checks in shop have been down since 00:03 UTC on 1 Jan',
  description: 'Account shop, probably one cause: Check 0, Check 1, Check 2, Check 3, Check 4.',
};
const causeKnown = (values: string, kind = 'check') => ({
  [perAccount('uptime_recent_outage_start_timestamp_seconds', {
    kind,
    check_id: '7',
    name: 'Front page',
    outage: '120',
    beginning: 'exact',
    ending: 'open',
    maintenance: 'none',
    cause: 'HTTP Error 500',
  })]: values,
});

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
const groupUsed = series('uptime_group_burn_rate', { window: '30d' }, group);
const groupBurn = series('uptime_group_burn_rate', { window: '3d' }, group);
const up = series('uptime_check_up');
const lastResponse = series('uptime_check_last_response_time_seconds');
const limit = { [series('uptime_check_response_time_threshold_seconds')]: '30x120' };
const usual = {
  [series('uptime_check_average_response_time_seconds', { window: '7d' })]: '0.8x120',
};
const maintenanceUntil3600 = {
  [series('uptime_check_maintenance_end_timestamp_seconds')]: '3600x59 stale',
};
/** A window of the account that another check is in. */
const windowOfAnother = {
  [perAccount('uptime_maintenance_window_end_timestamp_seconds', { maintenance_id: '3' })]:
    '600x60',
  [perAccount('uptime_maintenance_active', { maintenance_id: '3' })]: '1x60',
};
const recipient = (kind: string) =>
  series('uptime_check_notification_recipients', { recipient: kind });
const nobodyTold = {
  labels: { ...ofCheck, severity: 'warning' },
  summary: 'Nobody is notified when Front page fails',
  description: `${who} has no user, team, integration or contact to notify in the service.`,
};

const pausedTooLong = {
  labels: { ...ofCheck, severity: 'info' },
  summary: 'Front page has been paused too long',
  description: `${who} has not been tested for 8 days and is paused. It may have been forgotten.`,
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
      ...wentDown,
      description: `${checkFailed} 58 % of its 30-day error budget is used.`,
    },
  },
  {
    alert: 'UptimeCheckDown',
    when: 'a transaction with the same id has failed, whose cause is known',
    input: {
      ...readable,
      ...began,
      ...causeKnown('120x40', 'transaction'),
      [open]: '_x3 1x9 0x20',
    },
    notYet: '2m',
    firing: '8m',
    resolved: '14m',
    fired: wentDown,
  },
  {
    alert: 'UptimeCheckDown',
    when: 'its cause becomes known minutes later',
    input: {
      ...readable,
      ...began,
      ...countedUntil('0+60x40'),
      ...budget(0.42),
      ...causeKnown('_x6 120x6 stale'),
      [open]: '_x3 1x9 0x20',
    },
    notYet: '2m',
    firing: '8m',
    resolved: '14m',
    fired: {
      labels: { ...ofCheck, ...high, severity: 'critical' },
      summary: 'Front page went down at 00:02 UTC on 1 Jan (HTTP Error 500)',
      description: `${checkFailed} 58 % of its 30-day error budget is used.`,
    },
  },
  {
    alert: 'UptimeCheckDown',
    when: 'it is renamed while it is down: under its new name alone',
    input: {
      ...readable,
      [open]: '1x5 0x40',
      [series('uptime_check_outage_open', { ...high, ...renamed })]: '_x6 1x10 0x20',
      [series('uptime_check_outage_start_timestamp_seconds', renamed)]: '_x6 120x10 stale',
    },
    firing: '8m',
    resolved: '20m',
    fired: {
      labels: { ...ofCheck, ...high, ...renamed, severity: 'critical' },
      summary: 'Home page went down at 00:02 UTC on 1 Jan',
      description: checkFailed,
    },
  },
  {
    alert: 'UptimeCheckDown',
    when: 'the counters have not reached the outage: its budget is not known',
    input: { ...readable, ...began, ...countedUntil('0x40'), ...budget(1), [open]: '_x3 1x9 0x20' },
    notYet: '2m',
    firing: '11m',
    resolved: '14m',
    fired: wentDown,
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
      summary: 'Front page is down',
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
      summary: 'Front page has been failing since 00:02 UTC on 1 Jan (step 3)',
      description: 'Account shop. 150 % of its 30-day error budget is used.',
    },
  },
  {
    alert: 'UptimeManyChecksDown',
    when: 'five of twenty checks are down, until one is up and five minutes more',
    input: {
      ...many((id) => (id < 5 ? `_x3 1x9 ${id === 0 ? 0 : 1}x40` : '0x1 stale')),
      ...twenty,
      ...readable,
    },
    notYet: '2m',
    firing: '6m',
    resolved: '19m',
    fired: manyDown,
  },
  {
    alert: 'UptimeManyChecksDown',
    when: 'five of twenty checks are down, after all checks of another type were deleted',
    input: {
      ...many((id) => (id < 5 ? `_x3 1x9 0x40` : '0x1 stale')),
      ...twenty,
      [perAccount('uptime_checks', { check_type: 'ping', status: 'up' })]: '20 stale',
      ...readable,
    },
    notYet: '2m',
    firing: '6m',
    resolved: '19m',
    fired: manyDown,
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'little of the budget is left, and it is spent faster than it comes back',
    input: { ...readable, [used()]: '0.8x100 0.7x20', [burnRate()]: '4x120' },
    notYet: '14m',
    firing: '20m',
    resolved: '105m',
    fired: { labels: { ...ofCheck, severity: 'warning' }, ...littleLeft },
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'the budget is overspent, the store is lost, and the past is read again an hour later',
    input: {
      ...readable,
      ...objective('0.999x20 stale _x4 0.999x100'),
      [perAccount('uptime_outages_open', { kind: 'check' })]: '0x20 stale _x4 0x100',
      [used()]: '1.4x20 stale _x79 0.2x20',
      [burnRate()]: '4x20 stale _x79 0.5x20',
      [perAccount('uptime_exporter_unread_past_checks')]: '0x20 3x79 0x20',
    },
    notYet: '14m',
    firing: '95m',
    resolved: '105m',
    fired: {
      labels: { ...ofCheck, severity: 'warning' },
      summary: littleLeft.summary,
      description:
        'In account shop: nothing is left, and the last three days used more than their share.',
    },
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'little of the budget is left, and then its outage becomes maintenance before the past of another check is read',
    input: {
      ...readable,
      ...objective('0.999x100'),
      [used()]: '0.8x30 stale',
      [burnRate()]: '4x30 stale',
      [series('uptime_check_error_budget_remaining_ratio')]: '0.2x30 1x60',
      [perAccount('uptime_exporter_unread_past_checks')]: '1x100',
    },
    notYet: '14m',
    firing: '20m',
    resolved: '35m',
    fired: { labels: { ...ofCheck, severity: 'warning' }, ...littleLeft },
  },
  {
    alert: 'UptimeTransactionErrorBudgetBurn',
    when: 'little of the budget is left, and its account is away for two days',
    input: {
      [perAccount('uptime_outages_open', { kind: 'transaction' })]: '1x30 stale',
      [used('transaction')]: '0.8x30 stale',
      [burnRate('transaction')]: '2x30 stale',
    },
    notYet: '14m',
    firing: '20h',
    resolved: '1475m',
    fired: { labels: { ...ofCheck, severity: 'warning' }, ...littleLeft },
  },
  {
    alert: 'UptimeGroupErrorBudgetBurn',
    when: 'little of the budget of a group is left, and it is spent faster than it comes back',
    input: { ...readable, [groupUsed]: '0.8x100', [groupBurn]: '2x60 0.9x40' },
    notYet: '14m',
    firing: '20m',
    resolved: '65m',
    fired: {
      labels: { ...group, severity: 'warning' },
      summary: 'checkout has less than 25 % of its 30-day error budget left',
      description: littleLeft.description,
    },
  },
  {
    alert: 'UptimeNotificationFailed',
    when: 'a text message is not delivered',
    input: {
      [series('uptime_alerts_sent_total', { via: 'sms', status: 'not_delivered' })]: '0x9 1x100',
      [series('uptime_alerts_sent_total', { via: 'sms', status: 'delivered' })]: '0+1x109',
    },
    firing: '15m',
    resolved: '75m',
    fired: {
      labels: { ...ofAccount, via: 'sms', severity: 'warning' },
      summary: 'The service could not deliver a notification of shop by sms',
      description:
        'The service reported within the last hour that a notification of account shop by sms failed. Nobody may have received it.',
    },
  },
  ...(
    [
      ['an outage was over before it was known', '37m'],
      ['it was so, and the exporter has been away for 40 minutes', '100m'],
    ] as const
  ).map(([when, firing]) => ({
    alert: 'UptimeCheckWasDown',
    ...{ when, firing },
    input: { ...readable, [lastStart]: '_x30 1200x30 stale' },
    notYet: '34m',
    resolved: '125m',
    fired: {
      labels: { ...ofCheck, severity: 'info' },
      summary: 'Front page went down at 00:20 UTC on 1 Jan and is up again',
      description: `The outage of ${who} was over before UptimeCheckDown could report it.`,
    },
  })),
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
      summary: 'Front page failed at 00:20 UTC on 1 Jan and works again',
      description:
        'The outage of the transaction Front page (account shop) was over before UptimeTransactionFailing could report it.',
    },
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the response time comes near the threshold',
    input: { ...limit, [up]: '1x120', [lastResponse]: '1x9 28x40 1x60' },
    notYet: '24m',
    firing: '30m',
    resolved: '57m',
    fired: slow('28s'),
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the response time is twice the usual',
    input: { ...limit, ...usual, [up]: '1x120', [lastResponse]: '0.8x9 2x40 0.8x60' },
    notYet: '24m',
    firing: '30m',
    resolved: '57m',
    fired: slow('2s'),
  },
  {
    alert: 'UptimeCheckUnknown',
    when: 'the status is unknown for half an hour',
    input: { [status('unknown')]: '0x4 1x40 0x20' },
    notYet: '34m',
    firing: '40m',
    resolved: '52m',
    fired: {
      labels: { ...ofCheck, severity: 'warning' },
      summary: 'The service does not know whether Front page is up',
      description: `The status of ${who} is unknown. If it went down, nobody would be notified.`,
    },
  },
  {
    alert: 'UptimeCheckInMaintenanceTooLong',
    when: 'it has been in maintenance for more than a day, and its exporter was away for 20 minutes',
    input: { [inMaintenance]: '0x30 1x400 stale _x20 1x1080 0x100' },
    notYet: '1440m',
    firing: '1500m',
    resolved: '1545m',
    fired: {
      labels: { ...ofCheck, severity: 'info' },
      summary: 'Front page has been in maintenance for long',
      description: `${who} is still in maintenance. If it goes down, nobody is notified.`,
    },
  },
  {
    alert: 'UptimeCheckDownInMaintenance',
    when: 'it is down in maintenance that ends in half an hour',
    input: { ...maintenanceUntil3600, [inMaintenance]: '1x60 0x20', [up]: '1x40 0x40' },
    notYet: '40m',
    firing: '45m',
    resolved: '61m',
    fired: {
      labels: { ...ofCheck, severity: 'warning' },
      summary: 'Front page is down, and its maintenance ends soon',
      description: `The maintenance of ${who} ends at 01:00 UTC on 1 Jan. UptimeCheckDown fires if it is still down then.`,
    },
  },
  {
    alert: 'UptimeCheckDownInMaintenance',
    when: 'it is known since when it is down',
    input: {
      ...maintenanceUntil3600,
      ...causeKnown('120x59 stale'),
      [inMaintenance]: '1x60 0x20',
      [up]: '1x40 0x40',
    },
    notYet: '40m',
    firing: '45m',
    resolved: '61m',
    fired: {
      labels: { ...ofCheck, severity: 'warning' },
      summary: 'Front page has been down since 00:02 UTC on 1 Jan, and its maintenance ends soon',
      description: `The maintenance of ${who} ends at 01:00 UTC on 1 Jan. UptimeCheckDown fires if it is still down then.`,
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
    fired: pausedTooLong,
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
    fired: pausedTooLong,
  },
  {
    alert: 'UptimeCheckNotifiesNobody',
    when: 'a check has no recipients of any kind, and the exporter restarts',
    input: { [recipient('user')]: '0x70 stale _ 0x17 1x40', [recipient('team')]: '0x130' },
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
      [perAccount('uptime_checks', { check_type: 'http', status: 'up' })]: '995x60',
      ...readable,
      ...many((id) => (id < 5 ? '1x60' : '0x60')),
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
    when: 'the budget is spent fast, and much of it is left',
    input: { ...readable, [used()]: '0.4x200', [burnRate()]: '100x200' },
    at: ['30m', '150m'],
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'a deleted check had little budget left',
    input: {
      ...readable,
      [used()]: '0.9x20 stale',
      [burnRate()]: '4x20 stale',
      [perAccount('uptime_exporter_unread_past_checks')]: '0x100',
    },
    at: ['23m', '60m'],
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'a deleted check had little budget left, and the past of another one is refused',
    input: {
      ...readable,
      ...objective('0.999x20 stale'),
      [used()]: '0.9x20 stale',
      [burnRate()]: '4x20 stale',
      [perAccount('uptime_exporter_unread_past_checks')]: '1x100',
    },
    at: ['23m', '60m'],
  },
  {
    alert: 'UptimeTransactionErrorBudgetBurn',
    when: 'a deleted transaction had little budget left, and the past of a check is refused',
    input: {
      ...readable,
      ...objective('0.999x20 stale', 'transaction'),
      [used('transaction')]: '0.9x20 stale',
      [burnRate('transaction')]: '4x20 stale',
      [perAccount('uptime_exporter_unread_past_checks')]: '1x100',
    },
    at: ['23m', '60m'],
  },
  {
    alert: 'UptimeGroupErrorBudgetBurn',
    when: 'the last check of a group with little budget left is deleted, and the past of another one is refused',
    input: {
      ...readable,
      [series('uptime_group_objective_ratio', {}, group)]: '0.999x20 stale',
      [groupUsed]: '0.9x20 stale',
      [groupBurn]: '4x20 stale',
      [perAccount('uptime_exporter_unread_past_checks')]: '1x100',
    },
    at: ['23m', '60m'],
  },
  {
    alert: 'UptimeTransactionErrorBudgetBurn',
    when: 'it has not failed for three days',
    input: { ...readable, [used('transaction')]: '0.9x60', [burnRate('transaction')]: '0x60' },
    at: ['30m'],
  },
  {
    alert: 'UptimeGroupErrorBudgetBurn',
    when: 'the group spends what it may',
    input: { ...readable, [groupUsed]: '0.9x60', [groupBurn]: '1x60' },
    at: ['30m'],
  },
  {
    alert: 'UptimeNotificationFailed',
    when: 'an older copy of the store is restored',
    input: { [series('uptime_alerts_sent_total', { via: 'sms', status: 'error' })]: '6x10 5x60' },
    at: ['12m', '50m'],
  },
  {
    alert: 'UptimeCheckWasDown',
    when: 'the outage was told when it was open',
    input: { ...readable, [open]: '_x20 1x5 0x100', [lastStart]: '_x26 1140x100' },
    at: ['40m', '90m'],
  },
  {
    alert: 'UptimeCheckWasDown',
    when: 'the outage was told when it was open, and then the exporter is away',
    input: { ...readable, [open]: '_x20 1x5 0x3 stale', [lastStart]: '_x26 1140x3 stale' },
    at: ['40m', '80m'],
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
    when: 'the check is down',
    input: { ...limit, ...usual, [up]: '0x60', [lastResponse]: '28x60' },
    at: ['20m', '50m'],
  },
  {
    alert: 'UptimeCheckUnknown',
    when: 'the check is in maintenance',
    input: { [status('unknown')]: '1x60', [inMaintenance]: '1x60' },
    at: ['50m'],
  },
  {
    alert: 'UptimeCheckInMaintenanceTooLong',
    when: 'it is in maintenance every night',
    input: { [inMaintenance]: '1x480 0x960 1x480 0x960' },
    at: ['470m', '1500m', '2000m'],
  },
  {
    alert: 'UptimeCheckDownInMaintenance',
    when: 'its maintenance goes on for an hour, and that of another check ends',
    input: {
      ...maintenanceUntil3600,
      ...windowOfAnother,
      [inMaintenance]: '1x60',
      [up]: '0x60',
    },
    at: ['5m', '29m'],
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
