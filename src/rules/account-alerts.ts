import type { RuleParameters } from './parameters.ts';
import { account } from './promql.ts';
import type { RuleGroup } from './rule.ts';

export function accountAlerts({ thresholds: { credits } }: RuleParameters): RuleGroup {
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
        expr: `sum by (${account}) (uptime_contacts{paused="true"}) > 0`,
        forSeconds: 86_400,
        summary: '{{ $value }} contacts of account {{ $labels.account }} get no notifications',
        description:
          'The notifications of {{ $value }} contacts of account {{ $labels.account }} have been paused in the service for a day.',
      },
    ],
  };
}
