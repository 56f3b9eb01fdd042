import { describe, expect, test } from 'vitest';
import { Budget } from '../../src/budget/budget.ts';
import type { Permit, RequestOutcome } from '../../src/budget/gate.ts';
import type { Reserve } from '../../src/budget/reserve.ts';
import { SharedLedger } from '../../src/budget/shared-ledger.ts';
import { type WindowName, windowNames } from '../../src/domain/rate-limit.ts';
import { extent } from '../support/extent.ts';
import fc from '../support/fast-check.ts';
import { HandClock } from './hand-clock.ts';
import { SimulatedLimits } from './simulated-service.ts';

type Fate =
  | 'answered'
  | 'no limits'
  | 'proxy error'
  | 'answer lost'
  | 'never arrives'
  | 'arrives late';

type Step =
  | { do: 'wait'; seconds: number }
  | { do: 'send'; fate: Fate; there: number; back: number; account?: number }
  | { do: 'others'; requests: number }
  | { do: 'restart'; seconds: number; storedBefore?: number };

const send = fc.record({
  do: fc.constant('send' as const),
  fate: fc.oneof(
    { weight: 8, arbitrary: fc.constant<Fate>('answered') },
    fc.constantFrom<Fate>(
      'no limits',
      'proxy error',
      'answer lost',
      'never arrives',
      'arrives late',
    ),
  ),
  there: fc.integer({ min: 0, max: 20 }),
  back: fc.integer({ min: 0, max: 20 }),
  /** If several accounts have the credentials, one of them. */
  account: fc.nat(5),
});

const wait = fc.record({
  do: fc.constant('wait' as const),
  seconds: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 15 }) },
    fc.integer({ min: 0, max: 700 }),
  ),
});

const restart = fc.record({
  do: fc.constant('restart' as const),
  seconds: fc.integer({ min: 0, max: 400 }),
  /** The process ends this many seconds after it has stored its budget for the last time. */
  storedBefore: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 40 })),
});

const others = fc.record({
  do: fc.constant('others' as const),
  requests: fc.integer({ min: 1, max: 12 }),
});

interface Account {
  readonly short: number;
  readonly long: number;
  readonly reserve: Reserve;
}

const account: fc.Arbitrary<Account> = fc.record({
  short: fc.integer({ min: 4, max: 30 }),
  long: fc.integer({ min: 8, max: 90 }),
  reserve: fc.oneof(
    fc.record({ share: fc.constantFrom(0, 0.2, 0.5) }),
    fc.record({ requests: fc.integer({ min: 0, max: 3 }) }),
  ),
});

interface Due {
  readonly at: number;
  readonly order: number;
  run(): void;
}

/** The client's knowledge when it sent a request. */
interface Known {
  readonly toldServed: number;
  readonly seen: { readonly [W in WindowName]: number };
}

/** A request that its client has given up. It can still arrive for a minute. */
interface Late {
  readonly known: Known;
  readonly arrivesAfter: number;
}

/** The budget against the service's true counters, with a network in between. */
class World {
  readonly clock = new HandClock();
  readonly limits: SimulatedLimits;
  readonly #account: Account;
  /** Of accounts with equal credentials. */
  #budgets: readonly Budget[];
  sent = 0;
  refused = 0;
  /**
   * The lowest value of (true remaining after a request of the exporter, plus later requests of
   * others) − reserve.
   */
  margin = Number.POSITIVE_INFINITY;
  #due: Due[] = [];
  #order = 0;
  #life = 0;
  /** The order in which the service received requests. */
  #served = 0;
  /** The latest of the exporter's requests, in the service's order, whose response has arrived. */
  #toldServed = -1;
  #othersServed: number[] = [];
  #seen = { short: 0, long: 0 };
  /** In flight, and not given up yet. */
  readonly #late = new Set<Late>();

  constructor(account: Account, accounts = 1) {
    this.#account = account;
    this.limits = new SimulatedLimits([account.short, 300], [account.long, 3000]);
    this.#budgets = this.#newBudgets(accounts);
  }

  /** The limits are unknown before the first request. The law applies from its response on. */
  learn(): this {
    this.#send({ do: 'send', fate: 'answered', there: 0, back: 0 });
    this.#advance(1);
    return this;
  }

  run(steps: readonly Step[]): void {
    for (const step of steps) {
      if (step.do === 'wait') this.#advance(step.seconds);
      else if (step.do === 'others') this.#spendOthers(step.requests);
      else if (step.do === 'restart') this.#restart(step.seconds, step.storedBefore);
      else this.#send(step);
    }
    this.#advance(200);
  }

  #newBudgets(accounts: number): readonly Budget[] {
    const parts = { clock: this.clock, random: () => 0.5 };
    const reserve = { short: this.#account.reserve, long: this.#account.reserve };
    const share = () => 1 / accounts;
    const ledger = new SharedLedger(parts);
    return Array.from({ length: accounts }, () => new Budget({ ...parts, reserve, share, ledger }));
  }

  #send({ fate, there, back, account = 0 }: Extract<Step, { do: 'send' }>): void {
    const permit = this.#budgets[account % this.#budgets.length]?.admit();
    if (permit === undefined) return;
    this.sent += 1;
    const life = this.#life;
    const known = { toldServed: this.#toldServed, seen: { ...this.#seen } };
    const release = (outcome: RequestOutcome) => this.#release(life, permit, outcome);
    if (fate === 'never arrives') {
      this.#in(there + back, () => release({}));
      return;
    }
    if (fate === 'arrives late') {
      const late = { known, arrivesAfter: back + 35 };
      this.#late.add(late);
      this.#in(there, () => {
        this.#giveUp(late);
        release({});
      });
      return;
    }
    this.#in(there, () => {
      const { served, ...answer } = this.#serve(known);
      this.#in(back, () => {
        if (fate === 'answer lost') return release({});
        if (fate === 'proxy error') return release({ statusCode: 503 });
        if (fate === 'no limits') {
          const { limits: _, ...withoutLimits } = answer;
          return release(withoutLimits);
        }
        release(answer);
        if (life !== this.#life) return;
        this.#toldServed = Math.max(this.#toldServed, served);
        for (const name of windowNames) {
          this.#seen[name] = Math.max(this.#seen[name], answer.limits[name]?.remaining ?? 0);
        }
      });
    });
  }

  #giveUp(late: Late): void {
    if (this.#late.delete(late)) this.#in(late.arrivesAfter, () => this.#serve(late.known));
  }

  #release(life: number, permit: Permit, outcome: RequestOutcome): void {
    if (life === this.#life) permit.release(outcome);
  }

  #serve({
    toldServed,
    seen,
  }: Known): RequestOutcome & Required<Pick<RequestOutcome, 'limits'>> & { served: number } {
    const now = this.clock.monotonic();
    const served = this.#served++;
    const { short, long } = this.limits.windows;
    const opened = { short: now >= short.endsAt, long: now >= long.endsAt };
    const answer = this.limits.request(now);
    if (answer.statusCode === 429) this.refused += 1;
    for (const name of windowNames) {
      if (opened[name]) this.#openedServed[name] = served;
      const from = Math.max(toldServed, this.#openedServed[name]);
      const excused = this.#othersServed.filter((other) => other > from).length;
      const { limit, used } = this.limits.windows[name];
      this.margin = Math.min(this.margin, limit - used + excused - this.#reserve(seen[name]));
    }
    return { ...answer, served };
  }

  readonly #openedServed = { short: -1, long: -1 };
  #othersOpening = -1;

  #reserve(seen: number): number {
    const { reserve } = this.#account;
    return 'requests' in reserve ? reserve.requests : Math.ceil(seen * reserve.share);
  }

  /**
   * Other clients do not exhaust a window in its first seconds: that would look like a smaller
   * window.
   */
  #spendOthers(requests: number): void {
    const now = this.clock.monotonic();
    const opening = windowNames.some((name) => {
      const { endsAt, lengthMilliseconds } = this.limits.windows[name];
      return now >= endsAt || now < endsAt - lengthMilliseconds + 6000;
    });
    if (opening && (requests > 1 || this.#othersOpening >= 0)) return;
    this.#othersOpening = opening ? this.#served : -1;
    for (let n = 0; n < requests; n++) {
      const served = this.#served++;
      for (const name of windowNames) {
        if (now >= this.limits.windows[name].endsAt) this.#openedServed[name] = served - 0.5;
      }
      this.limits.request(now);
      this.#othersServed.push(served);
    }
  }

  /**
   * Responses after the budget was stored are lost, and requests in flight at the end are given up.
   */
  #restart(seconds: number, storedBefore = 0): void {
    const stored = this.#budgets.map((budget) => JSON.stringify(budget.snapshot()));
    const toldServed = this.#toldServed;
    const seen = { ...this.#seen };
    this.#advance(storedBefore);
    this.#life += 1;
    this.#toldServed = toldServed;
    this.#seen = seen;
    for (const late of [...this.#late]) this.#giveUp(late);
    this.#advance(seconds);
    this.#budgets = this.#newBudgets(stored.length);
    for (const [place, budget] of this.#budgets.entries()) {
      budget.restore(JSON.parse(stored[place] ?? ''), storedBefore + seconds);
    }
  }

  #in(seconds: number, run: () => void): void {
    this.#due.push({ at: this.clock.monotonic() + seconds * 1000, order: this.#order++, run });
  }

  #advance(seconds: number): void {
    const until = this.clock.monotonic() + seconds * 1000;
    for (;;) {
      this.#due.sort((a, b) => a.at - b.at || a.order - b.order);
      const next = this.#due[0];
      if (next === undefined || next.at > until) break;
      this.#due.shift();
      this.clock.advance((next.at - this.clock.monotonic()) / 1000);
      next.run();
    }
    this.clock.advance((until - this.clock.monotonic()) / 1000);
  }
}

function steps(...kinds: fc.Arbitrary<Step>[]): fc.Arbitrary<Step[]> {
  return fc.array(
    fc.oneof({ weight: 6, arbitrary: send }, { weight: 3, arbitrary: wait }, ...kinds),
    {
      minLength: 20,
      maxLength: 250,
      size: 'max',
    },
  );
}

/** Requests that arrived a minute after their process had stored its budget. */
const lateAfterRestart: { readonly alone: readonly Step[]; readonly beside: readonly Step[] } = {
  alone: [
    go('arrives late', 9, 17),
    { do: 'restart', seconds: 60 },
    go('answered'),
    { do: 'wait', seconds: 0 },
    go('proxy error'),
    go('answered'),
    { do: 'restart', seconds: 0 },
    go('answered'),
    go('proxy error'),
    go('answered'),
    go('answered'),
    go('answered'),
    go('answered'),
    go('answered'),
    go('answered'),
    { do: 'wait', seconds: 0 },
    { do: 'wait', seconds: 0 },
    go('answered'),
    go('answered'),
    { do: 'wait', seconds: 0 },
    go('answered'),
    { do: 'wait', seconds: 0 },
    go('answered'),
    go('answered'),
  ],
  beside: [
    go('arrives late', 6, 20),
    { do: 'restart', seconds: 27 },
    { do: 'wait', seconds: 5 },
    { do: 'wait', seconds: 15 },
    { do: 'wait', seconds: 13 },
    go('answered'),
    { do: 'wait', seconds: 0 },
    { do: 'others', requests: 1 },
    { do: 'restart', seconds: 0 },
    { do: 'others', requests: 1 },
    { do: 'restart', seconds: 0 },
    go('answered'),
    go('answered'),
    { do: 'restart', seconds: 0 },
    go('answered'),
    go('answered'),
    go('answered'),
    go('answered'),
    go('answered'),
    go('answered'),
    go('answered'),
    { do: 'others', requests: 1 },
    go('answered'),
    { do: 'wait', seconds: 36 },
    { do: 'others', requests: 1 },
    go('answered'),
    go('answered'),
  ],
};

function go(fate: Fate, there = 0, back = 0): Step {
  return { do: 'send', fate, there, back };
}

/** The same with a process that continues after it has stored its budget. */
function livingOn(script: readonly Step[], seconds: number): Step[] {
  return script.map((step) =>
    step.do === 'restart' && step.seconds > seconds
      ? { ...step, seconds: step.seconds - seconds, storedBefore: seconds }
      : step,
  );
}

function examples(script: readonly Step[]): [Account, Step[]][] {
  const limits = { short: 4, long: 8, reserve: { share: 0 } };
  return [[...script], livingOn(script, 9), livingOn(script, 20)].map((steps) => [limits, steps]);
}

/** RUNS=1000000 for a long search. */
const numRuns = Number(process.env.RUNS ?? extent(500, 1_500));

describe('for any interleaving of requests, responses and resets', () => {
  test('alone on the account it never gets a 429 and never takes a window below its reserve', () => {
    fc.assert(
      fc.property(account, steps(restart), (limits, script) => {
        const world = new World(limits);
        world.learn().run(script);
        expect(world.refused).toBe(0);
        expect(world.margin).toBeGreaterThanOrEqual(0);
      }),
      { numRuns, examples: examples(lateAfterRestart.alone) },
    );
  });

  test('accounts with equal credentials together never get a 429, and keep the reserve', () => {
    fc.assert(
      fc.property(account, fc.integer({ min: 2, max: 3 }), steps(restart), (limits, n, script) => {
        const world = new World(limits, n);
        world.learn().run(script);
        expect(world.refused).toBe(0);
        expect(world.margin).toBeGreaterThanOrEqual(0);
      }),
      { numRuns },
    );
  });

  test('beside other clients it never takes a window below its reserve, but for what they took since its last reading', () => {
    fc.assert(
      fc.property(account, steps(restart, others), (limits, script) => {
        const world = new World(limits);
        world.learn().run(script);
        expect(world.margin).toBeGreaterThanOrEqual(0);
      }),
      { numRuns, examples: examples(lateAfterRestart.beside) },
    );
  });

  test('it never stops for good: a request goes when all windows have ended', () => {
    fc.assert(
      fc.property(account, steps(restart, others), (limits, script) => {
        const world = new World(limits);
        world.learn().run(script);
        const before = world.sent;
        world.run([
          { do: 'wait', seconds: 4000 },
          { do: 'send', fate: 'answered', there: 1, back: 1 },
          { do: 'wait', seconds: 40 },
          { do: 'send', fate: 'answered', there: 1, back: 1 },
        ]);
        expect(world.sent).toBeGreaterThan(before);
      }),
      { numRuns: extent(250, 500) },
    );
  });
});

describe('while successful responses lack the limits', () => {
  const gap = fc.record({
    limit: fc.integer({ min: 20, max: 400 }),
    spent: fc.integer({ min: 1, max: 19 }),
    /** The answers without limits before the exporter tries to spend all that it may. */
    answers: fc.integer({ min: 1, max: 9 }),
    /** The share of what is left that others spend meanwhile. */
    others: fc.double({ min: 0, max: 0.5, noNaN: true }),
  });

  test('others may spend half of what is left: the reserve is kept until the reset', () => {
    fc.assert(
      fc.property(gap, ({ limit, spent, answers, others }) => {
        const clock = new HandClock();
        const service = new SimulatedLimits([limit, 3600], [1_000_000, 86_400]);
        const budget = new Budget({ clock, random: () => 0.5 });
        const send = (hasLimits: boolean) => {
          const permit = budget.admit();
          if (permit === undefined) return false;
          const { statusCode, limits } = service.request(clock.monotonic());
          expect(statusCode).toBe(200);
          permit.release({ statusCode, ...(hasLimits && { limits }) });
          return true;
        };
        for (let n = 0; n < spent; n++) send(true);
        const reserve = budget.view().windows.short?.reserve ?? 0;
        const left = () => service.remaining('short', clock.monotonic()) - reserve;
        if (left() < 1 || !send(false)) return;
        for (let n = 1; n < answers; n++) send(false);
        const taken = Math.floor(Math.max(0, left()) * others);
        for (let n = 0; n < taken; n++) service.request(clock.monotonic());

        const inFlight = [];
        for (let permit = budget.admit(); permit !== undefined; permit = budget.admit()) {
          inFlight.push(permit);
          service.request(clock.monotonic());
        }

        expect(left()).toBeGreaterThanOrEqual(0);
      }),
      { numRuns },
    );
  });

  test('an account whose every tenth response lacks them spends as if none did', () => {
    const sentWith = (lacks: (request: number) => boolean) => {
      const clock = new HandClock();
      const service = new SimulatedLimits([11_600, 3600], [2_088_000, 30 * 86_400]);
      const budget = new Budget({ clock, random: () => 0.5 });
      const modes = new Set<string>();
      let sent = 0;
      for (const end = clock.monotonic() + 3_000_000; clock.monotonic() < end; ) {
        const permit = budget.admit();
        if (permit !== undefined) {
          const { statusCode, limits } = service.request(clock.monotonic());
          sent += 1;
          permit.release({ statusCode, ...(!lacks(sent) && { limits }) });
          modes.add(budget.view().mode);
        }
        clock.advance(1 / budget.sustainableRate());
      }
      return { sent, modes };
    };

    const without = sentWith((request) => request % 10 === 0);

    expect(without.modes).toEqual(new Set(['headers']));
    expect(without.sent / sentWith(() => false).sent).toBeCloseTo(1, 2);
  });
});

test('it spends all that the reserve leaves, in any order of the responses', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ there: fc.integer({ min: 0, max: 3 }), back: fc.integer({ min: 0, max: 3 }) }),
        {
          minLength: 60,
          maxLength: 60,
        },
      ),
      (delays) => {
        const world = new World({ short: 30, long: 90, reserve: { requests: 5 } });
        world
          .learn()
          .run(
            delays.flatMap((delay) => [
              { do: 'send', fate: 'answered', ...delay } as const,
              { do: 'wait', seconds: 2 } as const,
            ]),
          );
        expect(world.sent).toBe(25);
      },
    ),
  );
});
