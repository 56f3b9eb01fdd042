import { expect, test } from 'vitest';
import type { ApiVersion } from '../../src/domain/version.ts';
import { accountsByVersion } from '../support/accounts-by-version.ts';
import {
  causesReported,
  type FirstHoursAccount,
  plantPast,
  type Reported,
  type ReportedOutage,
  reportedBy,
  trueOutages,
  untruths,
} from '../support/first-hours.ts';
import { RestartableExporter } from '../support/restartable-exporter.ts';
import { windowVerdict } from '../support/window-truth.ts';

const minute = 60;
const hour = 60 * minute;

interface Case extends FirstHoursAccount {
  readonly version: ApiVersion;
}

const cases: readonly Case[] = [
  { version: '3.1', checks: 30, open: 4, recent: 5, old: 8 },
  { version: '2.1', checks: 30, open: 4, recent: 5, old: 8 },
  { version: '3.1', checks: 200, open: 12, recent: 30, old: 90 },
  { version: '2.0', checks: 200, open: 12, recent: 30, old: 90 },
  { version: '3.1', checks: 2_000, open: 60, recent: 200, old: 700 },
];

/** Data that were exact once stay exact. */
class Knowledge {
  readonly #known = new Map<string, ReportedOutage>();

  lostBy({ outages }: Reported): string[] {
    const reported = new Map(outages.map((outage) => [keyOf(outage), outage]));
    const lost = [...this.#known].flatMap(([key, { text, analysisId }]) => {
      const now = reported.get(key);
      const hadCause = text.includes('. ');
      if (now === undefined) return [`the outage ${key}`];
      if (hadCause && !now.text.includes('. ')) return [`the cause of ${key}`];
      return analysisId !== undefined && now.analysisId === undefined
        ? [`the analysis of ${key}`]
        : [];
    });
    for (const outage of outages) {
      if (outage.beginning === 'exact') this.#known.set(keyOf(outage), outage);
    }
    return lost;
  }
}

function keyOf({ checkId, time }: ReportedOutage): string {
  return `${checkId} at ${time}`;
}

/** The longest time in seconds between two check lists since a time. */
function longestBetweenLists({ sandbox }: RestartableExporter, since: number): number {
  const times = sandbox.journal.recent
    .filter(({ operation, query }) => operation === 'list_checks' && !(Number(query.offset) > 0))
    .map(({ time }) => time / 1000)
    .filter((time) => time > since);
  return Math.max(...times.slice(1).map((time, place) => time - (times[place] ?? since)));
}

test.each(cases)(
  'for $checks checks of API $version, everything shown in the first hours is true, and checks that are down are known first',
  async (account) => {
    const { version, checks, open } = account;
    const exporter = await RestartableExporter.create({
      checks,
      transactions: 0,
      account: accountsByVersion[version],
      shortLimit: 400,
      longLimit: 72_000,
    });
    plantPast(exporter, account);
    const { sandbox } = exporter;
    const start = exporter.now;
    const openIds = sandbox.world.checks.slice(0, open).map(({ id }) => id);
    const knowledge = new Knowledge();
    await exporter.start();
    let lowest = Number.POSITIVE_INFINITY;
    const at = async (seconds: number) => {
      while (exporter.now < start + seconds) {
        await exporter.pass(Math.min(5 * minute, start + seconds - exporter.now));
        lowest = Math.min(lowest, sandbox.limits.reading('short').remaining);
      }
      const reported = await reportedBy(exporter);
      expect(untruths(exporter, reported)).toEqual([]);
      // The plan sustains all data of 30 checks, whatever is read once or temporarily spent by
      // others.
      if (checks === 30) expect(reported.account.shortfall).toBeUndefined();
      expect(knowledge.lostBy(reported)).toEqual([]);
      expect(reported.account.checks.by_status.down).toBeGreaterThanOrEqual(open / 2);
      return reported;
    };

    const first = await at(minute);
    const exactly = (reported: Reported) =>
      reported.outages.filter(({ beginning, ongoing }) => ongoing && beginning === 'exact');
    const beginnings = ({ samples }: Reported) =>
      [...samples.keys()].filter((name) => name.startsWith('uptime_check_outage_start_')).length;
    if (version === '3.1') {
      expect(exactly(first)).toHaveLength(open);
      expect(beginnings(first)).toBe(open);
    }

    const reported = await at(5 * minute);
    // One check has been down for longer than the range of reports.
    const before = sandbox.world.checks.slice(0, open).filter((_, place) => place % 6 === 5).length;
    const isKnownToBegin = version === '3.1' ? open : open - before;
    expect(beginnings(reported)).toBe(isKnownToBegin);
    for (const id of openIds) {
      const ofCheck = reported.outages.filter(({ checkId }) => checkId === id);
      expect(ofCheck).toHaveLength(trueOutages(sandbox, id, exporter.now).length);
    }

    if (checks === 30) sandbox.limits.otherClientSpends(100);
    const explained = await at(20 * minute);
    if (checks < 100) {
      expect((await windowVerdict(exporter, explained.samples)).wrong).toEqual([]);
    }
    const stillOpen = exactly(explained).filter(({ checkId }) => openIds.includes(checkId));
    expect(stillOpen).toHaveLength(isKnownToBegin);
    expect(stillOpen.filter((outage) => !causesReported(exporter, outage))).toEqual([]);

    const afterAnHour = await at(hour);
    // No other client spends, so the checks that were down at first sight hardly delay the list.
    if (checks > 30) expect(longestBetweenLists(exporter, start)).toBeLessThan(200);
    // The lists of API 2.x lack the start of an outage, so a report is needed too.
    if (version === '3.1') {
      const failedSince = sandbox.world.checks[open + account.recent + account.old]?.id;
      const newOutages = afterAnHour.outages.filter(({ checkId }) => checkId === failedSince);
      expect(newOutages.map((outage) => causesReported(exporter, outage))).toEqual([true]);
    }
    // Twice as long shows nothing more of a large account.
    const hours = checks > 1_000 ? 3 : 6;
    const last = await at(hours * hour);
    expect((await windowVerdict(exporter, last.samples)).wrong).toEqual([]);
    const promised = reported.account.first_sight;
    const left = last.account.first_sight?.pasts_left ?? 0;
    if (promised?.done === undefined) {
      expect(promised).toBeUndefined();
      expect(left).toBe(0);
    } else {
      const reported = start + 5 * minute;
      const share = Math.min(1, (hours * hour - 5 * minute) / (promised.done - reported));
      const read = promised.pasts_left - left;
      expect(read).toBeGreaterThanOrEqual(0.8 * share * promised.pasts_left);
      if (share < 1) expect(read).toBeLessThanOrEqual(1.2 * share * promised.pasts_left);
      expect(last.account.first_sight?.done ?? 0).toBeLessThanOrEqual(promised.done_at_latest ?? 0);
    }
    expect(lowest).toBeGreaterThanOrEqual(80);
    expect(sandbox.journal.countOfStatus(429)).toBe(0);
    expect(sandbox.journal.countOfOperation('list_checks')).toBeGreaterThan(hours * 36);
    expect(last.account.shortfall?.level).not.toBe('late');
  },
);
