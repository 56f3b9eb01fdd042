import { expect, test } from 'vitest';
import { extent } from '../support/extent.ts';
import type { Wire } from './support/simulated-life.ts';
import { watchLife } from './support/watched-life.ts';

const recorded: Wire = {
  resolutionSeconds: 60,
  dialect: '3.1',
  reportLagSeconds: [0, 0],
  listLagSeconds: [0, 30],
  reportsEnd: 'last-test',
  downEnd: 'end',
  missesOutages: false,
  quietSeconds: [120, 4_000],
  disturbances: ['down', 'down', 'pause', 'unknown'],
  followed: 0.2,
};

interface Cell extends Partial<Wire> {
  readonly name: string;
  readonly restarts?: boolean;
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

const lives = extent(5, 300);
const mostReports = 40;
/** Its outages are minutes apart for six hours. */
const mostReportsOfFlapping = 46;

test.each(variants)(
  'counters are exact when $name, tested every $resolutionSeconds seconds, with $downEnd as the end',
  async ({ name, restarts = false, ...wire }) => {
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
    expect(reports).toBeLessThanOrEqual(wire.followed === 0 ? mostReportsOfFlapping : mostReports);
    expect(lateShare).toBeLessThan(0.12);
  },
);
