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
});
