import { account, item, notInMaintenance, theCheck, withHost } from './matching.ts';
import type { AlertRule, RuleGroup, Severity } from './rule.ts';
import { thresholds } from './thresholds.ts';

const { down, manyDown, flapping, slow, unknown, pausedTooLong, notifiesNobody } = thresholds;

const confirmedDown = notInMaintenance('uptime_check_status{status="down"} == 1', 'check');
const recently = `avg_over_time(uptime_check_last_response_time_seconds[${slow.over}])`;
const usually = 'uptime_check_average_response_time_seconds{window="7d"}';
const limit = 'uptime_check_response_time_threshold_seconds';
const lastTested = `(
  uptime_check_last_test_timestamp_seconds
  or on (${item}) uptime_check_created_timestamp_seconds
)`;
const recipients = 'uptime_check_notification_recipients';
const notPaused = `unless on (${item}) (uptime_check_paused == 1)`;

/** The service calls a check of low importance `low`: nobody is woken for it. */
function checkDown(severity: Severity, ofImportance: string): AlertRule {
  return {
    alert: 'UptimeCheckDown',
    severity,
    expr: withHost(confirmedDown, ofImportance),
    for: down.for,
    summary: '{{ $labels.name }} is down',
    description: `The service finds ${theCheck} down, confirmed by a second test. It is neither paused nor in maintenance.`,
  };
}

export const checkAlerts: RuleGroup = {
  name: 'uptime-checks',
  rules: [
    checkDown('critical', '{severity!="low"}'),
    checkDown('warning', '{severity="low"}'),
    {
      alert: 'UptimeManyChecksDown',
      severity: 'critical',
      expr: `(
  count by (${account}) (${confirmedDown}) >= ${manyDown.checks}
)
/ on (${account}) count by (${account}) (uptime_check_up)
>= ${manyDown.share}`,
      for: manyDown.for,
      summary: '{{ $value | humanizePercentage }} of the checks of {{ $labels.account }} are down',
      description:
        'So many checks of account {{ $labels.account }} are down at once that they are likely to have one cause: {{ $value | humanizePercentage }} of those that are tested.',
    },
    {
      alert: 'UptimeCheckFlapping',
      severity: 'warning',
      expr: withHost(
        `round(increase(uptime_check_outages_total[${flapping.within}])) >= ${flapping.outages}`,
      ),
      summary: '{{ $labels.name }} goes up and down',
      description: `${theCheck} had {{ $value }} outages within ${flapping.within}.`,
    },
    {
      alert: 'UptimeCheckSlow',
      severity: 'warning',
      expr: withHost(`${recently}
  > on (${item}) group_left () (${slow.shareOfLimit} * ${limit})
  ${notPaused}`),
      for: slow.for,
      labels: { against: 'threshold' },
      summary: '{{ $labels.name }} is nearly too slow',
      description: `${theCheck} took {{ $value | humanizeDuration }} on average of the last ${slow.over}: more than ${slow.shareOfLimit * 100} % of the response time from which the service counts it as down.`,
    },
    {
      alert: 'UptimeCheckSlow',
      severity: 'warning',
      expr: withHost(`${recently}
  > on (${item}) group_left () (${slow.timesUsual} * ${usually})
  > on (${item}) group_left () (${slow.leastSlowerSeconds} + ${usually})
  ${notPaused}`),
      for: slow.for,
      labels: { against: 'usual' },
      summary: '{{ $labels.name }} is slower than usual',
      description: `${theCheck} took {{ $value | humanizeDuration }} on average of the last ${slow.over}: more than ${slow.timesUsual} times its average of the last 7 days.`,
    },
    {
      alert: 'UptimeCheckUnknown',
      severity: 'warning',
      expr: withHost(notInMaintenance('uptime_check_status{status="unknown"} == 1', 'check')),
      for: unknown.for,
      summary: 'The service does not know whether {{ $labels.name }} is up',
      description: `The status of ${theCheck} has been unknown for ${unknown.for}: nobody would be told if it were down.`,
    },
    {
      alert: 'UptimeCheckPausedTooLong',
      severity: 'info',
      expr: withHost(`(time() - ${lastTested}) / 86400 > ${pausedTooLong.days}
  and on (${item}) (uptime_check_paused == 1)`),
      summary: '{{ $labels.name }} has been paused for {{ $value | printf "%.0f" }} days',
      description: `${theCheck} was last tested {{ $value | printf "%.0f" }} days ago and is paused. It may have been forgotten.`,
    },
    {
      alert: 'UptimeCheckNotifiesNobody',
      severity: 'warning',
      // A kind that the service did not speak of may have recipients: each API version names one of these two.
      expr: withHost(`sum without (recipient) (${recipients}) == 0
  and on (${item}) ${recipients}{recipient=~"user|contact"}
  ${notPaused}`),
      for: notifiesNobody.for,
      summary: 'Nobody is told when {{ $labels.name }} fails',
      description: `${theCheck} has no user, team, integration or contact to notify in the service.`,
    },
    {
      alert: 'UptimeCheckInMaintenance',
      severity: 'none',
      expr: 'uptime_check_in_maintenance == 1 or uptime_transaction_in_maintenance == 1',
      summary: '{{ $labels.name }} is in maintenance',
      description:
        '{{ $labels.name }} of account {{ $labels.account }} is in maintenance. This alert tells nobody; it silences the others of the same check.',
    },
  ],
};
