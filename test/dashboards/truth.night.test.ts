import { expect, test } from 'vitest';
import { casesOf } from '../support/extent.ts';
import { missing } from '../support/tools.ts';
import { problemsOfBoards } from './every-board.ts';
import { forgetGrafanaAfterwards, loadGrafana, missingGrafana } from './grafana.ts';
import { startScrapedSandbox } from './scraped-sandbox.ts';
import { serviceNow } from './service-seen.ts';
import { makeTrouble } from './trouble.ts';

forgetGrafanaAfterwards();

const isMissing = missing('prometheus') || missing('prometheus-3') || missingGrafana();
const grafana = isMissing ? undefined : loadGrafana();

/** Until no report can lag so far, ratios leave out up to 35 minutes before first sight. */
const isNotOfThePast = (problem: string) => !/budget|Budget left|Up in 30 days/.test(problem);
/** The default limits of the service. */
const defaultLimits = { shortLimit: 400, longLimit: 72_000 };

const accounts = [
  // Within the first hour the past of every check is read, also of one that is paused.
  {
    checks: 200,
    server: 'prometheus',
    quietSeconds: 2_340,
    isPastProven: true,
    targets: [
      { job: 'uptime', instance: 'one:9158' },
      { job: 'uptime', instance: 'two:9158' },
    ],
  },
  {
    checks: 2000,
    server: 'prometheus-3',
    quietSeconds: 1_140,
    isPastProven: false,
    targets: [{ job: 'uptime', instance: 'one:9158' }],
  },
] as const;

for (const { checks, server, quietSeconds, isPastProven, targets } of casesOf(accounts, 0)) {
  test.skipIf(isMissing)(
    `dashboards show what is so of ${checks} checks with ${server}, by the default budget of requests`,
    async () => {
      if (grafana === undefined) return;
      const scraped = await startScrapedSandbox({ checks, server, targets, ...defaultLimits });
      await scraped.live(60);
      const first = { grafana, truth: serviceNow(scraped), seconds: 900, isYoung: true };
      expect((await problemsOfBoards(scraped, first)).filter(isNotOfThePast)).toEqual([]);
      await scraped.live(quietSeconds);
      makeTrouble(scraped);
      await scraped.live(1200);
      const later = { grafana, truth: serviceNow(scraped), seconds: 900, isYoung: true };
      const problems = await problemsOfBoards(scraped, later);
      expect(isPastProven ? problems : problems.filter(isNotOfThePast)).toEqual([]);
    },
  );
}
