import { describe, expect, it } from 'vitest';
import type { TransactionRow } from '../../../src/state/snapshot.ts';
import { freshPage, samplesOf } from '../support/rendering.ts';
import { seriesOf } from '../support/series.ts';
import { aSnapshot, aTransaction, everyDataset, fullTransaction } from '../support/snapshots.ts';

const withTransaction = (transaction: TransactionRow) =>
  aSnapshot({ transactions: [transaction], datasets: everyDataset() });
const ofTransaction = (transaction: TransactionRow, family: string) =>
  seriesOf(withTransaction(transaction), `transaction_${family}`);

describe('families of transactions', () => {
  it.each([
    ['info', ['recording,eu,low 1']],
    ['tag_info', ['team-payments 1']],
    ['up', ['0']],
    ['status', ['successful 0', 'failing 1', 'unknown 0']],
    ['active', ['1']],
    ['interval_seconds', ['600']],
    ['last_downtime_start_timestamp_seconds', ['1690000000']],
    ['last_downtime_end_timestamp_seconds', ['1690000900']],
    ['created_timestamp_seconds', ['1600000000']],
    ['modified_timestamp_seconds', ['1650000000']],
    ['state_seconds_total', ['up 7000', 'down 900', 'unknown 0', 'unmonitored 60']],
    ['outages_total', ['1']],
    ['failing_step', ['2']],
    ['hourly_average_response_time_seconds', ['4.5']],
    ['hourly_uptime_seconds', ['2700']],
    ['hourly_downtime_seconds', ['900']],
    ['hourly_unmonitored_seconds', ['0']],
    ['step_average_response_time_seconds', ['1,go_to 1.5', '3,fill 0.25']],
    ['in_maintenance', ['0']],
  ])('%s', async (family, series) => {
    expect(await ofTransaction(fullTransaction(7), family)).toEqual(series);
  });

  it('bear the same common labels as those of checks', async () => {
    const page = await freshPage(withTransaction(fullTransaction(7)));

    expect(samplesOf(page, 'uptime_transaction_up')[0]?.labels).toEqual({
      account: 'main',
      check_id: '7',
      name: 'journey 7',
    });
  });

  it.each([
    [aTransaction({ status: 'successful' }), ['1']],
    [aTransaction({ status: 'failing' }), ['0']],
    [aTransaction({ status: 'unknown' }), []],
    [aTransaction({ status: 'successful', active: false }), []],
  ])('tell whether $status and active $active is up', async (transaction, series) => {
    expect(await ofTransaction(transaction, 'up')).toEqual(series);
  });
});
