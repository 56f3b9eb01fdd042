import { expect, it } from 'vitest';
import { seriesOf } from '../support/series.ts';
import { aSnapshot, aTransaction, everyDataset } from '../support/snapshots.ts';

it.each([
  [aTransaction({ status: 'successful' }), ['1']],
  [aTransaction({ status: 'failing' }), ['0']],
  [aTransaction({ status: 'unknown' }), []],
  [aTransaction({ status: 'successful', active: false }), []],
])(
  'shows whether a transaction of $status and active $active is up',
  async (transaction, series) => {
    const snapshot = aSnapshot({ transactions: [transaction], datasets: everyDataset() });
    expect(await seriesOf(snapshot, 'transaction_up')).toEqual(series);
  },
);
