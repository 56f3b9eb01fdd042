import { type Month, MonthCalendar } from '../../src/lib/month-calendar.ts';
import { hashUnit } from '../../src/lib/random.ts';
import type { DaySum } from '../../src/months/day-sums.ts';
import type { MonthOutage, MonthRecord } from '../../src/months/month-record.ts';
import { StoredMonths } from '../../src/months/stored-months.ts';
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts';
import { noSeconds } from '../../src/tally/state-tally.ts';
import type { ExporterFolder } from './serve.ts';

const months = 12;
/** Of the records of a month; a quarter of 25,000 checks and twelve months are 82,500 outages. */
const shareWithOutage = 0.275;
const outageSeconds = 420;
const itemsPerCommit = 2_500;

/** The complete months for which records were stored. */
export interface PreparedMonths {
  readonly first: string;
  readonly last: string;
}

/** Stores the records of a year for each check of the only account. */
export async function prepareMonths(folder: ExporterFolder): Promise<PreparedMonths> {
  const account = 'main';
  const { store } = await openSqliteStore({ path: folder.storePath, now: Date.now });
  const calendar = new MonthCalendar('UTC');
  const present = calendar.containing(Date.now() / 1000);
  const past = Array.from({ length: months }, (_, place) =>
    calendar.later(present, place - months),
  );
  const stored = new StoredMonths({
    account,
    policies: { calendar },
    readMonth: (batch) => store.readMonth({ ...batch, account }),
    storeDocuments: (documents) => store.commit({ account, documents }),
    log: console,
  });
  const { items } = await store.load(account);
  const ids = [...items.check.keys()];
  for (const month of past) {
    for (let from = 0; from < ids.length; from += itemsPerCommit) {
      const some = ids.slice(from, from + itemsPerCommit);
      await stored.store(
        month,
        some.map((id) => recordOf(id, month)),
      );
    }
    await stored.markWhole(stored.begun(month));
  }
  const sealed = [...items.check].map(([id, item]) => {
    const sealedUntilSeconds = present.fromSeconds;
    return [id, { ...item, sealedUntilSeconds }] as const;
  });
  await store.commit({ account, items: { check: new Map(sealed) } });
  await store.close();
  return { first: past[0]?.name ?? '', last: past.at(-1)?.name ?? '' };
}

function recordOf(id: number, month: Month): MonthRecord {
  const { fromSeconds, toSeconds } = month;
  const length = toSeconds - fromSeconds;
  const hasOutage = hashUnit(id, fromSeconds, 1) < shareWithOutage;
  const at = Math.floor(hashUnit(id, fromSeconds, 2) * (length - outageSeconds));
  const down = hasOutage ? outageSeconds : 0;
  const day: DaySum = { place: Math.floor(at / 86_400), down, uncounted: 0 };
  const outage: MonthOutage = {
    fromSeconds: fromSeconds + at,
    toSeconds: fromSeconds + at + outageSeconds,
    causes: ['http_5xx'],
    maintenance: 'none',
  };
  return {
    kind: 'check',
    id,
    name: `check ${id} of a shop`,
    hostname: `host-${id}.example.com`,
    tags: ['shop', 'web', `team-${id % 20}`],
    groups: [{ name: `team-${id % 20}`, ratio: 0.999 }],
    objective: 0.999,
    seconds: { ...noSeconds, up: length - down, down },
    awaited: [],
    unwatched: [],
    ...(hasOutage && { days: [day] }),
    outages: hasOutage ? [outage] : [],
    knownBy: hasOutage ? 'reports' : 'lists',
    responseTimes: {
      hours: 700,
      tests: 40_000,
      milliseconds: 9_000_000,
      slowestDay: id % 28,
      slowestMilliseconds: 400,
    },
  };
}
