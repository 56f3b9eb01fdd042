import { item, notInMaintenance, theCheck, withHost } from './matching.ts';
import type { AlertRule, RecordingRule, RuleGroup, Severity } from './rule.ts';
import { thresholds } from './thresholds.ts';

/** Windows short enough for `increase` over every sample, which also sees through counter resets. */
const sampledWindows = { '5m': 300, '30m': 1800, '1h': 3600, '2h': 7200 };
/** Over these, few samples for each series: 3 days of every sample of 25,000 checks are too many. */
const spannedWindows = {
  '6h': { length: 21_600, sampledEvery: '1h' },
  '1d': { length: 86_400, sampledEvery: '1h' },
  '3d': { length: 259_200, sampledEvery: '1h' },
  '30d': { length: 2_592_000, sampledEvery: '6h' },
};

interface Burn {
  /** How many times faster than the objective allows. */
  readonly rate: number;
  readonly long: string;
  readonly short: string;
  readonly severity: Severity;
  readonly for: string;
}

/** Multi-window, multi-burn-rate alerts of the Site Reliability Workbook, chapter 5, for 30 days. */
export const burns: readonly Burn[] = [
  { rate: 14.4, long: '1h', short: '5m', severity: 'critical', for: '2m' },
  { rate: 6, long: '6h', short: '30m', severity: 'critical', for: '5m' },
  { rate: 3, long: '1d', short: '2h', severity: 'warning', for: '15m' },
  { rate: 1, long: '3d', short: '6h', severity: 'warning', for: '1h' },
];

const seconds = 'uptime:check_seconds:unplanned';
const sampledEvery = (interval: string) => `uptime:check_seconds:every${interval}`;
const watched = 'uptime:check_seconds:watched';

/** With it, series keep their past when a check is renamed or other labels are promoted. */
const byCheck = `max by (${item}, state)`;
const names = 'group without (check_type, hostname, severity, ipv6) (uptime_check_info)';

/**
 * Both counters are of one scrape, so their difference never steps back, and the first appearance of
 * the maintenance counter with all its seconds at once leaves no trace in it.
 */
const unplannedSeconds: RecordingRule = {
  record: seconds,
  expr: `${byCheck} (
  uptime_check_state_seconds_total{state=~"up|down"} - uptime_check_maintenance_seconds_total
  or uptime_check_state_seconds_total{state=~"up|down"}
)`,
};

/** How long the check has been watched, whatever its state. */
const watchedSeconds: RecordingRule = {
  record: watched,
  expr: `sum by (${item}) (${byCheck} (uptime_check_state_seconds_total))`,
};

const objective: RecordingRule = {
  record: 'uptime:check_objective:ratio',
  expr: [
    ...Object.entries(thresholds.objectiveOfTag).map(
      ([tag, ratio]) => `group by (${item}) (uptime_check_tag_info{tag="${tag}"}) * ${ratio}`,
    ),
    `group by (${item}) (uptime_check_info) * ${thresholds.objective}`,
  ].join('\nor '),
};

/**
 * A window counts as half watched at least: a check that is ten minutes old cannot have burnt the
 * budget of three days.
 */
function burnRate(window: string, windowSeconds: number, within: (selector: string) => string) {
  return {
    record: `uptime:check_burn_rate:${window}`,
    expr: `sum without (state) (${within('{state="down"}')})
/ clamp_min(sum without (state) (${within('')}), ${windowSeconds / 2})
/ (1 - uptime:check_objective:ratio)
* on (${item}) group_right () ${names}`,
  };
}

const sampled = Object.entries(sampledWindows).map(([window, length]) =>
  burnRate(window, length, (selector) => `increase(${seconds}${selector}[${window}])`),
);

/**
 * All of a counter that is younger than the window, so that neither a new check nor lost counters need
 * samples. Without one where the window begins (Prometheus is new, or has a gap there) it is what was
 * added since the first one after that: the counter itself may be years old.
 */
const spanned = Object.entries(spannedWindows).map(([window, { length, sampledEvery: interval }]) =>
  burnRate(window, length, (selector) => {
    const now = `${seconds}${selector}`;
    return `
  (${now} and on (${item}) ${watched} <= ${length})
  or (${now} - ${now} offset ${window} >= 0)
  or (${now} - min_over_time(${sampledEvery(interval)}${selector}[${window}]))
`;
  }),
);

const budgetLeft: RecordingRule = {
  record: 'uptime:check_error_budget_left:ratio',
  expr: '1 - uptime:check_burn_rate:30d',
};

function burnAlert({ rate, long, short, severity, for: delay }: Burn): AlertRule {
  const burning = `uptime:check_burn_rate:${long} > ${rate} and uptime:check_burn_rate:${short} > ${rate}`;
  return {
    alert: 'UptimeCheckErrorBudgetBurn',
    severity,
    expr: withHost(notInMaintenance(burning, 'check')),
    for: delay,
    labels: { long_window: long, short_window: short },
    summary:
      '{{ $labels.name }} burns its error budget {{ $value | printf "%.1f" }} times too fast',
    description: `Over the last ${long} and ${short}, ${theCheck} was down more than ${rate} times as much as its objective allows, planned maintenance left out. The budget of 30 days is gone in {{ $value | printf "30 / %.1f" }} days.`,
  };
}

export const sloRules: RuleGroup = {
  name: 'uptime-slo',
  interval: '1m',
  rules: [unplannedSeconds, watchedSeconds, objective, ...sampled, ...spanned, budgetLeft],
};

/** So few samples that those of a whole window can be read every minute. */
export const sloHistory: readonly RuleGroup[] = ['1h', '6h'].map((interval) => ({
  name: `uptime-slo-every-${interval}`,
  interval,
  rules: [{ record: sampledEvery(interval), expr: seconds }],
}));

export const burnAlerts: RuleGroup = { name: 'uptime-error-budget', rules: burns.map(burnAlert) };
