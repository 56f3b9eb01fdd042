import { describe, test } from 'vitest';
import {
  expectReported,
  intervals,
  live,
  reportForms,
  untilRun,
} from '../support/transaction-life.ts';

const seeds = [1, 2, 3];

describe.each(reportForms)('with status reports that %s', (_, documentForms) => {
  describe.each(seeds)('and seed %i', (seed) => {
    test.each(intervals)(
      'transactions run every %i minutes count what the service knows',
      async (interval) => {
        const days = interval >= 720 ? 6 : 1;
        const exporter = await live({ interval, documentForms, seed, days });
        await untilRun(exporter, interval);

        await expectReported(exporter);
      },
    );
  });
});
