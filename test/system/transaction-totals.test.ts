import { describe, test } from 'vitest';
import { casesOf } from '../support/extent.ts';
import {
  expectReported,
  intervals,
  live,
  reportForms,
  untilRun,
} from '../support/transaction-life.ts';

/** SEED=n plays another life. */
const seed = Number(process.env.SEED ?? 1);

describe.each(reportForms)('with status reports that %s', (_, wire) => {
  // How often a transaction runs does not change what a report means, so each form plays half.
  const place = Object.keys(wire).length === 0 ? 0 : 1;
  const played = intervals.filter((_, at) => at % 2 === place);
  test.each(casesOf(played, 1))(
    'transactions run every %i minutes count what the service knows',
    async (interval) => {
      const days = interval >= 720 ? 4 : 1;
      const exporter = await live({ interval, wire, seed, days });
      await untilRun(exporter, interval);

      await expectReported(exporter);
    },
  );
});
