import { describe, test } from 'vitest';
import {
  expectReported,
  intervals,
  live,
  reportForms,
  untilRun,
} from '../support/transaction-life.ts';

/** SEED=n plays another life. */
const seeds = [Number(process.env.SEED ?? 1)];

describe.each(reportForms)('with status reports that %s', (_, documentForms) => {
  describe.each(seeds)('and seed %i', (seed) => {
    test.each(intervals)(
      'transactions run every %i minutes count what the service knows',
      async (interval) => {
        const days = interval >= 720 ? 4 : 1;
        const exporter = await live({ interval, documentForms, seed, days });
        await untilRun(exporter, interval);

        await expectReported(exporter);
      },
    );
  });
});
