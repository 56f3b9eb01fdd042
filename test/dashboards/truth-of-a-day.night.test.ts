import { test } from 'vitest';
import { missing } from '../support/tools.ts';
import { forgetGrafanaAfterwards, loadGrafana, missingGrafana } from './grafana.ts';
import { startScrapedSandbox } from './scraped-sandbox.ts';
import { expectTrueBoards, expectUnknown } from './seen-faults.ts';
import { serviceNow } from './service-seen.ts';
import { makeTrouble } from './trouble.ts';

forgetGrafanaAfterwards();

const isMissing = missing('prometheus-3') || missingGrafana();
const grafana = isMissing ? undefined : loadGrafana();

const day = 86_400;

test.skipIf(isMissing)(
  'dashboards show what is so after a day, and every planted fault is seen',
  async () => {
    if (grafana === undefined) return;
    const scraped = await startScrapedSandbox({
      checks: 20,
      server: 'prometheus-3',
      include: ['uptime_check_notification_recipients'],
    });
    await scraped.live(day - 7200, 240);
    makeTrouble(scraped);
    await scraped.live(7200);
    const options = { grafana, truth: serviceNow(scraped), seconds: 7000 };
    await expectTrueBoards(scraped, options, true);
    scraped.sandbox.faults.inject({ kind: 'unauthorized' });
    await scraped.live(3600);
    await expectUnknown(scraped, 'blind', { grafana, seconds: day });
    await scraped.die(3600);
    await expectUnknown(scraped, 'dead', { grafana, seconds: day });
  },
);
