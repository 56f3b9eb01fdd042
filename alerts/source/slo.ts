import { item, notInMaintenance, theCheck, withHost } from './matching.ts';
import type { AlertRule, RecordingRule, RuleGroup, Severity } from './rule.ts';
import { thresholds } from './thresholds.ts';

/** Windows short enough for `increase` over every sample, which also sees through counter resets. */
const sampledWindows = { '5m': 300, '30m': 1800, '1h': 3600, '2h': 7200 };
/** Over these, two samples for each series: 3 days of every sample of 25,000 checks are too many. */
const spannedWindows = { '6h': 21_600, '1d': 86_400, '3d': 259_200, '30d': 2_592_000 };

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

/**
 * Both counters are of one scrape, so their difference never steps back, and the first appearance of
 * the maintenance counter with all its seconds at once leaves no trace in it.
 */
const unplannedSeconds: RecordingRule = {
  record: seconds,
  expr: `uptime_check_state_seconds_total{state=~"up|down"} - uptime_check_maintenance_seconds_total
or uptime_check_state_seconds_total{state=~"up|down"}`,
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
    expr: `(
  sum without (state) (${within('{state="down"}')})
  / clamp_min(sum without (state) (${within('')}), ${windowSeconds / 2})
)
/ on (${item}) group_left () (1 - uptime:check_objective:ratio)`,
  };
}

const sampled = Object.entries(sampledWindows).map(([window, length]) =>
  burnRate(window, length, (selector) => `increase(${seconds}${selector}[${window}])`),
);

/** Without a sample where the window begins, or after a reset, it is what was counted since. */
const spanned = Object.entries(spannedWindows).map(([window, length]) =>
  burnRate(window, length, (selector) => {
    const now = `${seconds}${selector}`;
    return `(${now} - ${now} offset ${window} >= 0) or ${now}`;
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
  rules: [unplannedSeconds, objective, ...sampled, ...spanned, budgetLeft],
};

export const burnAlerts: RuleGroup = { name: 'uptime-error-budget', rules: burns.map(burnAlert) };
