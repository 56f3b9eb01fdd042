import { test } from 'vitest';
import { missing } from '../support/tools.ts';
import { loadGrafana, missingGrafana } from './grafana.ts';
import { startScrapedSandbox } from './scraped-sandbox.ts';
import { expectTrueBoards } from './seen-faults.ts';
import { serviceNow } from './service-seen.ts';
import { makeTrouble } from './trouble.ts';

test.skipIf(missing('prometheus') || missingGrafana())(
  'every dashboard shows what is so of 20 checks, and every planted fault is seen',
  async () => {
    const scraped = await startScrapedSandbox({ checks: 20 });
    await scraped.live(360);
    makeTrouble(scraped);
    await scraped.live(420);
    const options = { grafana: loadGrafana(), truth: serviceNow(scraped), seconds: 600 };
    await expectTrueBoards(scraped, options, false);
  },
);
