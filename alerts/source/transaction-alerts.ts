import { item, notInMaintenance, theTransaction } from './matching.ts';
import type { RuleGroup } from './rule.ts';
import { thresholds } from './thresholds.ts';

const { transactionFailing, transactionSlow } = thresholds;

const failing = notInMaintenance('uptime_transaction_up == 0', 'transaction');
const hourly = 'uptime_transaction_hourly_average_response_time_seconds';
const usually = `avg_over_time(${hourly}[1d] offset 1h)`;

export const transactionAlerts: RuleGroup = {
  name: 'uptime-transactions',
  rules: [
    {
      alert: 'UptimeTransactionFailing',
      severity: 'critical',
      // The value is the number of the step, or 0 when it is not known.
      expr: `(${failing}) + on (${item}) group_left () uptime_transaction_failing_step
or (${failing})`,
      for: transactionFailing.for,
      summary: '{{ $labels.name }} fails{{ if gt $value 0.0 }} at step {{ $value }}{{ end }}',
      description: `The transaction ${theTransaction} fails{{ if gt $value 0.0 }} at step {{ $value }}{{ else }}; the step is not known{{ end }}. It is not in maintenance.`,
    },
    {
      alert: 'UptimeTransactionSlow',
      severity: 'warning',
      expr: `${hourly}
  > ${transactionSlow.timesUsual} * ${usually}
  > ${transactionSlow.leastSlowerSeconds} + ${usually}`,
      for: transactionSlow.for,
      summary: '{{ $labels.name }} is slower than usual',
      description: `The transaction ${theTransaction} took {{ $value | humanizeDuration }} on average of the last full hour: more than ${transactionSlow.timesUsual} times its average of the day before.`,
    },
  ],
};
