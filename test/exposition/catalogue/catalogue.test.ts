import { describe, expect, it } from 'vitest';
import { catalogue, checkFamilies } from '../../../src/exposition/catalogue/catalogue.ts';
import { allLabels, unitOf } from '../../../src/exposition/catalogue/family.ts';
import { transactionFamilies } from '../../../src/exposition/catalogue/transaction-families.ts';

const families = catalogue.flatMap((section) => section.families);
const names = families.map(({ name }) => name);
const targetLabels = ['type', 'region', 'env', 'service', 'team', 'job', 'instance'];

describe('catalogue', () => {
  it('has each name once', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(families)('$name keeps the naming rules of Prometheus', ({ name, type, help }) => {
    expect(name).toMatch(/^uptime_[a-z0-9]+(_[a-z0-9]+)*$/);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(name).not.toMatch(/_(count|sum|bucket|created)$/);
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|hours|days|kilobytes|mb|percent)(_|$)/);
    expect(help).toMatch(/^\S.*\.$/);
  });

  it.each(families)('$name has labels that clash with none of a target or a sample', (family) => {
    const labels = allLabels(family);

    expect(labels).toEqual([...new Set(labels)]);
    for (const label of labels) {
      expect(label).toMatch(/^[a-z][a-z0-9]*(_[a-z]+)*$/);
      expect([...targetLabels, 'le', 'quantile']).not.toContain(label);
    }
  });

  it('names the account on every family but those of the whole exporter', () => {
    const without = families.filter((family) => !allLabels(family).includes('account'));

    expect(without.map(({ name }) => name)).toEqual([
      'uptime_exporter_database_up',
      'uptime_exporter_build_info',
      'uptime_exporter_database_request_duration_seconds',
      'uptime_exporter_series',
      'uptime_exporter_page_bytes',
      'uptime_exporter_render_seconds',
      'uptime_exporter_store_writes_total',
      'uptime_exporter_store_errors_total',
      'uptime_exporter_store_last_write_timestamp_seconds',
      'uptime_exporter_store_records_lost_total',
      'uptime_exporter_store_failing',
      'uptime_exporter_config_last_reload_successful',
      'uptime_exporter_config_last_reload_success_timestamp_seconds',
    ]);
  });

  it('names account, id and name on every family of checks and transactions', () => {
    for (const family of [...checkFamilies, ...transactionFamilies]) {
      expect(family.commonLabels).toEqual(['account', 'check_id', 'name']);
    }
  });

  it('derives the unit from the name', () => {
    expect(unitOf('uptime_check_resolution_seconds')).toBe('seconds');
    expect(unitOf('uptime_exporter_api_response_bytes_total')).toBe('bytes');
    expect(unitOf('uptime_exporter_budget_requests_per_second')).toBeUndefined();
    expect(unitOf('uptime_checks')).toBeUndefined();
  });

  it('reserves names that no other family has in either format', () => {
    const reserved = families.flatMap(({ name, type }) => {
      if (type === 'counter') return [name, name.replace(/_total$/, '')];
      if (type === 'gauge') return [name];
      const parts = ['', '_sum', '_count', ...(type === 'histogram' ? ['_bucket'] : [])];
      return parts.map((part) => name + part);
    });

    expect(reserved).toEqual([...new Set(reserved)]);
  });

  it('holds every family of the service and of the exporter', () => {
    expect(names).toEqual(
      [
        'up account_info outages_open checks transactions recent_outage_start_timestamp_seconds',
        'recent_outage_end_timestamp_seconds group_checks group_outages_open',
        'group_error_ratio group_burn_rate',
        'group_objective_ratio group_error_budget_remaining_ratio',
        'account_check_limit account_checks_available account_checks_used account_sms_available',
        'account_sms_tests_available account_sms_autofill_enabled account_sms_autofill_amount',
        'account_sms_autofill_threshold account_sms_overage_limit account_rum_sites_available',
        'account_rum_sites_used account_rum_filters_limit account_rum_pageviews_limit',
        'probe_info probes maintenance_window_info maintenance_window_start_timestamp_seconds',
        'maintenance_window_end_timestamp_seconds maintenance_active alerts_sent_total',
        'contacts contact_targets teams team_members account_clock_offset_seconds email_reports',
        'public_reports shared_reports',
        'check_info check_tag_info check_up check_status check_paused check_resolution_seconds',
        'check_last_response_time_seconds check_last_test_timestamp_seconds',
        'check_last_error_timestamp_seconds check_last_down_start_timestamp_seconds',
        'check_last_down_end_timestamp_seconds check_created_timestamp_seconds',
        'check_state_seconds_total check_outages_total check_maintenance_seconds_total',
        'check_last_outage_duration_seconds check_results_total check_response_time_seconds',
        'check_probe_results_total check_probe_response_time_seconds check_analyses_total',
        'check_outage_open check_flapping check_outage_start_timestamp_seconds',
        'check_last_outage_start_timestamp_seconds check_error_ratio check_burn_rate',
        'check_objective_ratio check_error_budget_remaining_ratio',
        'check_uptime_ratio check_average_response_time_seconds',
        'check_country_average_response_time_seconds check_hourly_average_response_time_seconds',
        'check_hourly_uptime_seconds check_hourly_downtime_seconds check_hourly_unmonitored_seconds',
        'check_hourly_start_timestamp_seconds',
        'check_hour_of_day_average_response_time_seconds check_response_time_threshold_seconds',
        'check_certificate_warning_seconds check_notification_recipients check_active_probes',
        'check_in_maintenance check_next_maintenance_start_timestamp_seconds',
        'transaction_info transaction_tag_info transaction_up transaction_status transaction_active',
        'transaction_interval_seconds transaction_last_downtime_start_timestamp_seconds',
        'transaction_last_downtime_end_timestamp_seconds transaction_created_timestamp_seconds',
        'transaction_modified_timestamp_seconds transaction_state_seconds_total',
        'transaction_outages_total transaction_outage_open transaction_flapping',
        'transaction_outage_start_timestamp_seconds',
        'transaction_last_outage_start_timestamp_seconds',
        'transaction_error_ratio transaction_burn_rate',
        'transaction_objective_ratio transaction_error_budget_remaining_ratio',
        'transaction_failing_step',
        'transaction_hourly_average_response_time_seconds transaction_hourly_uptime_seconds',
        'transaction_hourly_downtime_seconds transaction_hourly_unmonitored_seconds',
        'transaction_hourly_start_timestamp_seconds',
        'transaction_step_average_response_time_seconds transaction_in_maintenance',
        'exporter_account_failure exporter_dataset_last_success_timestamp_seconds',
        'exporter_dataset_last_attempt_timestamp_seconds exporter_dataset_interval_seconds',
        'exporter_outage_delay_seconds',
        'exporter_dataset_items exporter_dataset_stale exporter_dataset_failure exporter_api_requests_in_flight',
        'exporter_rate_limit_remaining exporter_rate_limit_limit exporter_rate_limit_reserve',
        'exporter_rate_limit_reset_timestamp_seconds exporter_budget_requests_per_second',
        'exporter_budget_mode exporter_budget_paused exporter_demand_requests_per_second',
        'exporter_dataset_missing_requests_per_second',
        'exporter_agenda_items exporter_agenda_oldest_due_seconds exporter_dataset_overdue_seconds',
        'exporter_counted_until_timestamp_seconds exporter_tally_lag_seconds',
        'exporter_late_seconds_total exporter_unread_past_checks',
        'exporter_past_read_timestamp_seconds exporter_maintenance_known',
        'exporter_account_removed exporter_lease_held exporter_lease_epoch',
        'exporter_lease_expired_takes_total exporter_lease_remaining_seconds',
        'exporter_database_up exporter_build_info',
        'exporter_database_request_duration_seconds exporter_dataset_errors_total',
        'exporter_rejected_entries_total exporter_api_requests_total',
        'exporter_api_request_duration_seconds exporter_api_response_bytes_total',
        'exporter_api_clock_offset_seconds exporter_poller_errors_total',
        'exporter_probe_requests_total',
        'exporter_series exporter_page_bytes exporter_render_seconds exporter_store_writes_total',
        'exporter_store_errors_total exporter_store_last_write_timestamp_seconds',
        'exporter_store_records_lost_total exporter_store_failing',
        'exporter_config_last_reload_successful',
        'exporter_config_last_reload_success_timestamp_seconds',
      ]
        .join(' ')
        .split(' ')
        .map((name) => `uptime_${name}`),
    );
  });
});
