import { expect, test } from 'vitest';
import type { FaultName } from '../../sandbox/src/faults/faults.ts';
import { casesOf } from '../support/extent.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';

const minute = 60;
const kinds: readonly FaultName[] = ['unauthorized', 'status-500', 'reset-before-headers'];

test.each(casesOf(kinds, 0))(
  'once anything is read after %s, the check list is read at once',
  async (kind) => {
    const exporter = await RestartableExporter.create({ checks: 8, transactions: 0 });
    const { faults, journal } = exporter.sandbox;
    await exporter.start();
    await exporter.pass(10 * minute);
    const waits: number[] = [];
    for (const minutes of [7, 23, 61, 40]) {
      const id = faults.inject({ kind });
      await exporter.pass(minutes * minute);
      faults.clear(id);
      const clearedAt = exporter.now;
      const listed = journal.countOfOperation('list_checks');
      const succeededBefore = journal.countOfStatus(200);
      let firstAt: number | undefined;
      while (journal.countOfOperation('list_checks') === listed) {
        if (journal.countOfStatus(200) > succeededBefore) firstAt ??= exporter.now;
        await exporter.pass(5);
        expect(exporter.now - clearedAt).toBeLessThan(20 * minute);
      }
      waits.push(exporter.now - (firstAt ?? exporter.now));
      await exporter.pass(10 * minute);
    }

    expect(Math.max(...waits)).toBeLessThanOrEqual(10);
  },
);
