import type { Reader } from '../src/api/reader.ts';
import { createServiceV31 } from '../src/api/versions.ts';
import { refreshChecks } from '../src/datasets/checks.ts';
import { refreshOutages } from '../src/datasets/outages.ts';
import { ServiceTime } from '../src/datasets/refresh-context.ts';
import { World } from '../src/sandbox/account/world.ts';
import { AccountState } from '../src/state/account-state.ts';
import { PendingReports } from '../src/tally/pending-reports.ts';

/**
 * The number of requests for availability: the exporter reads the list of an account once a minute
 * for a simulated week. Exact counters of up and down must cost requests per outage, not per check.
 *
 * Usage: node availability.js [checks] [days] [outages]
 */
const [checks = 2000, days = 7, outages = 50] = process.argv.slice(2).map(Number);

const minute = 60;
const day = 86_400;
const start = 1_767_225_600;
const end = start + days * day;

class WallClock {
  seconds = start;
  now = () => this.seconds * 1000;
  monotonic = () => (this.seconds - start) * 1000;
}

/**
 * Every check is up except during outages, which last from minutes to hours and are spread over
 * checks and time.
 */
function quietWorld(): World {
  const world = new World({ seed: 1, checks, transactions: 0, startedAt: start });
  for (const check of world.checks) {
    const resolutionSeconds = minute * check.resolutionMinutes;
    const phaseSeconds = check.id % resolutionSeconds;
    const from = start - 30 * day;
    world.registry.put({ ...check, runs: [{ from, resolutionSeconds, phaseSeconds }] });
    world.plant({ checkId: check.id, status: 'up', from, to: end + day });
  }
  for (let n = 0; n < outages; n++) {
    const checkId = world.checks[Math.floor((n * checks) / outages)]?.id ?? 0;
    const from = start + Math.floor(((n + 0.5) * (end - start)) / (outages + 1));
    world.plant({ checkId, status: 'down', from, to: from + minute * (10 + 7 * (n % 50)) });
  }
  return world;
}

/** The service as documented (API 3.1, sections 2.1 and 2.9), which counts its requests. */
function simulatedService(world: World, clock: WallClock) {
  const requests = { list: 0, outages: 0 };
  const list = () =>
    world.checks.map((check) => {
      const seen = world.observer.observe(check, clock.seconds);
      return {
        id: check.id,
        name: check.name,
        type: check.type,
        resolution: check.resolutionMinutes,
        status: seen.status,
        lasttesttime: seen.lastTest?.time,
        lasterrortime: seen.lastErrorTime,
        lastdownstart: seen.lastOutage?.start,
        lastdownend: seen.lastOutage?.end,
      };
    });
  const report = (id: number, from: number) => {
    const check = world.check(id);
    const segments = check ? world.history.segments(check, from, clock.seconds) : [];
    return segments.map((segment) => ({
      status: segment.status,
      timefrom: segment.from,
      timeto: segment.to,
    }));
  };
  const reader: Reader = {
    baseUrl: 'http://127.0.0.1',
    get: async ({ path, query }) => {
      if (path === 'checks') {
        requests.list += 1;
        return { checks: list(), counts: { total: checks, limited: checks, filtered: checks } };
      }
      requests.outages += 1;
      return { summary: { states: report(Number(path.split('/')[1]), Number(query?.from)) } };
    },
  };
  return { requests, service: createServiceV31({ reader: reader }) };
}

async function watch(): Promise<void> {
  const clock = new WallClock();
  const world = quietWorld();
  const { requests, service } = simulatedService(world, clock);
  const state = new AccountState({
    account: 'bench',
    apiVersion: '3.1',
    baseUrl: service.baseUrl,
    clock,
    storeTotals: async () => {},
    responseTimeBounds: [],
  });
  const serviceTime = new ServiceTime({ clock, state });
  const context = { service, state, clock, serviceTime, responseTimeBounds: [], byCountry: false };
  const reports = new PendingReports();
  const [readList, readOutages] = [
    refreshChecks(context, reports),
    refreshOutages(context, reports),
  ];
  const { signal } = new AbortController();
  for (; clock.seconds <= end; clock.seconds += minute) {
    const { events } = await readList(0, signal);
    for (const { dataset, id } of events) {
      if (dataset === 'outages' && id !== 'account') await readOutages(id, signal);
    }
  }
  let counted = 0;
  for (const { totals } of state.checks.records()) counted += totals.states.outages;
  process.stdout.write(
    `${checks} checks, ${days} days, ${outages} outages (${counted} counted): ` +
      `${requests.list} requests for the list, ${requests.outages} for outages, ` +
      `${(requests.outages / outages).toFixed(2)} for each outage\n`,
  );
}

await watch();
