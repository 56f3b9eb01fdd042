import { expect, test } from 'vitest';
import { hashUnit } from '../../src/lib/random.ts';
import { drawnSeeds } from '../life/drawn-lives.ts';
import { extent } from '../support/extent.ts';
import type { Wire } from './support/simulated-life.ts';
import { watchLife } from './support/watched-life.ts';

const hour = 3_600;
const recorded: Wire = {
  resolutionSeconds: 60,
  resolutions: [],
  splitsOutages: false,
  dialect: '3.1',
  reportLagSeconds: [0, 0],
  listLagSeconds: [0, 30],
  reportsEnd: 'last-test',
  cutsStates: true,
  emptyStates: false,
  reportsBegin: 'range',
  openDownEnd: 'absent',
  recoveries: 'up',
  listsConfirmations: false,
  isAlone: false,
  jitterSeconds: 0,
  listedError: 'last',
  resumedStatus: 'unknown',
  omitted: 0,
  goesBack: false,
  downEnd: 'end',
  confirmedBy: 'probes',
  missesOutages: false,
  quietSeconds: [120, 4_000],
  disturbances: ['down', 'down', 'pause', 'unknown'],
  followed: 0.2,
  chained: 0,
  pausesInReports: 'absent',
  unknownInReports: 'shown',
  joinsUnknown: false,
  listsUnknownTests: false,
  lateStatusSeconds: 0,
  unreadableShare: 0,
  listsSeconds: [55, 65],
  blindShare: 0,
  blindSeconds: [0, 0],
  eventfulSeconds: 6 * hour,
  lifeSeconds: 10 * hour,
  longShare: 0,
  longSeconds: 0,
};

interface Cell extends Partial<Wire> {
  readonly name: string;
  readonly restarts?: boolean;
  /** Of a life, on average. */
  readonly mostReports?: number;
}

const cells: readonly Cell[] = [
  { name: 'reports end with the last test' },
  { name: 'reports end now', reportsEnd: 'now' },
  { name: 'reports are a minute late', reportLagSeconds: [60, 60] },
  { name: 'reports are ten minutes late', reportLagSeconds: [600, 600] },
  { name: 'reports are up to a quarter of an hour late', reportLagSeconds: [0, 900] },
  { name: 'reports end now, less the lag', reportLagSeconds: [0, 900], reportsEnd: 'now' },
  {
    name: 'reports lack outages for half an hour',
    reportLagSeconds: [0, 120],
    missesOutages: true,
  },
  { name: 'lists of 2.x have no start of an outage', reportLagSeconds: [0, 300], dialect: '2.x' },
  {
    name: 'lists of 2.x have no start of an outage, and reports lack outages',
    reportLagSeconds: [0, 120],
    dialect: '2.x',
    missesOutages: true,
  },
  {
    name: 'the check flaps',
    reportLagSeconds: [0, 300],
    listLagSeconds: [0, 90],
    quietSeconds: [60, 240],
    disturbances: ['down'],
    followed: 0,
    // Its outages are minutes apart for six hours.
    mostReports: 46,
  },
  {
    name: 'a recovery is unconfirmed until the next test',
    recoveries: 'unconfirmed_up',
    mostReports: 16,
  },
  { name: 'it restarts', reportLagSeconds: [0, 900], restarts: true },
  {
    name: 'it restarts, reports lack outages',
    reportLagSeconds: [0, 120],
    missesOutages: true,
    restarts: true,
  },
];

const variants = cells.flatMap((cell) =>
  [60, 300].flatMap((resolutionSeconds) =>
    (['end', 'good-test'] as const).map((downEnd) => ({ ...cell, resolutionSeconds, downEnd })),
  ),
);

const lives = extent(3, 300);
const usualReports = 40;

test.each(variants)(
  'counters are exact when $name, tested every $resolutionSeconds seconds, with $downEnd as the end',
  async ({ name, restarts = false, mostReports = usualReports, ...wire }) => {
    const wrong: unknown[] = [];
    let reports = 0;
    let lateShare = 0;
    for (let seed = 1; seed <= lives; seed++) {
      const life = await watchLife({ ...recorded, ...wire }, seed, restarts);
      reports += life.reports / lives;
      lateShare += life.lateShare / lives;
      const isExact = life.wrongSeconds === 0 && life.wrongOutages === 0 && life.isCounted;
      if (!isExact) wrong.push({ seed, ...life });
    }
    expect(wrong).toEqual([]);
    expect(reports).toBeLessThanOrEqual(mostReports);
    expect(lateShare).toBeLessThan(0.12);
  },
);

/** A wire that is drawn at random. Much is paused and unknown, and at times nothing is read. */
function drawWire(seed: number): Wire {
  let draws = 0;
  const pick = <T>(...from: readonly T[]): T =>
    from[Math.floor(hashUnit(seed, 99, ++draws) * from.length)] as T;
  const missesOutages = pick(false, false, false, true);
  const lateStatusSeconds = pick(0, 0, 40);
  return {
    resolutionSeconds: pick(60, 300, 900),
    resolutions: [],
    splitsOutages: false,
    dialect: pick('3.1', '3.1', '2.x'),
    reportLagSeconds: pick([0, 0], [60, 60], [600, 600], [0, 300], [0, 900], [0, 2_000]),
    listLagSeconds: pick([0, 0], [0, 30]),
    reportsEnd: pick('last-test', 'before-now', 'now'),
    downEnd: pick('end', 'good-test'),
    missesOutages,
    quietSeconds: pick([120, 4_000], [60, 1_500]),
    disturbances: ['down', 'down', 'failure', 'pause', 'pause', 'pause', 'unknown', 'unknown'],
    followed: 0.3,
    chained: pick(0, 0.4),
    pausesInReports: pick('absent', 'unknown'),
    unknownInReports: pick('shown', 'absent'),
    lateStatusSeconds,
    unreadableShare: pick(0, 0, 0.1),
    listsSeconds: [55, 65],
    blindShare: pick(0, 0.01, 0.03),
    blindSeconds: [60, 7_000],
    eventfulSeconds: 6 * hour,
    lifeSeconds: 10 * hour,
    longShare: 0,
    longSeconds: 0,
    confirmedBy: pick('probes', 'next-test'),
    listsUnknownTests: pick(true, false),
    cutsStates: pick(true, false),
    emptyStates: pick(false, false, true),
    jitterSeconds: pick(0, 0, 9),
    // A first test does not show how long an outage lasted that a report lacks.
    listedError: pick('last', missesOutages ? 'last' : 'first', 'outage'),
    // An outage that a short pause ended would seem to go on.
    resumedStatus: lateStatusSeconds > 0 ? 'unknown' : pick('unknown', 'unknown', 'as-before'),
    omitted: pick(0, 0, 0.02),
    goesBack: pick(false, false, true),
    isAlone: pick(false, false, false, true),
    reportsBegin: pick('range', 'range', 'first-test'),
    openDownEnd: pick('absent', 'earlier'),
    recoveries: pick('up', 'unconfirmed_up'),
    listsConfirmations: pick(false, false, true),
    joinsUnknown: pick(false, true),
  };
}

/**
 * Its owner changes the resolution again and again, often between two lists.
 */
function drawChangingWire(seed: number): Wire {
  const wire = drawWire(seed);
  return {
    ...wire,
    followed: 0.8,
    blindShare: 0.15,
    blindSeconds: [60, 2_500],
    // Two changes of which no list shows the first leave no trace, if they end where they began.
    resolutionSeconds: 300,
    resolutions: [300, 60, 900, 180],
    // Of two outages between two lists, the list shows the last one: only a report has the first.
    splitsOutages: seed % 3 === 0 && !wire.missesOutages,
    disturbances: ['down', 'down', 'failure', 'pause', 'unknown'],
  };
}

/** Days, in which disturbances, and times without lists, may last longer than reports are awaited. */
function drawLongWire(seed: number): Wire {
  const wire = seed % 2 === 0 ? drawWire(seed) : drawChangingWire(seed);
  return {
    ...wire,
    // Rare lists make a life short to play. They may miss an outage, too.
    listsSeconds: seed % 10 === 0 ? [55, 65] : [280, 330],
    missesOutages: seed % 10 === 0 && wire.missesOutages,
    // Where rare lists show a pause without its last test, an unknown test before it seems to end it.
    omitted: 0,
    blindShare: wire.missesOutages ? 0 : Math.min(0.006, wire.blindShare / 5),
    blindSeconds: [60, 100_000],
    eventfulSeconds: 60 * hour,
    lifeSeconds: 130 * hour,
    longShare: 0.15,
    longSeconds: 120_000,
  };
}

/** Lists and reports do not show that it is unknown until it ends, perhaps for more than a day. */
function drawUnseenWire(seed: number): Wire {
  return {
    ...drawLongWire(seed),
    listsUnknownTests: false,
    unknownInReports: 'absent',
    disturbances: ['down', 'down', 'unknown', 'pause'],
    followed: 0.7,
    longShare: 0.4,
  };
}

test.each([
  ['with any wire, also after times without them', drawWire, extent(20, 10_000)],
  ['when the resolution changes', drawChangingWire, extent(10, 5_000)],
  ['when disturbances last for days', drawLongWire, extent(4, 1_000)],
  ['when unknown states of days are not shown', drawUnseenWire, extent(2, 500)],
] as const)('what lists and reports have told is counted %s', async (_, draw, least) => {
  const wrong: unknown[] = [];
  for (const seed of drawnSeeds(least)) {
    const wire = draw(seed);
    const life = await watchLife(wire, seed, seed % 2 === 0);
    const isCounted = life.givenUpSeconds === 0 ? life.wrongOutages === 0 : life.wrongOutages <= 0;
    if (!isCounted || life.unexplained.length > 0) wrong.push({ seed, ...life, wire });
  }
  expect(wrong).toEqual([]);
});
