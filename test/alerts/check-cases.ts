import {
  type AlertCase,
  host,
  info,
  lowInfo,
  ofAccount,
  ofCheck,
  type QuietCase,
  series,
} from './alert-case.ts';

const status = (name: string) => series('uptime_check_status', { status: name });
const inMaintenance = series('uptime_check_in_maintenance');
const paused = series('uptime_check_paused');
const who = 'Front page (www.example.com, account shop)';

const many = (values: (id: number) => string) =>
  Object.fromEntries(
    Array.from({ length: 20 }, (_, id) => [
      series('uptime_check_status', { check_id: `${id}`, status: 'down' }),
      values(id),
    ]),
  );
const manyUp = Object.fromEntries(
  Array.from({ length: 20 }, (_, id) => [series('uptime_check_up', { check_id: `${id}` }), '1x60']),
);

const lastResponse = series('uptime_check_last_response_time_seconds');
const limit = { [series('uptime_check_response_time_threshold_seconds')]: '30x120' };
const usual = {
  [series('uptime_check_average_response_time_seconds', { window: '7d' })]: '0.5x120',
};
const recipient = (kind: string) =>
  series('uptime_check_notification_recipients', { recipient: kind });
const nobodyTold = {
  labels: { ...ofCheck, ...host, severity: 'warning' },
  summary: 'Nobody is told when Front page fails',
  description: `${who} has no user, team, integration or contact to notify in the service.`,
};

export const checkCases: readonly AlertCase[] = [
  {
    alert: 'UptimeCheckDown',
    when: 'a check is confirmed down',
    input: { ...info, [status('down')]: '0x2 1x9 0x10' },
    notYet: '3m',
    firing: '5m',
    resolved: '14m',
    fired: {
      labels: { ...ofCheck, ...host, status: 'down', severity: 'critical' },
      summary: 'Front page is down',
      description: `The service finds ${who} down, confirmed by a second test. It is neither paused nor in maintenance.`,
    },
  },
  {
    alert: 'UptimeCheckDown',
    when: 'a check of low importance is down',
    input: { ...lowInfo, [status('down')]: '0x2 1x9 0x10' },
    notYet: '3m',
    firing: '5m',
    resolved: '14m',
    fired: {
      labels: { ...ofCheck, ...host, status: 'down', severity: 'warning' },
      summary: 'Front page is down',
      description: `The service finds ${who} down, confirmed by a second test. It is neither paused nor in maintenance.`,
    },
  },
  {
    alert: 'UptimeManyChecksDown',
    when: 'five of twenty checks are down',
    input: { ...manyUp, ...many((id) => (id < 5 ? '0x2 1x9 0x40' : '0x60')) },
    notYet: '4m',
    firing: '6m',
    resolved: '14m',
    fired: {
      labels: { ...ofAccount, severity: 'critical' },
      summary: '25% of the checks of shop are down',
      description:
        'So many checks of account shop are down at once that they are likely to have one cause: 25% of those that are tested.',
    },
  },
  {
    alert: 'UptimeCheckFlapping',
    when: 'a check has four outages within an hour',
    input: { ...info, [series('uptime_check_outages_total')]: '9x10 10x9 11x9 12x9 13x120' },
    notYet: '38m',
    firing: '45m',
    resolved: '90m',
    fired: {
      labels: { ...ofCheck, ...host, severity: 'warning' },
      summary: 'Front page goes up and down',
      description: `${who} had 4 outages within 1h.`,
    },
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the response time comes near the threshold',
    input: { ...info, ...limit, [lastResponse]: '1x9 28x40 1x60' },
    notYet: '30m',
    firing: '45m',
    resolved: '70m',
    fired: {
      labels: { ...ofCheck, ...host, severity: 'warning', against: 'threshold' },
      summary: 'Front page is nearly too slow',
      description: `${who} took 28s on average of the last 15m: more than 80 % of the response time from which the service counts it as down.`,
    },
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the response time is twice the usual',
    input: { ...info, ...limit, ...usual, [lastResponse]: '0.5x9 2x40 0.5x60' },
    notYet: '24m',
    firing: '45m',
    resolved: '70m',
    fired: {
      labels: { ...ofCheck, ...host, severity: 'warning', against: 'usual' },
      summary: 'Front page is slower than usual',
      description: `${who} took 2s on average of the last 15m: more than 2 times its average of the last 7 days.`,
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
      labels: { ...ofCheck, ...host, status: 'unknown', severity: 'warning' },
      summary: 'The service does not know whether Front page is up',
      description: `The status of ${who} has been unknown for 30m: nobody would be told if it were down.`,
    },
  },
  {
    alert: 'UptimeCheckPausedTooLong',
    when: 'a paused check was last tested eight days ago',
    input: {
      ...info,
      [paused]: '1x6 0x20',
      [series('uptime_check_last_test_timestamp_seconds')]: '-691200x6 600x20',
    },
    firing: '3m',
    resolved: '12m',
    fired: {
      labels: { ...ofCheck, ...host, severity: 'info' },
      summary: 'Front page has been paused for 8 days',
      description: `${who} was last tested 8 days ago and is paused. It may have been forgotten.`,
    },
  },
  {
    alert: 'UptimeCheckPausedTooLong',
    when: 'a paused check was never tested and is eight days old',
    input: {
      ...info,
      [paused]: '1x6 0x20',
      [series('uptime_check_created_timestamp_seconds')]: '-691200x26',
    },
    firing: '3m',
    resolved: '12m',
    fired: {
      labels: { ...ofCheck, ...host, severity: 'info' },
      summary: 'Front page has been paused for 8 days',
      description: `${who} was last tested 8 days ago and is paused. It may have been forgotten.`,
    },
  },
  {
    alert: 'UptimeCheckNotifiesNobody',
    when: 'a check has no recipients of any kind',
    input: { ...info, [recipient('user')]: '0x90 1x20', [recipient('team')]: '0x110' },
    notYet: '59m',
    firing: '70m',
    resolved: '95m',
    fired: nobodyTold,
  },
  {
    alert: 'UptimeCheckNotifiesNobody',
    when: 'a check of API 2.x has no contacts',
    input: { ...info, [recipient('contact')]: '0x90 1x20' },
    notYet: '59m',
    firing: '70m',
    resolved: '95m',
    fired: nobodyTold,
  },
  {
    alert: 'UptimeCheckInMaintenance',
    when: 'a check is in maintenance',
    input: { [inMaintenance]: '0x2 1x5 0x5' },
    firing: '4m',
    resolved: '10m',
    fired: {
      labels: { ...ofCheck, severity: 'none' },
      summary: 'Front page is in maintenance',
      description:
        'Front page of account shop is in maintenance. This alert tells nobody; it silences the others of the same check.',
    },
  },
];

export const quietCheckCases: readonly QuietCase[] = [
  {
    alert: 'UptimeCheckDown',
    when: 'the check is paused',
    input: { ...info, [status('paused')]: '1x30', [status('down')]: '0x30' },
    at: ['5m', '20m'],
  },
  {
    alert: 'UptimeCheckDown',
    when: 'the failure is not confirmed',
    input: { ...info, [status('unconfirmed_down')]: '1x30', [status('down')]: '0x30' },
    at: ['5m', '20m'],
  },
  {
    alert: 'UptimeCheckDown',
    when: 'the check is in maintenance',
    input: { ...info, [status('down')]: '1x30', [inMaintenance]: '1x30' },
    at: ['5m', '20m'],
  },
  {
    alert: 'UptimeCheckDown',
    when: 'the data were withdrawn as stale',
    input: { [status('down')]: '1x5 stale', ...shortInfo() },
    at: ['7m', '20m'],
  },
  {
    alert: 'UptimeCheckDown',
    when: 'the exporter restarts while the check is up',
    input: {
      ...info,
      [status('down')]: '0x5 stale _x3 0x20',
      [status('up')]: '1x5 stale _x3 1x20',
    },
    at: ['7m', '11m', '20m'],
  },
  {
    alert: 'UptimeManyChecksDown',
    when: 'four of twenty checks are down',
    input: { ...manyUp, ...many((id) => (id < 4 ? '1x60' : '0x60')) },
    at: ['10m'],
  },
  {
    alert: 'UptimeManyChecksDown',
    when: 'all that are down are in maintenance',
    input: {
      ...manyUp,
      ...many((id) => (id < 8 ? '1x60' : '0x60')),
      ...Object.fromEntries(
        Array.from({ length: 8 }, (_, id) => [
          series('uptime_check_in_maintenance', { check_id: `${id}` }),
          '1x60',
        ]),
      ),
    },
    at: ['10m'],
  },
  {
    alert: 'UptimeCheckFlapping',
    when: 'the counter of many outages is reset, and two more follow',
    input: { ...info, [series('uptime_check_outages_total')]: '50x10 0x10 1x10 2x60' },
    at: ['15m', '40m', '60m'],
  },
  {
    alert: 'UptimeCheckFlapping',
    when: 'a restarted exporter goes on counting where it was',
    input: { ...info, [series('uptime_check_outages_total')]: '50x10 stale _x8 50x60' },
    at: ['12m', '25m', '60m'],
  },
  {
    alert: 'UptimeCheckSlow',
    when: 'the check is paused and its last response was slow',
    input: { ...info, ...limit, ...usual, [lastResponse]: '28x60', [paused]: '1x60' },
    at: ['20m', '50m'],
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
    alert: 'UptimeCheckUnknown',
    when: 'the check is in maintenance',
    input: { ...info, [status('unknown')]: '1x60', [inMaintenance]: '1x60' },
    at: ['50m'],
  },
  {
    alert: 'UptimeCheckUnknown',
    when: 'the check is paused',
    input: { ...info, [status('unknown')]: '0x60', [status('paused')]: '1x60' },
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
    at: ['10m'],
  },
  {
    alert: 'UptimeCheckPausedTooLong',
    when: 'the check has been paused for six days',
    input: {
      ...info,
      [paused]: '1x20',
      [series('uptime_check_last_test_timestamp_seconds')]: '-518400x20',
    },
    at: ['10m'],
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
  {
    alert: 'UptimeCheckInMaintenance',
    when: 'the next maintenance is to come',
    input: {
      [inMaintenance]: '0x20',
      [series('uptime_check_next_maintenance_start_timestamp_seconds')]: '3600x20',
    },
    at: ['10m'],
  },
];

function shortInfo() {
  return { [series('uptime_check_info', { ...host, severity: 'high' })]: '1x5 stale' };
}
