import type { RateLimits, WindowName, WindowReport } from '../../src/domain/rate-limit.ts';
import { type DemandSize, demandsOf } from '../../src/schedule/demand.ts';
import { Ages } from './ages.ts';
import { EventQueue } from './event-queue.ts';
import { HandClock } from './hand-clock.ts';
import { seededRandom } from './noise.ts';
import type { AccountLimits } from './service-limits.ts';
import { SimulatedAccount } from './simulated-account.ts';
import { SimulatedExporter } from './simulated-exporter.ts';

const hour = 3_600_000;
const day = 24 * hour;
const happensAt = 30.3 * hour;
const until = 4 * day;
const othersEvery = 600_000;

export interface LimitCaseResult {
  readonly what: string;
  readonly restarted: boolean;
  /** The longest time without a request after the change. */
  readonly silenceSeconds: number;
  /** Requests in the day that begins two hours after the change. */
  readonly dayLater: number;
  readonly probes: number;
  readonly refused: number;
  /**
   * The smallest distance of a window from its reserve after a request that is not a probe, without
   * the requests of others.
   */
  readonly margin: number;
}

interface LimitCase {
  readonly what: string;
  readonly limits: AccountLimits;
  happen(account: SimulatedAccount): void;
}

const small = { short: 400, long: 72_000 };

function lying(windows: readonly WindowName[], lie: Partial<WindowReport>) {
  return (account: SimulatedAccount) => {
    account.lie = (limits: RateLimits) => {
      const said = windows.map((name) => {
        const truth = limits[name] ?? { remaining: 0, resetSeconds: 0 };
        return [name, { ...truth, ...lie }];
      });
      return { ...limits, ...Object.fromEntries(said) };
    };
  };
}

const cases: readonly LimitCase[] = [
  {
    what: 'plan 11,600/2,088,000 becomes 400/72,000',
    limits: { short: 11_600, long: 2_088_000 },
    happen: (account) => account.resize(small),
  },
  {
    what: 'one "Remaining: 1000000000"',
    limits: small,
    happen: lying(['short', 'long'], { remaining: 1e9 }),
  },
  {
    what: 'one reset in 359 days',
    limits: small,
    happen: lying(['short', 'long'], { resetSeconds: 359 * 86_400, remaining: 0 }),
  },
  { what: 'one "Remaining: 0"', limits: small, happen: lying(['short', 'long'], { remaining: 0 }) },
];

/**
 * Runs an account of 20 checks and another client whose limits shrink or are wrong once, with and
 * without a restart.
 */
export function runLimitCases(): LimitCaseResult[] {
  return cases.flatMap((limitCase) =>
    [false, true].map((restarted) => runCase(limitCase, restarted)),
  );
}

function runCase({ what, limits, happen }: LimitCase, restarted: boolean): LimitCaseResult {
  const random = seededRandom(7);
  const size: DemandSize = { version: '3.1', checks: 20, transactions: 0 };
  const demands = demandsOf(size);
  const [clock, queue, ages] = [new HandClock(), new EventQueue(), new Ages(random)];
  const account = new SimulatedAccount({ checks: 20, limits, until, othersEvery, queue, random });
  const sent: number[] = [];
  const options = {
    ...{ clock, queue, random, account, ages, size, choices: {} },
    costs: new Map(demands.map(({ name, cost }) => [name, cost])),
    onPlan: () => {},
    onSent: () => sent.push(clock.monotonic()),
    onOutageShown: () => {},
  };
  let exporter = new SimulatedExporter(options);
  let probes = 0;
  queue.at(happensAt, () => happen(account));
  if (restarted) {
    queue.at(happensAt + 300_000, () => {
      const stored = JSON.stringify(exporter.budget.snapshot());
      exporter.kill();
      probes = exporter.probes;
      exporter = new SimulatedExporter(options);
      exporter.budget.restore(JSON.parse(stored), 0);
    });
  }
  while (clock.monotonic() < until) {
    const wakeAt = clock.monotonic() + Math.max(1, exporter.turn());
    clock.moveTo(Math.min(wakeAt, queue.nextAt, until));
    if (queue.nextAt <= clock.monotonic()) queue.runNext();
  }
  const after = sent.filter((at) => at >= happensAt);
  const gaps = after.map((at, place) => at - (after[place - 1] ?? happensAt));
  const dayStart = happensAt + 2 * hour;
  return {
    what,
    restarted,
    silenceSeconds: Math.max(...gaps, until - (after.at(-1) ?? happensAt)) / 1000,
    dayLater: sent.filter((at) => at >= dayStart && at < dayStart + day).length,
    probes: probes + exporter.probes,
    refused: account.refused,
    margin: account.margin,
  };
}

export function limitCaseReport(result: LimitCaseResult): string {
  const { what, restarted, silenceSeconds, dayLater, probes, refused, margin } = result;
  return (
    `${what}${restarted ? ', restarted' : ''}: silent for ${(silenceSeconds / 60).toFixed(0)} min at most,` +
    ` ${dayLater} requests in the next day, ${probes} probes, refused ${refused},` +
    ` at worst ${margin} above the reserve but for others`
  );
}
