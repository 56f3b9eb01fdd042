import { account } from './matching.ts';
import type { RuleGroup } from './rule.ts';
import { thresholds } from './thresholds.ts';

const { checksLeft, smsLeft, contactsPaused } = thresholds;

export const accountAlerts: RuleGroup = {
  name: 'uptime-account',
  rules: [
    {
      alert: 'UptimeCreditsLow',
      severity: 'info',
      expr: `uptime_account_checks_available
  and uptime_account_checks_available / uptime_account_check_limit < ${checksLeft.share}`,
      for: checksLeft.for,
      summary: 'Account {{ $labels.account }} can create {{ $value }} more checks only',
      description: `Less than ${checksLeft.share * 100} % of the checks that the plan of account {{ $labels.account }} allows are left.`,
    },
    {
      alert: 'UptimeSmsCreditsLow',
      severity: 'warning',
      expr: `uptime_account_sms_available < ${smsLeft.messages}`,
      for: smsLeft.for,
      summary: 'Account {{ $labels.account }} can send {{ $value }} more text messages only',
      description:
        'When the text messages of account {{ $labels.account }} are used up, the service tells nobody by SMS any more. If it buys new ones by itself, that has not worked.',
    },
    {
      alert: 'UptimeContactsPaused',
      severity: 'info',
      expr: `sum by (${account}) (uptime_contacts{paused="true"}) > 0`,
      for: contactsPaused.for,
      summary: '{{ $value }} contacts of account {{ $labels.account }} get no notifications',
      description:
        'The notifications of {{ $value }} contacts of account {{ $labels.account }} are paused in the service.',
    },
  ],
};
