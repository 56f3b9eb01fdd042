import type { History } from '../simulation/history.ts';

const minute = 60;
const hour = 60 * minute;

interface DemoWorld {
  readonly checks: readonly { readonly id: number }[];
  readonly history: History;
}

/** Positions of checks that have no scenario of their own and are tested every minute. */
const demoPositions = { outage: 2, slow: 8, flapping: 10 } as const;
/** One of the checks that are in maintenance when the account starts. */
const inMaintenance = 18;

/** Outages of the last day that are over: hours before the start, minutes long. */
const pastOutages: readonly (readonly [position: number, hoursAgo: number, minutes: number])[] = [
  [1, 13.5, 26],
  [4, 6.2, 45],
  [5, 20.4, 15],
  [12, 9.1, 8],
  [13, 3.4, 20],
  [16, 16.8, 12],
];

/**
 * The last day of the demo's account: an outage that goes on, a check that flaps, one that is down in maintenance, one
 * that has become slow, and some outages that are over. `startedAt` is in UNIX seconds.
 */
export function plantDemoScenario({ checks, history }: DemoWorld, startedAt: number): void {
  const plant = (position: number, status: 'up' | 'down', from: number, to?: number) => {
    const checkId = checks[position]?.id;
    if (checkId === undefined) return;
    history.plant({ checkId, status, from, ...(to !== undefined && { to }) });
  };
  for (const position of Object.values(demoPositions)) {
    plant(position, 'up', startedAt - 8 * 24 * hour, startedAt + 24 * hour);
  }
  for (const [position, hoursAgo, minutes] of pastOutages) {
    const from = startedAt - hoursAgo * hour;
    plant(position, 'down', from, from + minutes * minute);
  }
  plant(demoPositions.outage, 'down', startedAt - 17 * minute);
  plant(inMaintenance, 'down', startedAt - 25 * minute, startedAt + hour);
  for (let from = startedAt - 3 * hour; from < startedAt + 24 * hour; from += 14 * minute) {
    plant(demoPositions.flapping, 'down', from, from + 4 * minute);
  }
  const slowId = checks[demoPositions.slow]?.id;
  if (slowId === undefined) return;
  history.plantSlowness({ checkId: slowId, factor: 4, from: startedAt - 9 * hour });
}

/** The check of which the outage goes on; undefined in an account without it. */
export function demoOutageId(checks: readonly { readonly id: number }[]): number | undefined {
  return checks[demoPositions.outage]?.id;
}
