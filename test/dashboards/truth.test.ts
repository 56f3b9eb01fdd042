import { test } from 'vitest';
import { missing } from '../support/tools.ts';
import { forgetGrafanaAfterwards, loadGrafana, missingGrafana } from './grafana.ts';
import { startScrapedSandbox } from './scraped-sandbox.ts';
import { expectTrueBoards, expectUnknown } from './seen-faults.ts';
import { serviceNow } from './service-seen.ts';
import { makeTrouble } from './trouble.ts';

forgetGrafanaAfterwards();

test.skipIf(missing('prometheus') || missingGrafana())(
  'every dashboard shows what is so of 20 checks, and says what it does not know while the exporter is blind or dead',
  async () => {
    const scraped = await startScrapedSandbox({ checks: 20 });
    await scraped.live(360);
    makeTrouble(scraped);
    // The outcome of a run of a transaction appears with the next run.
    await scraped.live(1200);
    const options = { grafana: loadGrafana(), seconds: 1500 };
    await expectTrueBoards(scraped, { ...options, truth: serviceNow(scraped) }, false);
    scraped.sandbox.faults.inject({ kind: 'unauthorized' });
    // The list is not too old yet.
    await scraped.live(180, 60);
    await expectUnknown(scraped, 'blind', options);
    // Until the list is too old to be shown.
    await scraped.live(300, 60);
    await expectUnknown(scraped, 'blind', options);
    await scraped.die(60);
    await expectUnknown(scraped, 'dead', options);
  },
);
