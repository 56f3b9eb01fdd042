import type { RuleParameters } from './parameters.ts';
import { itemLabels, perAccount, span } from './promql.ts';
import type { AlertRule, RuleGroup } from './rule.ts';
import { name, theItem } from './texts.ts';

const theCheck = theItem('check');

/**
 * These alerts cover every check, so each expression filters one family before it joins another
 * one. Both sides have the same labels, so that no two series of a check can conflict.
 */
export function checkAlerts(parameters: RuleParameters): RuleGroup {
  return { name: 'uptime-checks', rules: [slow(parameters), unknown] };
}

/** Settings change over days, so this group is evaluated only every 15 minutes. */
export function settingsAlerts(parameters: RuleParameters): RuleGroup {
  return {
    name: 'uptime-settings',
    intervalSeconds: 900,
    rules: [pausedTooLong(parameters), notifiesNobody],
  };
}

/**
 * If a check has a longer resolution than this (seconds), a single slow test remains its last one
 * during the whole wait of the alert. So the test before it must be slow, too.
 */
const seldomSeconds = 900;

function slow(parameters: RuleParameters): AlertRule {
  const { share_of_limit: share, times_usual: times, seconds } = parameters.thresholds.slow;
  const item = itemLabels(parameters);
  const last = 'uptime_check_last_response_time_seconds';
  const limit = 'uptime_check_response_time_threshold_seconds';
  const usual = 'uptime_check_average_response_time_seconds{window="7d"}';
  // Every operation costs time for each series, so only the few slow tests are divided.
  const tooSlow = (test: string) =>
    `((${test} > ${seconds}) / ${share} > ${limit} or (${test} > ${seconds}) / ${times} > ignoring (window) ${usual})`;
  return {
    alert: 'UptimeCheckSlow',
    subject: 'check',
    severity: 'warning',
    expr: `${last} and on (${item}) ${tooSlow(last)}
unless on (${item}) uptime_check_in_maintenance == 1
unless on (${item}) (
  uptime_check_resolution_seconds > ${seldomSeconds}
  unless on (${item}) ${tooSlow(`${last} offset ${span(3600, parameters)}`)})`,
    forSeconds: 900,
    summary: `${name} is slow`,
    description: `The last test of ${theCheck} took {{ $value | humanizeDuration }}. That is more than ${times} times its average of 7 days, or ${share * 100} % of the response time above which the service counts it as down.`,
  };
}

const unknown: AlertRule = {
  alert: 'UptimeCheckUnknown',
  subject: 'check',
  severity: 'warning',
  expr: `uptime_check_status{status="unknown"} == 1
unless ignoring (status) (uptime_check_in_maintenance == 1)`,
  forSeconds: 1800,
  summary: `The service does not know whether ${name} is up`,
  description: `The status of ${theCheck} is unknown. If it went down, nobody would be notified.`,
};

function pausedTooLong({ thresholds: { paused } }: RuleParameters): AlertRule {
  return {
    alert: 'UptimeCheckPausedTooLong',
    subject: 'check',
    severity: 'info',
    // A check that was never tested has only the time of its creation.
    expr: `(time() - (
  uptime_check_last_test_timestamp_seconds and (uptime_check_paused == 1)
  or uptime_check_created_timestamp_seconds and (uptime_check_paused == 1)
)) / 86400 > ${paused.days}`,
    summary: `${name} has been paused for {{ $value | printf "%.0f" }} days`,
    description: `${theCheck} was last tested {{ $value | printf "%.0f" }} days ago and is paused. It may have been forgotten.`,
  };
}

const recipients = 'uptime_check_notification_recipients';

const notifiesNobody: AlertRule = {
  alert: 'UptimeCheckNotifiesNobody',
  subject: 'check',
  severity: 'warning',
  // A kind of recipient that the service does not report may exist. Each API version reports one of
  // `user` and `contact`, which must be 0.
  expr: `max without (recipient) (${recipients}{recipient=~"user|contact"} == 0)
unless ignoring (recipient) (${recipients}{recipient!~"user|contact"} > 0)
unless (uptime_check_paused == 1)`,
  forSeconds: 3600,
  summary: `Nobody is notified when ${name} fails`,
  description: `${theCheck} has no user, team, integration or contact to notify in the service.`,
};

const hourly = 'uptime_transaction_hourly_average_response_time_seconds';

export function transactionAlerts(parameters: RuleParameters): RuleGroup {
  const { times_usual: times, slower_by_seconds: seconds } = parameters.thresholds.transaction_slow;
  const item = itemLabels(parameters);
  const usually = `avg_over_time(${hourly}[${span(86_400, parameters)}] offset ${span(3600, parameters)})`;
  const failedLately = `max_over_time(uptime_transaction_outage_open[${span(7200, parameters)}]) == 1`;
  return {
    name: 'uptime-transactions',
    rules: [
      {
        alert: 'UptimeTransactionSlow',
        subject: 'transaction',
        severity: 'warning',
        // The usual response time is known after half a day. An hour with a failure is reported as
        // a failure.
        expr: `(${hourly} > ${times} * ${usually})
and ${hourly} > ${seconds} + ${usually}
and on (${item}) ${hourly} offset ${span(43_200, parameters)}
unless (uptime_transaction_in_maintenance == 1)
unless on (${item}) ${failedLately}`,
        forSeconds: 900,
        summary: `${name} is slower than usual`,
        description: `${theItem('transaction')} took {{ $value | humanizeDuration }} on average in the last full hour, more than ${times} times its average of the day before.`,
      },
    ],
  };
}

export function accountAlerts(parameters: RuleParameters): RuleGroup {
  const { credits } = parameters.thresholds;
  return {
    name: 'uptime-account',
    rules: [
      {
        alert: 'UptimeCreditsLow',
        subject: 'credits',
        severity: 'info',
        expr: `uptime_account_checks_available
  and uptime_account_checks_available / uptime_account_check_limit < ${credits.checks_left_share}`,
        forSeconds: 3600,
        summary: 'Account {{ $labels.account }} can create only {{ $value }} more checks',
        description: `Less than ${credits.checks_left_share * 100} % of the checks that the plan of account {{ $labels.account }} allows are left.`,
      },
      {
        alert: 'UptimeSmsCreditsLow',
        subject: 'credits',
        severity: 'warning',
        expr: `uptime_account_sms_available < ${credits.sms_left}`,
        forSeconds: 1800,
        summary: 'Account {{ $labels.account }} can send only {{ $value }} more text messages',
        description:
          'When the text messages of account {{ $labels.account }} are used up, the service stops sending SMS. If it is set to buy more, that has not worked.',
      },
      {
        alert: 'UptimeContactsPaused',
        subject: 'credits',
        severity: 'info',
        expr: `sum by (${perAccount(parameters)}) (uptime_contacts{paused="true"}) > 0`,
        forSeconds: 86_400,
        summary: '{{ $value }} contacts of account {{ $labels.account }} get no notifications',
        description:
          'The notifications of {{ $value }} contacts of account {{ $labels.account }} are paused in the service.',
      },
    ],
  };
}
