import { expect, test } from 'vitest';
import { missing } from '../support/tools.ts';
import { accountsProblems, differences, type SeenAccount } from './accounts-truth.ts';
import { problemsOfBoards } from './every-board.ts';
import { forgetGrafanaAfterwards, loadGrafana, missingGrafana } from './grafana.ts';
import { boardOf, OpenedBoard } from './opened-board.ts';
import {
  type ScrapedSandbox,
  scrapeSeconds,
  startReceiver,
  startScrapedSandbox,
} from './scraped-sandbox.ts';
import { serviceNow } from './service-seen.ts';
import { makeTrouble } from './trouble.ts';

forgetGrafanaAfterwards();

test.skipIf(missing('prometheus') || missingGrafana())(
  'of three accounts, those that are read are shown, the blind and the dead one are named, and the board of a check is about its account',
  async () => {
    const grafana = loadGrafana();
    const shared = await startReceiver('prometheus');
    const start = (account: string, seed: number) =>
      startScrapedSandbox({ shared, account, seed, checks: 12, transactions: 2 });
    const [shop, blog, wiki] = [
      await start('shop', 1),
      await start('blog', 2),
      await start('wiki', 3),
    ];
    const all = [shop, blog, wiki];
    const live = async (seconds: number, everySeconds?: number) => {
      for (const one of all) await one.live(seconds, everySeconds);
    };
    const open = (uid: string, chosen: Readonly<Record<string, readonly string[]>>) => {
      const now = shop.clock.now();
      const range = { from: now - 1_500_000, to: now };
      const { source } = shop;
      const opening = { grafana, source, scrapes: shop.scrapes(), scrapeSeconds, range, chosen };
      return OpenedBoard.open(boardOf(uid), opening);
    };
    const expectAccounts = async (...accounts: readonly SeenAccount[]) => {
      expect(await accountsProblems(await open('uptime-overview', {}), accounts)).toEqual([]);
    };
    /** The board of a check is the same with all accounts and with its own. */
    const expectOwn = async (name: string, { sandbox }: ScrapedSandbox, first: RegExp) => {
      for (const at of [0, 1]) {
        const check = [`${sandbox.world.checks[at]?.id}`];
        const board = await open('uptime-check', { check });
        const { figures } = await board.see('Can this be believed?');
        expect(figures.map((figure) => figure.name)).toEqual([expect.stringMatching(first)]);
        expect(
          await differences(board, await open('uptime-check', { check, account: [name] })),
        ).toEqual([]);
      }
    };

    await live(360);
    for (const one of [shop, wiki]) makeTrouble(one);
    await live(1200);
    await expectAccounts(
      { name: 'shop', truth: serviceNow(shop), is: 'seeing' },
      { name: 'blog', truth: serviceNow(blog), is: 'seeing' },
      { name: 'wiki', truth: serviceNow(wiki), is: 'seeing' },
    );
    const truth = serviceNow(shop);
    const only = ['uptime-check'];
    expect(await problemsOfBoards(shop, { grafana, truth, seconds: 1500, only })).toEqual([]);

    const wikiSeen = serviceNow(wiki);
    wiki.sandbox.faults.inject({ kind: 'unauthorized' });
    // Until its list is too old to be shown.
    await live(480, 60);
    await expectAccounts(
      { name: 'shop', truth: serviceNow(shop), is: 'seeing' },
      { name: 'blog', truth: serviceNow(blog), is: 'seeing' },
      { name: 'wiki', truth: wikiSeen, is: 'blind' },
    );
    await expectOwn('shop', shop, /^shop: read$/);
    await expectOwn('wiki', wiki, /^wiki: cannot be read \(unauthorized\)/);

    const shopSeen = serviceNow(shop);
    const diedAt = shop.clock.now();
    await shop.die(360);
    for (const one of [blog, wiki]) await one.live(360);
    await expectAccounts(
      { name: 'shop', truth: shopSeen, is: 'dead' },
      { name: 'blog', truth: serviceNow(blog), is: 'seeing' },
      { name: 'wiki', truth: wikiSeen, is: 'blind' },
    );
    await expectOwn('shop', shop, /^shop: the exporter does not answer/);
    const { lines } = await (await open('uptime-exporter', {})).see('Demand and budget');
    const lastOf = (name: string) =>
      lines.find((line) => line.name === name)?.points.findLast(([, value]) => value !== null)?.[0];
    expect(lastOf('blog: sent')).toBeGreaterThan(diedAt + 240_000);
    expect(lastOf('shop: sent')).toBeLessThanOrEqual(diedAt + 60_000);
  },
);
