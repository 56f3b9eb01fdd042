import { test } from 'vitest';
import { expectScrapedWhole } from '../support/large-account.ts';
import { missing } from '../support/tools.ts';

test.skipIf(missing('prometheus') || missing('promtool'))(
  'a real Prometheus scrapes an account of 25,000 checks whole',
  async () => {
    await expectScrapedWhole(25_000, '30s');
  },
);
