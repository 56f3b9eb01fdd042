import { describe, test } from 'vitest';
import { expectReported, live, reportForms, untilRun } from '../support/transaction-life.ts';

/** The long tests run every interval and every form, the longest over several days. */
describe.each(reportForms.slice(0, 1))('with status reports that %s', (_, wire) => {
  test.each([60] as const)(
    'transactions run every %i minutes count what the service knows',
    async (interval) => {
      const exporter = await live({ interval, wire, seed: interval, days: 0.5 });
      await untilRun(exporter, interval);

      await expectReported(exporter);
    },
  );
});
