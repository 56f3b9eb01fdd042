import type { RuleParameters } from './parameters.ts';
import { span } from './promql.ts';
import type { RuleGroup } from './rule.ts';
import { where } from './texts.ts';

const hourly = 'uptime_transaction_hourly_average_response_time_seconds';

export function transactionAlerts(parameters: RuleParameters): RuleGroup {
  const { times_usual: times, slower_by_seconds: seconds } = parameters.thresholds.transaction_slow;
  const usually = `avg_over_time(${hourly}[${span(86_400, parameters)}] offset ${span(3600, parameters)})`;
  return {
    name: 'uptime-transactions',
    rules: [
      {
        alert: 'UptimeTransactionSlow',
        subject: 'transaction',
        severity: 'warning',
        expr: `(${hourly} > ${seconds})
> ${times} * ${usually}
> ${seconds} + ${usually}
unless (uptime_transaction_in_maintenance == 1)`,
        forSeconds: 900,
        summary: '{{ $labels.name }} is slower than usual',
        description: `The transaction {{ $labels.name }} (${where('transaction')}) took {{ $value | humanizeDuration }} on average of the last full hour, more than ${times} times its average of the day before.`,
      },
    ],
  };
}
