import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../src/exposition/catalogue/catalogue.ts';
import { checkFamilies } from '../../../src/exposition/catalogue/check-families.ts';
import { allLabels, unitOf } from '../../../src/exposition/catalogue/family.ts';

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
      'uptime_exporter_build_info',
      'uptime_exporter_series',
      'uptime_exporter_page_bytes',
      'uptime_exporter_render_seconds',
    ]);
  });

  it('names account, id and name on every family of checks', () => {
    for (const family of checkFamilies) {
      expect(family.commonLabels).toEqual(['account', 'check_id', 'name']);
    }
  });

  it('derives the unit from the name', () => {
    expect(unitOf('uptime_check_resolution_seconds')).toBe('seconds');
    expect(unitOf('uptime_exporter_api_response_bytes_total')).toBe('bytes');
    expect(unitOf('uptime_exporter_budget_requests_per_second')).toBeUndefined();
    expect(unitOf('uptime_checks')).toBeUndefined();
  });

  it('holds every family of the check list, the credits and the exporter', () => {
    expect(names).toEqual(
      [
        'up account_info checks',
        'account_check_limit account_checks_available account_checks_used account_sms_available',
        'account_sms_tests_available account_sms_autofill_enabled account_sms_autofill_amount',
        'account_sms_autofill_threshold account_sms_overage_limit account_rum_sites_available',
        'account_rum_sites_used account_rum_filters_limit account_rum_pageviews_limit',
        'check_info check_tag_info check_up check_status check_paused check_resolution_seconds',
        'check_last_response_time_seconds check_last_test_timestamp_seconds',
        'check_last_error_timestamp_seconds check_last_down_start_timestamp_seconds',
        'check_last_down_end_timestamp_seconds check_created_timestamp_seconds',
        'exporter_dataset_last_success_timestamp_seconds',
        'exporter_dataset_last_attempt_timestamp_seconds exporter_dataset_interval_seconds',
        'exporter_dataset_items exporter_dataset_stale exporter_api_requests_in_flight',
        'exporter_rate_limit_remaining exporter_rate_limit_limit exporter_rate_limit_reserve',
        'exporter_rate_limit_reset_timestamp_seconds exporter_budget_requests_per_second',
        'exporter_budget_mode exporter_budget_paused exporter_build_info exporter_dataset_errors_total',
        'exporter_rejected_entries_total exporter_api_requests_total',
        'exporter_api_request_duration_seconds exporter_api_response_bytes_total',
        'exporter_series exporter_page_bytes exporter_render_seconds',
      ]
        .join(' ')
        .split(' ')
        .map((name) => `uptime_${name}`),
    );
  });
});
