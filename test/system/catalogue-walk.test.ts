import { describe, expect, test } from 'vitest';
import type { AccountSettings } from '../../src/config/account.ts';
import { catalogue } from '../../src/exposition/catalogue/catalogue.ts';
import { defaultSloPolicy, GroupPolicy } from '../../src/slo/groups.ts';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import { casesOf } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;

/** Families that an account of 3.1 correctly lacks, with the reason. */
const absent: Readonly<Record<string, string>> = {
  uptime_account_clock_offset_seconds: 'only 2.x tells its time',
  uptime_email_reports: 'only 2.x has reports',
  uptime_public_reports: 'only 2.x has reports',
  uptime_shared_reports: 'only 2.x has reports',
  uptime_exporter_account_removed: 'no account is removed',
  uptime_exporter_past_read_timestamp_seconds: 'the past is read within the first minute',
  uptime_exporter_lease_held: 'no replica shares the account',
  uptime_exporter_lease_epoch: 'no replica shares the account',
  uptime_exporter_lease_expired_takes_total: 'no replica shares the account',
  uptime_exporter_lease_remaining_seconds: 'no replica shares the account',
  uptime_exporter_database_up: 'no database is used',
  uptime_exporter_database_request_duration_seconds: 'no database is used',
  uptime_check_flapping: 'no check goes down three times within an hour',
  uptime_transaction_flapping: 'no transaction fails three times within an hour',
  uptime_transaction_last_outage_start_timestamp_seconds: 'no transaction recovers',
};

const groups = new GroupPolicy({
  named: [{ name: 'all', names: ['*'] }],
  fits: (pattern) => pattern === '*',
});

async function watch(account: Partial<AccountSettings>): Promise<RestartableExporter> {
  const exporter = await RestartableExporter.create({ slo: { ...defaultSloPolicy(), groups } });
  await exporter.start(account);
  return exporter;
}

/** Returns all families that the page shows at least once in the next minutes. */
async function familiesOf(watched: RestartableExporter, minutes: number): Promise<Set<string>> {
  const shown = new Set<string>();
  for (let passed = 0; passed < minutes; passed += 10) {
    await watched.pass(10 * minute);
    const page = await watched.page();
    for (const [, name = ''] of page.matchAll(/^# TYPE (\S+)/gm)) shown.add(name);
  }
  return shown;
}

describe('every family of the catalogue has data', () => {
  test('of an account of 3.1, with everything switched on', async () => {
    const watched = await watch({
      version: '3.1',
      byCountry: true,
      datasets: { hours_of_day: { enabled: true }, active_probes: { enabled: true } },
    });

    await watched.pass(minute);
    const healthy = await familiesOf(watched, 150);
    watched.sandbox.faults.inject({ kind: 'status-503', operation: 'list_maintenance' });
    const shown = new Set([...healthy, ...(await familiesOf(watched, 20))]);

    const missing = catalogue
      .flatMap(({ families }) => families.map(({ name }) => name))
      .filter((name) => !shown.has(name) && absent[name] === undefined);
    expect(missing).toEqual([]);
    expect(Object.keys(absent).filter((name) => shown.has(name))).toEqual([]);
  });

  test.each(casesOf(['2.1', '2.0'] as const, 1))(
    'of an account of %s, as far as it has them',
    async (version) => {
      const watched = await watch(accountsByVersion[version]);

      const shown = await familiesOf(watched, 60);

      for (const name of [
        'uptime_check_up',
        'uptime_check_state_seconds_total',
        'uptime_check_response_time_seconds',
        'uptime_check_uptime_ratio',
        'uptime_contacts',
        'uptime_account_clock_offset_seconds',
        'uptime_email_reports',
      ]) {
        expect(shown).toContain(name);
      }
      expect([...shown].filter((name) => name.startsWith('uptime_transaction'))).toEqual([]);
    },
  );
});
