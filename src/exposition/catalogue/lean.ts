import type { Family } from './family.ts';

/**
 * What `metrics: lean` serves of a family:
 *
 * - `nothing`: no rule, board or documented query reads it.
 * - `ones`: the series whose value is 1.
 * - `events`: no series before its first event.
 * - `hourly results`: every series, of accounts whose limits allow the results of each check hourly.
 * - values of a label: the series with one of these.
 */
export type LeanPart = 'nothing' | 'ones' | 'events' | 'hourly results' | LabelValues;

interface LabelValues {
  readonly label: string;
  readonly values: readonly string[];
}

const windows = (...values: readonly string[]): LabelValues => ({ label: 'window', values });

/** The windows of alerts and boards. */
const burnWindows = windows('1h', '1d', '3d', '30d');

const parts: Readonly<Record<string, LeanPart>> = {
  ...each('nothing', [
    'uptime_account_checks_used',
    'uptime_account_sms_tests_available',
    'uptime_account_sms_autofill_amount',
    'uptime_account_sms_autofill_threshold',
    'uptime_account_sms_overage_limit',
    'uptime_account_rum_sites_available',
    'uptime_account_rum_sites_used',
    'uptime_account_rum_filters_limit',
    'uptime_account_rum_pageviews_limit',
    'uptime_probe_info',
    'uptime_probes',
    'uptime_contact_targets',
    'uptime_teams',
    'uptime_account_clock_offset_seconds',
    'uptime_email_reports',
    'uptime_public_reports',
    'uptime_shared_reports',
    'uptime_check_last_error_timestamp_seconds',
    'uptime_check_last_down_start_timestamp_seconds',
    'uptime_check_last_down_end_timestamp_seconds',
    'uptime_check_last_outage_duration_seconds',
    'uptime_check_analyses_total',
    'uptime_check_uptime_ratio',
    'uptime_check_average_response_time_seconds',
    'uptime_check_hourly_average_response_time_seconds',
    'uptime_check_hourly_uptime_seconds',
    'uptime_check_hourly_downtime_seconds',
    'uptime_check_hourly_unmonitored_seconds',
    'uptime_check_hourly_start_timestamp_seconds',
    'uptime_check_response_time_threshold_seconds',
    'uptime_check_certificate_warning_seconds',
    'uptime_check_notification_recipients',
    'uptime_transaction_interval_seconds',
    'uptime_transaction_last_downtime_start_timestamp_seconds',
    'uptime_transaction_last_downtime_end_timestamp_seconds',
    'uptime_transaction_created_timestamp_seconds',
    'uptime_transaction_modified_timestamp_seconds',
    'uptime_transaction_hourly_uptime_seconds',
    'uptime_transaction_hourly_downtime_seconds',
    'uptime_transaction_hourly_unmonitored_seconds',
    'uptime_exporter_dataset_items',
    'uptime_exporter_dataset_missing_requests_per_second',
    'uptime_exporter_api_requests_in_flight',
    'uptime_exporter_budget_mode',
    'uptime_exporter_agenda_items',
    'uptime_exporter_agenda_oldest_due_seconds',
    'uptime_exporter_late_seconds_total',
    'uptime_exporter_maintenance_known',
    'uptime_exporter_lease_remaining_seconds',
    'uptime_exporter_render_seconds',
    'uptime_exporter_store_last_write_timestamp_seconds',
    'uptime_exporter_config_last_reload_success_timestamp_seconds',
  ]),
  ...each('ones', ['uptime_check_status', 'uptime_check_paused', 'uptime_transaction_status']),
  ...each('events', [
    'uptime_exporter_dataset_errors_total',
    'uptime_exporter_api_request_duration_seconds',
    'uptime_exporter_api_response_bytes_total',
    'uptime_exporter_poller_errors_total',
    'uptime_exporter_probe_requests_total',
  ]),
  ...each('hourly results', ['uptime_check_results_total', 'uptime_check_response_time_seconds']),
  uptime_check_error_ratio: windows('30d'),
  uptime_transaction_error_ratio: windows('30d'),
  uptime_check_burn_rate: burnWindows,
  uptime_transaction_burn_rate: burnWindows,
  uptime_group_error_ratio: windows('1d', '30d'),
  uptime_group_burn_rate: windows('3d', '30d'),
};

function each(part: LeanPart, names: readonly string[]): Readonly<Record<string, LeanPart>> {
  return Object.fromEntries(names.map((name) => [name, part]));
}

/** Returns undefined if `metrics: lean` serves the whole family. */
export function leanPartOf({ name }: Pick<Family, 'name'>): LeanPart | undefined {
  return parts[name];
}

/** The families of the table, for the test that it has no others. */
export const leanPartNames: readonly string[] = Object.keys(parts);
