import type { Check } from '../src/domain/check.ts';
import { PageRenderer } from '../src/exposition/page/page-renderer.ts';
import type { StateHistory } from '../src/slo/state-history.ts';
import { AccountState } from '../src/state/account-state.ts';
import type { CheckTotals } from '../src/state/items/totals.ts';
import { encodeHistory } from '../src/store/format/state-history.ts';
import { startEventTally } from '../src/tally/event-tally.ts';
import { startResultTally } from '../src/tally/result-tally.ts';

/**
 * The cost of error ratios and budgets: 25,000 checks (or the given number), of which 1 % are down
 * now and 20 % were down five times within 30 days, compared with as many checks that were always
 * up.
 */
const count = Number(process.argv[2] ?? 25_000);
const day = 86_400;
const start = 1_767_225_600;
const minutes = 10;

function historyOf(id: number, nowSeconds: number): StateHistory | undefined {
  if (id % 5 !== 0) return undefined;
  const changes: { state: 'up' | 'down'; fromSeconds: number }[] = [
    { state: 'up', fromSeconds: nowSeconds - 35 * day },
  ];
  for (let outage = 5; outage >= 1; outage--) {
    const fromSeconds = nowSeconds - outage * 5 * day - (id % 1000) * 60;
    changes.push({ state: 'down', fromSeconds });
    changes.push({ state: 'up', fromSeconds: fromSeconds + 300 });
  }
  if (id % 100 === 0) changes.push({ state: 'down', fromSeconds: nowSeconds - 600 });
  return { knownFromSeconds: nowSeconds - 35 * day, hours: [], changes };
}

function checkOf(id: number, nowSeconds: number, failed: boolean): Check {
  const isDown = failed && id % 100 === 0;
  return {
    ...{ id, name: `check ${id}`, type: 'http', status: isDown ? 'down' : 'up' },
    ...{ hostname: `host-${id}.example.com`, tags: [], resolutionSeconds: 60 },
    ...{ createdAtSeconds: start - 300 * day, lastTestAtSeconds: nowSeconds },
    ...(isDown && { lastDownStartAtSeconds: nowSeconds - 600 }),
    lastResponseTimeSeconds: 0.1 + (id % 100) / 1000,
  };
}

function totalsOf({ id, status }: Check, nowSeconds: number, failed: boolean): CheckTotals {
  const history = failed ? historyOf(id, start) : undefined;
  const down = failed && id % 5 === 0 ? 1500 : 0;
  return {
    states: {
      ...{ startSeconds: start - 30 * day, horizonSeconds: nowSeconds, outages: 0 },
      seconds: { up: 30 * day + nowSeconds - start - down, down, unknown: 0, unmonitored: 0 },
      ...{ state: status === 'down' ? 'down' : 'up', inOutage: status === 'down' },
      resolutionSeconds: 60,
    },
    results: startResultTally(start, [0.1, 1]),
    analyses: startEventTally(start),
    ...(history !== undefined && { history }),
  };
}

async function measure(failed: boolean) {
  let nowSeconds = start;
  const clock = { now: () => nowSeconds * 1000, monotonic: () => (nowSeconds - start) * 1000 };
  const state = new AccountState({
    ...{ account: 'shop', apiVersion: '3.1', baseUrl: 'https://api.example.com', clock },
    ...{ storeTotals: async () => {}, responseTimeBounds: [0.1, 1] },
  });
  const renderer = new PageRenderer({
    clock: { monotonic: () => performance.now() },
    yieldToEventLoop: () => new Promise(setImmediate),
  });
  const known = new Map<number, CheckTotals>();
  const refresh = async () => {
    const checks = Array.from({ length: count }, (_, place) =>
      checkOf(place + 1, nowSeconds, failed),
    );
    state.listChecks(checks, (check) => totalsOf(check, nowSeconds, failed));
    await state.totals.commit(() => {
      const outages = state.listedOutages('checks', true);
      const totals = new Map<number, CheckTotals>();
      for (const check of checks) {
        const before = known.get(check.id) ?? totalsOf(check, nowSeconds, failed);
        const after = { ...before, states: { ...before.states, horizonSeconds: nowSeconds } };
        known.set(check.id, after);
        totals.set(check.id, after);
      }
      return { checks: totals, ...(outages !== undefined && { outages }) };
    });
    const before = process.cpuUsage();
    const snapshot = state.snapshot();
    const shown = cpuSince(before);
    const page = await renderer.render([snapshot]);
    return { shown, rendered: cpuSince(before) - shown, page };
  };
  const first = await refresh();
  let [shown, rendered] = [0, 0];
  for (let minute = 0; minute < minutes; minute++) {
    nowSeconds += 60;
    const next = await refresh();
    shown += next.shown / minutes;
    rendered += next.rendered / minutes;
  }
  globalThis.gc?.();
  const bytes = [...known.values()].map(({ history }) =>
    history === undefined ? 0 : encodeHistory(history).length,
  );
  return {
    series: first.page.series,
    page_mb: round(first.page.bytes.identity / 2 ** 20),
    page_gzip_mb: round(first.page.bytes.gzip / 2 ** 20),
    snapshot_cpu_ms: round(shown),
    render_cpu_ms: round(rendered),
    heap_mb: round(process.memoryUsage().heapUsed / 2 ** 20),
    stored_history_kb: round(bytes.reduce((sum, size) => sum + size, 0) / 2 ** 10),
  };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const failed = process.argv[3] !== 'up';
console.log(JSON.stringify({ checks: count, failed, ...(await measure(failed)) }, undefined, 2));
