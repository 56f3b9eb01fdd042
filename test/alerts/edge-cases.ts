import { high, ofAccount, ofCheck, series } from './alert-case.ts';
import type { Input, RuleCase } from './promtool-rules.ts';

/** In seconds. With these two intervals, no scrape coincides with an evaluation. */
export interface Pace {
  readonly scrape: number;
  readonly phase: number;
  readonly evaluation: number;
}

export const paces: readonly Pace[] = [
  { scrape: 30, phase: 20, evaluation: 15 },
  { scrape: 15, phase: 7, evaluation: 20 },
  { scrape: 60, phase: 45, evaluation: 45 },
  { scrape: 120, phase: 7, evaluation: 60 },
];

/** The value of a series at a minute; undefined if the scrape does not contain it. */
type Values = (minute: number) => number | undefined;

interface Edge {
  readonly name: string;
  readonly minutes: number;
  /** Seconds between two evaluations if not the pace's; long if Prometheus was stopped. */
  readonly evaluation?: number;
  readonly series: Readonly<Record<string, Values>>;
  /**
   * For each minute, the labels of the firing alerts, or the number of series of the expression.
   */
  readonly firing: Readonly<Record<number, readonly Readonly<Record<string, string>>[]>>;
  readonly alert?: string;
  /** An expression to evaluate instead of the firing alerts. */
  readonly expr?: string;
  /** Labels that distinguish the firing alerts. */
  readonly by: string;
}

const known = (kind = 'check', more = {}) =>
  series('uptime_outages_open', { kind, ...more }, ofAccount);
const open = (more = {}) => series('uptime_check_outage_open', { ...high, ...more }, ofCheck);
const flapping = series('uptime_check_flapping', high, ofCheck);
const group = { ...ofAccount, group: 'checkout' };
const groupBurn = series('uptime_group_burn_rate', { window: '3d' }, group);
const groupUsed = series('uptime_group_burn_rate', { window: '30d' }, group);
const failure = (reason: string) =>
  series('uptime_exporter_account_failure', { reason }, ofAccount);
const response = series('uptime_check_last_response_time_seconds', {}, ofCheck);
const info = (more: Readonly<Record<string, string>>) =>
  series(
    'uptime_account_info',
    { base_url: 'https://api.example.com', first_check: '7', ...more },
    ofAccount,
  );
const start = series('uptime_check_last_outage_start_timestamp_seconds', {}, ofCheck);

const between = (from: number, to: number) => (minute: number) => minute >= from && minute < to;
/** Whether an outage of each of five checks is open in a minute. */
const fiveOpen = (isOpen: (minute: number, id: number) => boolean) =>
  Object.fromEntries(
    [1, 2, 3, 4, 5].map((id): [string, Values] => [
      open({ check_id: `${id}` }),
      (minute) => (isOpen(minute, id) ? 1 : 0),
    ]),
  );
/** The value of the first span that contains a minute. */
const spans =
  (...list: readonly (readonly [from: number, to: number, value: number])[]): Values =>
  (minute) =>
    list.find(([from, to]) => between(from, to)(minute))?.[2];
/** The values without those in [from, to): the scrapes there fail. */
const but =
  (from: number, to: number, values: Values): Values =>
  (minute) =>
    between(from, to)(minute) ? undefined : values(minute);
const always: Values = () => 1;
const failedScrape = [100, 102.5] as const;

const edges: readonly Edge[] = [
  {
    name: 'promoted labels change while the check is down, it recovers, and a scrape fails',
    minutes: 150,
    by: 'team',
    series: {
      [known()]: but(...failedScrape, always),
      [open({ team: 'old' })]: but(...failedScrape, spans([10, 30, 1], [30, 150, 0])),
      [open({ team: 'new' })]: but(...failedScrape, spans([30, 60, 1], [60, 150, 0])),
    },
    firing: {
      25: [{ team: 'old' }],
      35: [{ team: 'new' }],
      70: [],
      101: [],
      102: [],
      110: [],
    },
  },
  {
    name: 'the series under the old labels end without their 0, and a scrape fails',
    minutes: 150,
    by: 'team',
    series: {
      [known()]: but(...failedScrape, always),
      [open({ team: 'old' })]: spans([10, 30, 1]),
      [open({ team: 'new' })]: but(...failedScrape, spans([30, 120, 1], [120, 150, 0])),
    },
    firing: { 25: [{ team: 'old' }], 35: [{ team: 'new' }], 101: [{ team: 'new' }], 125: [] },
  },
  {
    name: 'the store is lost while the check is down, it recovers, and the exporter restarts an hour later',
    minutes: 150,
    by: 'check_id',
    series: {
      [known()]: but(30, 34, but(95, 100, always)),
      [open()]: spans([10, 30, 1]),
    },
    firing: { 25: [{ check_id: '7' }], 32: [{ check_id: '7' }], 40: [], 97: [], 120: [] },
  },
  {
    name: 'the exporter moves to another address without relabelling, the check recovers, and a scrape fails',
    minutes: 150,
    by: 'instance',
    series: {
      [known()]: spans([0, 30, 1]),
      [open()]: spans([10, 30, 1]),
      [known('check', { instance: 'new:9158' })]: but(...failedScrape, spans([32, 150, 1])),
      [open({ instance: 'new:9158' })]: but(...failedScrape, spans([32, 60, 1], [60, 150, 0])),
    },
    firing: {
      25: [{ instance: 'exporter:9158' }],
      31: [{ instance: 'exporter:9158' }],
      40: [{ instance: 'new:9158' }],
      70: [],
      101: [],
      120: [],
    },
  },
  {
    name: 'a new store, and the service does not answer for half an hour',
    minutes: 150,
    by: 'check_id',
    series: {
      [series('uptime_up', {}, ofAccount)]: spans([0, 30, 1], [32, 62, 0], [62, 150, 1]),
      [known()]: spans([0, 30, 1], [62, 150, 1]),
      [open()]: spans([10, 30, 1], [62, 100, 1], [100, 150, 0]),
    },
    firing: {
      25: [{ check_id: '7' }],
      33: [{ check_id: '7' }],
      60: [{ check_id: '7' }],
      70: [{ check_id: '7' }],
      105: [],
    },
  },
  {
    name: 'a new store, and transactions are read eight minutes after the checks',
    alert: 'UptimeTransactionFailing',
    minutes: 100,
    by: 'check_id',
    series: {
      [known()]: spans([0, 30, 1], [32, 100, 1]),
      [known('transaction')]: spans([0, 30, 1], [40, 100, 1]),
      [series('uptime_transaction_outage_open', { importance: 'high' }, ofCheck)]: spans(
        [10, 30, 1],
        [40, 70, 1],
        [70, 100, 0],
      ),
    },
    firing: { 25: [{ check_id: '7' }], 38: [{ check_id: '7' }], 60: [{ check_id: '7' }], 75: [] },
  },
  {
    name: 'outages are scraped apart from the rest of the page, and that scrape fails alone',
    minutes: 60,
    by: 'check_id',
    series: {
      [series('uptime_up', {}, ofAccount)]: always,
      [known()]: but(20, 22.5, always),
      [open()]: but(20, 22.5, spans([10, 40, 1], [40, 60, 0])),
    },
    firing: { 15: [{ check_id: '7' }], 21: [{ check_id: '7' }], 30: [{ check_id: '7' }], 45: [] },
  },
  {
    name: 'a check flaps: nothing is resolved between its outages, also when a scrape fails',
    minutes: 150,
    by: 'check_id',
    series: {
      [known()]: but(53, 55.5, always),
      [open()]: but(53, 55.5, (minute) => {
        if (minute < 10) return undefined;
        return minute < 50 && minute % 10 < 5 ? 1 : 0;
      }),
      [flapping]: but(53, 55.5, spans([30, 80, 1], [80, 150, 0])),
    },
    firing: Object.fromEntries(
      [31, 33, 36, 38, 39, 41, 44, 46, 49, 52, 54, 58, 79]
        .map((minute) => [minute, [{ check_id: '7' }]] as const)
        .concat([[85, []]] as never),
    ),
  },
  {
    name: 'two exporters of one job have accounts of one name, and one of them dies',
    minutes: 100,
    by: 'instance, check_id',
    series: {
      [known()]: spans([0, 30, 1]),
      [open()]: spans([10, 30, 1]),
      [known('check', { instance: 'other:9158' })]: always,
      [open({ instance: 'other:9158', check_id: '99' })]: spans([10, 40, 1], [40, 100, 0]),
    },
    firing: {
      25: [
        { check_id: '7', instance: 'exporter:9158' },
        { check_id: '99', instance: 'other:9158' },
      ],
      60: [{ check_id: '7', instance: 'exporter:9158' }],
      95: [{ check_id: '7', instance: 'exporter:9158' }],
    },
  },
  {
    name: 'a check has error budget again before the past of another one is read',
    minutes: 90,
    alert: 'UptimeCheckErrorBudgetBurn',
    by: 'check_id',
    series: {
      [known()]: always,
      [series('uptime_exporter_unread_past_checks', {}, ofAccount)]: always,
      [series('uptime_check_burn_rate', { window: '30d' }, ofCheck)]: spans(
        [0, 60, 0.9],
        [60, 90, 0.1],
      ),
      [series('uptime_check_burn_rate', { window: '3d' }, ofCheck)]: () => 4,
      [series('uptime_check_objective_ratio', {}, ofCheck)]: always,
      [series('uptime_check_error_budget_remaining_ratio', {}, ofCheck)]: spans(
        [0, 60, 0.1],
        [60, 90, 0.9],
      ),
    },
    firing: { 40: [{ check_id: '7' }], 70: [] },
  },
  {
    name: 'a reload removes the account while its check is down',
    minutes: 60,
    by: 'check_id',
    series: { [known()]: spans([0, 30, 1]), [open()]: spans([10, 30, 1], [30, 60, 0]) },
    firing: { 25: [{ check_id: '7' }], 35: [], 50: [] },
  },
  {
    name: 'an account is removed while its check is down, and another one stays',
    minutes: 60,
    by: 'check_id',
    series: {
      [known()]: spans([0, 30, 1]),
      [open()]: spans([10, 30, 1]),
      [known('check', { account: 'blog' })]: always,
      [series('uptime_exporter_account_removed', {}, ofAccount)]: spans([30, 60, 1]),
    },
    firing: { 25: [{ check_id: '7' }], 35: [], 50: [] },
  },
  {
    name: 'Prometheus is away for eleven minutes again and again, and the exporter meanwhile',
    minutes: 200,
    evaluation: 660,
    by: 'check_id, team',
    series: {
      [known()]: spans([0, 60, 1], [150, 200, 1]),
      // It ended without the final 0.
      [open({ team: 'old' })]: spans([5, 14, 1]),
      [open({ team: 'new' })]: spans([14, 60, 1], [150, 200, 0]),
    },
    firing: {
      55: [{ check_id: '7', team: 'new' }],
      77: [{ check_id: '7', team: 'new' }],
      143: [{ check_id: '7', team: 'new' }],
      154: [],
    },
  },
  {
    name: 'the exporter is away for 27 hours: what was open stays for a day, what had ended does not come back',
    minutes: 1700,
    evaluation: 60,
    by: 'check_id',
    series: {
      [known()]: spans([0, 60, 1], [1680, 1700, 1]),
      [open()]: spans([10, 60, 1], [1680, 1700, 1]),
      [open({ check_id: '8' })]: spans([10, 40, 1], [40, 60, 0]),
    },
    firing: {
      50: [{ check_id: '7' }],
      100: [{ check_id: '7' }],
      1490: [{ check_id: '7' }],
      1510: [],
      1690: [{ check_id: '7' }],
    },
  },
  {
    name: 'an outage begins and ends while Prometheus is away',
    alert: 'UptimeCheckWasDown',
    minutes: 120,
    evaluation: 330,
    by: 'check_id',
    series: { [known()]: always, [open()]: spans([31, 120, 0]), [start]: spans([31, 120, 1700]) },
    firing: { 33: [], 55: [{ check_id: '7' }], 110: [{ check_id: '7' }] },
  },
  {
    name: 'an outage begins and ends while Prometheus is away for an hour and a half',
    alert: 'UptimeCheckWasDown',
    minutes: 200,
    evaluation: 5400,
    by: 'check_id',
    series: { [known()]: always, [open()]: spans([81, 200, 0]), [start]: spans([81, 200, 4800]) },
    firing: { 91: [], 181: [{ check_id: '7' }] },
  },
  {
    name: 'an outage was reported, and then Prometheus is away for an hour and a half',
    alert: 'UptimeCheckWasDown',
    minutes: 400,
    evaluation: 5400,
    by: 'check_id',
    series: {
      [known()]: always,
      [open()]: spans([85, 95, 1], [95, 400, 0]),
      [start]: spans([95, 400, 5100]),
    },
    firing: { 181: [], 271: [], 361: [] },
  },
  {
    name: 'an outage was reported, and its exporter is moved afterwards',
    alert: 'UptimeCheckWasDown',
    minutes: 120,
    by: 'check_id',
    series: {
      [known()]: spans([0, 50, 1]),
      [open()]: spans([20, 30, 1], [30, 50, 0]),
      [start]: spans([30, 50, 1180]),
      [known('check', { instance: 'new:9158' })]: spans([52, 120, 1]),
      [series(
        'uptime_check_last_outage_start_timestamp_seconds',
        { instance: 'new:9158' },
        ofCheck,
      )]: spans([52, 120, 1180]),
    },
    firing: { 45: [], 70: [], 110: [] },
  },
  {
    name: 'the store is lost while the check is down, and the first list does not know its status',
    minutes: 100,
    by: 'check_id',
    series: {
      [known()]: but(30, 34, always),
      [open()]: spans([10, 30, 1], [50, 70, 1], [70, 100, 0]),
      [series('uptime_check_status', { status: 'unknown' }, ofCheck)]: spans([34, 50, 1]),
    },
    firing: { 25: [{ check_id: '7' }], 40: [{ check_id: '7' }], 60: [{ check_id: '7' }], 75: [] },
  },
  {
    name: 'the store is lost while a transaction fails, which is switched off before the first list',
    alert: 'UptimeTransactionFailing',
    minutes: 100,
    by: 'check_id',
    series: {
      [known('transaction')]: but(30, 34, always),
      [series('uptime_transaction_outage_open', { importance: 'high' }, ofCheck)]: spans([
        10, 30, 1,
      ]),
      [series('uptime_transaction_status', { status: 'unknown' }, ofCheck)]: spans([34, 100, 1]),
      [series('uptime_transaction_active', {}, ofCheck)]: spans([0, 30, 1], [34, 100, 0]),
    },
    firing: { 25: [{ check_id: '7' }], 32: [{ check_id: '7' }], 40: [] },
  },
  {
    name: 'the store is lost while a group has little budget left, and a scrape fails',
    alert: 'UptimeGroupErrorBudgetBurn',
    minutes: 100,
    by: 'severity',
    series: {
      [known()]: but(40, 44, but(70, 72.5, always)),
      [series('uptime_exporter_unread_past_checks', {}, ofAccount)]: but(
        40,
        44,
        but(70, 72.5, spans([0, 44, 0], [44, 60, 5], [60, 100, 0])),
      ),
      [groupUsed]: but(70, 72.5, spans([0, 40, 0.8], [60, 90, 0.8], [90, 100, 0.7])),
      [groupBurn]: but(70, 72.5, spans([0, 40, 3], [60, 90, 3], [90, 100, 2])),
      [series('uptime_group_objective_ratio', {}, group)]: but(40, 44, but(70, 72.5, always)),
    },
    firing: {
      12: [],
      20: [{ severity: 'warning' }],
      42: [{ severity: 'warning' }],
      55: [{ severity: 'warning' }],
      71: [{ severity: 'warning' }],
      80: [{ severity: 'warning' }],
      95: [],
    },
  },
  {
    name: 'the store is lost while a transaction has little budget left, and all checks have no past to read',
    alert: 'UptimeTransactionErrorBudgetBurn',
    minutes: 100,
    by: 'check_id',
    series: {
      [known('transaction')]: but(40, 44, always),
      [series('uptime_exporter_unread_past_checks', {}, ofAccount)]: but(40, 44, () => 0),
      [series('uptime_transaction_burn_rate', { window: '30d' }, ofCheck)]: spans(
        [0, 40, 0.8],
        [60, 80, 0.8],
        [80, 100, 0.7],
      ),
      [series('uptime_transaction_burn_rate', { window: '3d' }, ofCheck)]: spans(
        [0, 40, 3],
        [60, 100, 3],
      ),
      [series('uptime_transaction_objective_ratio', {}, ofCheck)]: but(40, 44, always),
      [series('uptime_transaction_error_budget_remaining_ratio', {}, ofCheck)]: spans(
        [0, 40, 0.2],
        [60, 80, 0.2],
        [80, 100, 0.3],
      ),
    },
    firing: { 25: [{ check_id: '7' }], 50: [{ check_id: '7' }], 62: [{ check_id: '7' }], 85: [] },
  },
  {
    name: 'the token is refused for some minutes, and then the service cannot be reached',
    alert: 'UptimeExporterAccountUnreadable',
    minutes: 100,
    by: 'account',
    series: {
      [failure('none')]: spans([0, 10, 0], [70, 100, 0]),
      [failure('unauthorized')]: spans([10, 20, 1]),
      [failure('timeout')]: spans([20, 44, 1]),
      // Alternating reasons do not restart the wait.
      [failure('network')]: spans([44, 70, 1]),
    },
    firing: {
      12: [],
      18: [{ account: 'shop' }],
      24: [{ account: 'shop' }],
      36: [{ account: 'shop' }],
      48: [{ account: 'shop' }],
      68: [{ account: 'shop' }],
      90: [],
    },
  },
  {
    name: 'a check of low importance is down, and its account cannot be seen for a day and more',
    minutes: 1600,
    evaluation: 60,
    by: 'severity',
    series: {
      [known()]: spans([0, 60, 1], [1560, 1600, 1]),
      [open({ importance: 'low' })]: spans([10, 60, 1], [1560, 1600, 1]),
    },
    firing: {
      50: [{ severity: 'warning' }],
      700: [{ severity: 'warning' }],
      1490: [{ severity: 'warning' }],
      1510: [],
      1580: [{ severity: 'warning' }],
    },
  },
  {
    name: 'one of several exporters disappears from service discovery after an update of the others',
    alert: 'UptimeExporterAccountUnwatched',
    minutes: 230,
    by: 'account',
    series: {
      [series('uptime_up', {}, ofAccount)]: spans([0, 200, 1]),
      [series('up', {}, { job: 'uptime', instance: 'exporter:9158' })]: spans([0, 200, 1]),
      [series('uptime_up', { account: 'other', instance: 'a:9158' }, ofAccount)]: spans([
        0, 100, 1,
      ]),
      [series('uptime_up', { account: 'other', instance: 'b:9158' }, ofAccount)]: spans([
        101, 230, 1,
      ]),
      [series('up', {}, { job: 'uptime', instance: 'a:9158' })]: spans([0, 100, 1]),
      [series('up', {}, { job: 'uptime', instance: 'b:9158' })]: spans([101, 230, 1]),
    },
    firing: { 99: [], 105: [], 120: [], 199: [], 205: [], 220: [{ account: 'shop' }] },
  },
  {
    name: 'an outage begins and ends between two scrapes',
    alert: 'UptimeCheckWasDown',
    minutes: 120,
    by: 'check_id',
    series: { [known()]: always, [open()]: spans([31, 120, 0]), [start]: spans([31, 120, 1810]) },
    firing: { 30: [], 45: [{ check_id: '7' }], 110: [{ check_id: '7' }] },
  },
  {
    name: 'the counters reach an outage after its page',
    expr: 'uptime:check_budget_used:percent',
    minutes: 60,
    by: 'check_id',
    series: {
      [known()]: always,
      [open()]: spans([10, 60, 1]),
      [series('uptime_check_outage_start_timestamp_seconds', {}, ofCheck)]: spans([10, 60, 540]),
      [series('uptime_check_error_budget_remaining_ratio', {}, ofCheck)]: always,
      [series('uptime_exporter_counted_until_timestamp_seconds', {}, ofAccount)]: spans(
        [0, 30, 500],
        [30, 60, 1700],
      ),
    },
    firing: { 9: [], 15: [], 28: [], 35: [{ check_id: '7' }], 55: [{ check_id: '7' }] },
  },
  {
    name: 'two pods behind one fixed instance poll one account after a rolling update',
    alert: 'UptimeExporterTwoPollers',
    minutes: 60,
    by: 'account',
    series: {
      [info({ store: 'a' })]: spans([0, 40, 1]),
      [info({ store: 'b' })]: spans([10, 60, 1]),
    },
    firing: { 9: [], 20: [], 32: [{ account: 'shop' }], 39: [{ account: 'shop' }], 50: [] },
  },
  {
    name: 'one test of an hourly check is slow, and two in a row later',
    alert: 'UptimeCheckSlow',
    minutes: 330,
    by: 'check_id',
    series: {
      [series('uptime_check_resolution_seconds', {}, ofCheck)]: () => 3600,
      [series('uptime_check_average_response_time_seconds', { window: '7d' }, ofCheck)]: () => 1.1,
      [series('uptime_check_up', {}, ofCheck)]: () => 1,
      [response]: spans(
        [0, 61, 1.2],
        [61, 121, 4],
        [121, 181, 1.2],
        [181, 301, 4],
        [301, 330, 1.2],
      ),
    },
    firing: {
      80: [],
      119: [],
      140: [],
      200: [],
      239: [],
      262: [{ check_id: '7' }],
      300: [{ check_id: '7' }],
      320: [],
    },
  },
  {
    name: 'one test of a check that is tested every 15 minutes is slow, and the next one is late',
    alert: 'UptimeCheckSlow',
    minutes: 180,
    by: 'check_id',
    series: {
      [series('uptime_check_resolution_seconds', {}, ofCheck)]: () => 900,
      [series('uptime_check_average_response_time_seconds', { window: '7d' }, ofCheck)]: () => 1.1,
      [series('uptime_check_up', {}, ofCheck)]: () => 1,
      [response]: spans([0, 21, 1.2], [21, 37, 4], [37, 76, 1.2], [76, 166, 4], [166, 180, 1.2]),
    },
    firing: { 35: [], 36: [], 37: [], 45: [], 135: [], 155: [{ check_id: '7' }], 175: [] },
  },
  {
    name: 'a check that is tested every minute becomes slow',
    alert: 'UptimeCheckSlow',
    minutes: 90,
    by: 'check_id',
    series: {
      [series('uptime_check_resolution_seconds', {}, ofCheck)]: () => 60,
      [series('uptime_check_average_response_time_seconds', { window: '7d' }, ofCheck)]: () => 1.1,
      [series('uptime_check_up', {}, ofCheck)]: () => 1,
      [response]: spans([0, 21, 1.2], [21, 60, 4], [60, 90, 1.2]),
    },
    firing: { 20: [], 33: [], 42: [{ check_id: '7' }], 58: [{ check_id: '7' }], 70: [] },
  },
  {
    name: 'the number of checks that are down comes and goes at the limit for an hour',
    expr: 'changes(ALERTS_FOR_STATE{alertname="UptimeManyChecksDown"}[50m]) == 0',
    minutes: 120,
    by: 'account',
    series: {
      [series('uptime_checks', { status: 'up', check_type: 'http' }, ofAccount)]: () => 20,
      [known()]: always,
      ...fiveOpen((minute, id) => between(10, 70)(minute) && (id < 5 || minute % 6 < 3)),
    },
    firing: { 9: [], 69: [{ account: 'shop' }], 74: [{ account: 'shop' }] },
  },
  {
    name: 'many checks are down, and Prometheus is away for eleven minutes again and again',
    // In the first half hour, and once more from minute 90 on.
    expr: 'uptime:many_checks_down:since_timestamp_seconds > 0 and time() - uptime:many_checks_down:since_timestamp_seconds > 1200',
    minutes: 160,
    evaluation: 660,
    by: 'account',
    series: {
      [series('uptime_checks', { status: 'up', check_type: 'http' }, ofAccount)]: () => 20,
      [known()]: always,
      ...fiveOpen((minute) => between(5, 60)(minute) || between(90, 160)(minute)),
    },
    firing: { 22: [], 55: [{ account: 'shop' }], 77: [], 110: [], 143: [{ account: 'shop' }] },
  },
];

/** `uptime_up` of each account with known outages: 1, unless the edge case has its own series. */
function accountsUp(all: Edge['series']): Edge['series'] {
  return Object.fromEntries(
    Object.entries(all).flatMap(([one, values]) => {
      const [, labels] = /^uptime_outages_open\{(.*),kind="check"\}$/.exec(one) ?? [];
      return labels === undefined ? [] : [[`uptime_up{${labels}}`, values]];
    }),
  );
}

/** Every edge case with these intervals. */
export function edgeCases(pace: Pace): readonly RuleCase[] {
  const { scrape, phase } = pace;
  return edges.map(
    ({ name, minutes, evaluation = pace.evaluation, series: all, firing, alert, expr, by }) => ({
      name: `${name}; scraped every ${scrape} s at :${`${phase}`.padStart(2, '0')}, evaluated every ${evaluation} s`,
      pace: { step: 1, evaluation },
      input: Object.fromEntries(
        Object.entries({ ...accountsUp(all), ...all }).map(([one, values]) => [
          one,
          scraped(minutes, pace, values),
        ]),
      ) satisfies Input,
      expressions: Object.entries(firing).map(([minute, list]) => ({
        expr: `count by (${by}) (${expr ?? `ALERTS{alertname="${alert ?? 'UptimeCheckDown'}", alertstate="firing"}`})`,
        at: `${minute}m`,
        samples: list.map((labels) => ({
          labels: `{${Object.entries(labels)
            .map(([label, value]) => `${label}="${value}"`)
            .join(',')}}`,
          value: 1,
        })),
      })),
    }),
  );
}

/**
 * One value a second in the notation of promtool, with a stale marker where the series disappears.
 */
function scraped(minutes: number, { scrape, phase }: Pace, values: Values): string {
  const parts: string[] = [`_x${phase}`];
  let before: number | undefined;
  for (let second = phase; second < 60 * minutes; second += scrape) {
    const value = values(second / 60);
    parts.push(value === undefined ? (before === undefined ? '_' : 'stale') : `${value}`);
    parts.push(`_x${scrape - 1}`);
    before = value;
  }
  return parts.join(' ');
}
