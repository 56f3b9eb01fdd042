import { host, info, ofCheck, type QuietCase, series, type Timeline } from './alert-case.ts';
import type { Expression, Fired, Input } from './promtool-rules.ts';

const seconds = 'uptime_check_state_seconds_total';
const state = (name: string) => series(seconds, { state: name });
const maintenance = (name: string) =>
  series('uptime_check_maintenance_seconds_total', { state: name });
const who = 'Front page (www.example.com, account shop)';

/** Up but for ten minutes from `minute` on; `up` and `down` seconds were counted before the first scrape. */
const outage = (minute: number, length = 10, { up, down } = { up: 0, down: 0 }) => {
  const upThen = up + 60 * minute;
  return {
    [state('up')]: `${up}+60x${minute - 1} ${upThen}x${length - 1} ${upThen}+60x9000`,
    [state('down')]: `${down}x${minute - 1} ${down}+60x${length - 1} ${down + 60 * length}x9000`,
  };
};

/** 99.5 days up and half a day down. */
const longWatched = { up: 8_596_800, down: 43_200 };

const renamed = { name: 'Home page', team: 'web' };

const burn = (
  over: string,
  rate: string,
  value: string,
  severity: string,
  windows: { long_window: string; short_window: string },
) => ({
  labels: { ...ofCheck, ...host, severity, ...windows },
  summary: `Front page burns its error budget ${value} times too fast`,
  description: `Over the last ${over}, ${who} was down more than ${rate} times as much as its objective allows, planned maintenance left out. The budget of 30 days is gone in 30 / ${value} days.`,
});

const fast = (value: string) =>
  burn('1h and 5m', '14.4', value, 'critical', { long_window: '1h', short_window: '5m' });
const steady = (value: string) =>
  burn('6h and 30m', '6', value, 'critical', { long_window: '6h', short_window: '30m' });
const daily = (value: string) =>
  burn('1d and 2h', '3', value, 'warning', { long_window: '1d', short_window: '2h' });
const slow = (value: string) =>
  burn('3d and 6h', '1', value, 'warning', { long_window: '3d', short_window: '6h' });

/**
 * Ten minutes down after ten hours up, with an objective of 99.9 %. The rates are seconds down by 0.1 %
 * of the window, where a day and three days count as half watched.
 */
export const sloTimelines: readonly Timeline[] = [
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'Prometheus is new and the check was down for half a day long ago',
    input: { ...info, ...outage(600, 10, longWatched) },
    expected: {
      '100m': [],
      '599m': [],
      '612m': [fast('166.7'), steady('27.8')],
      '630m': [steady('27.8'), daily('13.9')],
      '700m': [daily('13.9'), slow('4.6')],
      '980m': [],
    },
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'the check gets another name and another label after its outage',
    input: {
      [series('uptime_check_info', { ...host, severity: 'high' })]: '1x639 stale',
      [series('uptime_check_info', { ...host, ...renamed, severity: 'high' })]: '_x640 1x900',
      [state('up')]: '8596800+60x599 8632800x9 8632800+60x29 stale',
      [state('down')]: '43200x599 43200+60x9 43800x29 stale',
      [series(seconds, { ...renamed, state: 'up' })]: '_x640 8634600+60x900',
      [series(seconds, { ...renamed, state: 'down' })]: '_x640 43800x900',
    },
    expected: {
      '599m': [],
      '630m': [steady('27.8'), daily('13.9')],
      '710m': [afterRenaming(daily('13.9')), afterRenaming(slow('4.6'))],
      '980m': [],
    },
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'an outage of ten minutes burns through one window after the other',
    input: { ...info, ...outage(600) },
    expected: {
      '602m': [],
      '606m': [fast('100.0')],
      '612m': [fast('166.7'), steady('27.8')],
      '630m': [steady('27.8'), daily('13.9')],
      '700m': [daily('13.9'), slow('4.6')],
      '980m': [],
    },
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'half of an outage is planned: of the other 3,300 seconds of the hour 300 count',
    input: { ...info, ...outage(600), [maintenance('down')]: '_x600 0+60x4 300x400' },
    expected: { '602m': [], '610m': [fast('90.9')], '980m': [] },
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'a tag gives the check an objective of 99 %',
    input: {
      ...info,
      ...outage(600),
      [series('uptime_check_tag_info', { tag: 'slo-99', tag_source: 'user' })]: '1x9000',
    },
    expected: { '609m': [], '612m': [fast('16.7')], '980m': [] },
  },
];

/** What the recorded series say once the ten minutes are over; a window of 30 days counts as half watched. */
export const sloRecordings: readonly {
  readonly when: string;
  readonly input: Input;
  readonly expressions: readonly Expression[];
}[] = [
  {
    when: 'the objective is 99.9 %',
    input: { ...info, ...outage(600) },
    expressions: [
      { expr: 'uptime:check_objective:ratio', at: '700m', samples: [objective(0.999)] },
      left('599m', 10_000),
      // 600 s of the 1,296 s that 15 days allow.
      left('700m', 5370),
    ],
  },
  {
    when: 'a tag gives the check an objective of 99 %',
    input: {
      ...info,
      ...outage(600),
      [series('uptime_check_tag_info', { tag: 'slo-99', tag_source: 'user' })]: '1x9000',
    },
    expressions: [
      { expr: 'uptime:check_objective:ratio', at: '700m', samples: [objective(0.99)] },
      left('700m', 9537),
    ],
  },
  {
    when: 'Prometheus is new and the check was down for half a day long ago',
    input: { ...info, ...outage(600, 10, longWatched) },
    expressions: [left('1m', 10_000), left('599m', 10_000), left('700m', 5370)],
  },
  {
    when: 'there are no samples from where the window begins',
    input: {
      ...info,
      [state('up')]: '8596800+60x60 _x120 8607660+60x218 8620740x8 8620800+60x200',
      [state('down')]: '43200x60 _x120 43200x218 43260+60x8 43740x200',
    },
    // 540 s of the 16.14 s that the objective allows in the 269 minutes since the gap.
    expressions: [burnRate('6h', '390m', 0), burnRate('6h', '450m', 33.5)],
  },
  {
    when: 'the counters of a young check were lost',
    input: {
      ...info,
      [state('up')]: '36000+60x99 0+60x600',
      [state('down')]: '60x99 0+60x4 300x600',
    },
    // 300 s of the 20.7 s that the objective allows in the 345 minutes counted since.
    expressions: [burnRate('6h', '440m', 14.5)],
  },
  {
    when: 'the whole outage is planned maintenance',
    input: { ...info, ...outage(600), [maintenance('down')]: '_x605 300x4 600x400' },
    expressions: [left('700m', 10_000)],
  },
];

function objective(value: number) {
  const { name: _, ...labels } = ofCheck;
  return { labels: series('uptime:check_objective:ratio', {}, labels), value };
}

function afterRenaming({ labels, summary, description }: Fired): Fired {
  const anew = (text: string) => text.replaceAll('Front page', renamed.name);
  return {
    labels: { ...labels, ...renamed },
    summary: anew(summary),
    description: anew(description),
  };
}

function burnRate(window: string, at: string, value: number): Expression {
  const expr = `round(uptime:check_burn_rate:${window} * 10)`;
  return { expr, at, samples: [{ labels: series(''), value: value * 10 }] };
}

/** In parts of ten thousand. */
function left(at: string, value: number): Expression {
  const expr = 'round(uptime:check_error_budget_left:ratio * 10000)';
  return { expr, at, samples: [{ labels: series(''), value }] };
}

export const quietSloCases: readonly QuietCase[] = [
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'all of the outage is planned maintenance, booked at once',
    input: {
      ...info,
      [state('up')]: '0+60x599 36000x59 36000+60x300',
      [state('down')]: '0x659 3600x300',
      [maintenance('down')]: '_x660 3600x300',
    },
    at: ['601m', '661m', '665m', '700m', '800m'],
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'the check is paused: nothing is counted',
    input: { ...info, [state('up')]: '36000x900', [state('down')]: '900x900' },
    at: ['10m', '700m'],
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'the exporter lost its counters and began again at 0',
    input: {
      ...info,
      [state('up')]: '864000+60x599 0+60x900',
      [state('down')]: '8640x599 0x900',
    },
    at: ['599m', '601m', '605m', '660m', '900m'],
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'a restarted exporter goes on counting where it was',
    input: {
      ...info,
      [state('up')]: '864000+60x599 stale _x20 901200+60x900',
      [state('down')]: '864x599 stale _x20 864x900',
    },
    at: ['599m', '622m', '625m', '681m', '982m'],
  },
  {
    alert: 'UptimeCheckErrorBudgetBurn',
    when: 'the check list is stale, whatever was counted',
    input: {
      ...outage(600, 60),
      [series('uptime_check_info', { ...host, severity: 'high' })]: '1x599 stale',
    },
    at: ['660m'],
  },
];
