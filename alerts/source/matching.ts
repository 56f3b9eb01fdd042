/** What identifies a check or transaction on every series, whatever other labels are promoted. */
export const item = 'job, instance, account, check_id';
export const account = 'job, instance, account';

/** Brings the host of the check, and drops what is no longer in the check list or too old. */
export function withHost(expression: string, selector = ''): string {
  return `(${expression})
* on (${item}) group_left (hostname, check_type)
  uptime_check_info${selector}`;
}

export function notInMaintenance(expression: string, kind: 'check' | 'transaction'): string {
  return `(${expression}) unless on (${item}) (uptime_${kind}_in_maintenance == 1)`;
}

/** How a check is named to a person. */
export const theCheck =
  '{{ $labels.name }} ({{ $labels.hostname }}, account {{ $labels.account }})';
export const theTransaction = '{{ $labels.name }} (account {{ $labels.account }})';
