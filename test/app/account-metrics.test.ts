import { expect, test, vi } from 'vitest';
import { AccountMetrics } from '../../src/app/account-metrics.ts';
import { ExporterMetrics } from '../../src/exposition/self-metrics/exporter-metrics.ts';
import { VirtualClock } from '../support/virtual-clock.ts';

test('each record that is lost is counted by its kind', () => {
  const clock = new VirtualClock();
  const metrics = new ExporterMetrics({ build: { version: '1.0.0' }, accounts: () => [], clock });
  const lost = vi.spyOn(metrics, 'storeRecordsLost');
  new AccountMetrics(metrics, 'shop').recordsLost([
    { kind: 'check', name: '1', reason: 'corrupt' },
    { kind: 'check', name: '2', reason: 'missing' },
    { kind: 'document', name: 'budget', reason: 'corrupt' },
  ]);

  expect(lost.mock.calls).toEqual([
    ['check', 1],
    ['check', 1],
    ['document', 1],
  ]);
});
