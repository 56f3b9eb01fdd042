import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../sandbox/src/sandbox.ts';
import type { Wire } from '../../sandbox/src/wire.ts';
import type { AccountSettings } from '../../src/config/account.ts';
import { casesOf, extent } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const hour = 3600;
const average = 'uptime_transaction_hourly_average_response_time_seconds';
const begin = 'uptime_transaction_hourly_start_timestamp_seconds';
const found = /msg="unit of transaction times detected"/;

async function watched(wire: Partial<Wire>, account: Partial<AccountSettings> = {}) {
  const exporter = await RestartableExporter.create({ checks: 2, transactions: 3, wire });
  await exporter.start(account);
  await exporter.pass(2 * hour);
  return exporter;
}

function sampleOf(page: string, family: string, id: number): number | undefined {
  const line = new RegExp(`^${family}\\{[^}]*check_id="${id}"[^}]*\\} (\\S+)$`, 'm').exec(page);
  return line?.[1] === undefined ? undefined : Number(line[1]);
}

/** The successful runs of an hour. */
function meanSeconds({ world, history }: Sandbox, id: number, from: number): number {
  const transaction = world.transactions.find(id);
  if (transaction === undefined) throw new Error(`the sandbox has no transaction ${id}`);
  const times = [...history.results(transaction, from, from + hour)].flatMap(
    ({ responseMilliseconds }) => responseMilliseconds ?? [],
  );
  return times.reduce((sum, time) => sum + time, 0) / times.length / 1000;
}

async function expectTheTruth(exporter: RestartableExporter): Promise<void> {
  const { sandbox } = exporter;
  const page = await exporter.page();
  const active = sandbox.world.transactions.all.filter(({ settings }) => settings.active);
  const shown = active.filter(({ id }) => sampleOf(page, average, id) !== undefined);
  expect(shown.length).toBeGreaterThan(0);
  for (const { id } of shown) {
    const from = sampleOf(page, begin, id) ?? Number.NaN;
    expect(sampleOf(page, average, id)).toBeCloseTo(meanSeconds(sandbox, id, from), 2);
  }
}

const units: readonly [string, Partial<Wire>][] = [
  ['microseconds', {}],
  ['milliseconds', { transactionTimes: 'milliseconds' }],
];
describe.each(casesOf(units, 0))('an account whose service responds in %s', (unit, wire) => {
  test('is found to be, once, shows the true response times, and is taken for the same after a restart', async () => {
    const exporter = await watched(wire);

    await expectTheTruth(exporter);
    expect(exporter.log.filter((line) => found.test(line))).toEqual([
      expect.stringContaining(`unit=${unit}`),
    ]);

    await exporter.stop();
    exporter.log.length = 0;
    await exporter.start();
    await exporter.pass(extent(1.5, 3) * hour);

    await expectTheTruth(exporter);
    expect(exporter.log.some((line) => found.test(line))).toBe(false);
  });

  test('shows the true response times when the unit is configured', async () => {
    const exporter = await watched(wire, {
      transactionResponseUnit: unit === 'microseconds' ? 'microseconds' : 'milliseconds',
    });

    await expectTheTruth(exporter);
    expect(exporter.log.some((line) => found.test(line))).toBe(false);
  });
});

test('response times in another unit than the configured one are withheld, and page, log and metric name the setting', async () => {
  const exporter = await watched({}, { transactionResponseUnit: 'milliseconds' });

  const page = await exporter.page();
  const withheld = exporter.sandbox.world.transactions.all.filter(
    ({ id }) =>
      sampleOf(page, begin, id) !== undefined && sampleOf(page, average, id) === undefined,
  );
  expect(withheld.length).toBeGreaterThan(0);
  const rejected =
    /^uptime_exporter_rejected_entries_total\{account="shop",dataset="transaction_performance",reason="transaction_response_unit"\} (\d+)$/m;
  expect(Number(rejected.exec(page)?.[1])).toBeGreaterThan(0);
  expect(exporter.log.join('')).toMatch(/level=warn .*reason=transaction_response_unit/);
  const { body } = await request(`${exporter.url}/`);
  expect(await body.text()).toContain('<code>transaction_response_unit</code>');
});
