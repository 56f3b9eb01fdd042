import { describe, expect, test } from 'vitest';
import { Budget, type BudgetOptions } from '../../src/budget/budget.ts';
import type { BudgetMode } from '../../src/budget/budget-view.ts';
import type { Permit, RequestOutcome } from '../../src/budget/gate.ts';
import type { RateLimits } from '../../src/domain/rate-limit.ts';
import { HandClock } from './hand-clock.ts';
import { SimulatedLimits } from './simulated-service.ts';

const hour = 3600;
const month = 30 * 86_400;

function limits(
  short: number,
  long: number,
  shortReset = hour,
  longReset = month,
): { statusCode: number; limits: RateLimits } {
  return {
    statusCode: 200,
    limits: {
      short: { remaining: short, resetSeconds: shortReset },
      long: { remaining: long, resetSeconds: longReset },
    },
  };
}

function setUp(options: Partial<BudgetOptions> = {}) {
  const clock = new HandClock();
  const budget = new Budget({ clock, random: () => 1, ...options });
  return { clock, budget };
}

function admitted(budget: Budget): Permit {
  const permit = budget.admit();
  if (permit === undefined) throw new Error('the budget admits no request');
  return permit;
}

function spend(budget: Budget, outcome: RequestOutcome): void {
  admitted(budget).release(outcome);
}

describe('at the start', () => {
  test('admits one request, and no other before its response', () => {
    const { budget } = setUp();

    const first = budget.admit();

    expect(first).toBeDefined();
    expect(budget.admit()).toBeUndefined();
    expect(budget.msUntilAdmission()).toBe(Number.POSITIVE_INFINITY);
    first?.release(limits(399, 71_999));
    expect(budget.msUntilAdmission()).toBe(0);
    expect(budget.admit()).toBeDefined();
  });

  test('reports that it knows no windows', () => {
    const { budget } = setUp();

    expect(budget.view()).toEqual({
      mode: 'learning',
      windows: {},
      requestsPerSecond: 100 / 3600,
      paused: false,
      inFlight: 0,
    });
  });

  test('keeps the fallback rate when the first request is lost', () => {
    const { budget, clock } = setUp();
    spend(budget, {});

    expect(budget.admit()).toBeUndefined();
    expect(budget.msUntilAdmission()).toBe(36_000);
    clock.advance(36);
    expect(budget.admit()).toBeDefined();
  });
});

describe('the reserve', () => {
  test('is a fifth of the largest remaining seen', () => {
    const { budget } = setUp();
    spend(budget, limits(400, 72_000));
    spend(budget, limits(399, 71_999));
    spend(budget, limits(100, 20_000));

    const { short, long } = budget.view().windows;

    expect(short).toMatchObject({ limit: 400, remaining: 100, reserve: 80 });
    expect(long).toMatchObject({ limit: 72_000, remaining: 20_000, reserve: 14_400 });
  });

  test('can be a number of requests', () => {
    const { budget } = setUp({ reserve: { short: { requests: 7 }, long: { share: 0.5 } } });
    spend(budget, limits(400, 72_000));

    expect(budget.view().windows.short?.reserve).toBe(7);
    expect(budget.view().windows.long?.reserve).toBe(36_000);
  });

  test.each([
    ['short', limits(100, 72_000), limits(83, 71_000)],
    ['long', limits(400, 100), limits(399, 23)],
  ])('is never touched in the %s window, those in flight counted', (_window, first, second) => {
    const { budget } = setUp({ reserve: { short: { requests: 80 }, long: { requests: 20 } } });
    spend(budget, first);
    spend(budget, second);

    const permits = [budget.admit(), budget.admit(), budget.admit()];

    expect(permits.every((permit) => permit !== undefined)).toBe(true);
    expect(budget.admit()).toBeUndefined();
    expect(budget.view().paused).toBe(true);
  });

  test('is kept although other clients spend', () => {
    const { budget } = setUp();
    spend(budget, limits(400, 72_000));
    spend(budget, limits(81, 70_000));

    expect(budget.admit()).toBeDefined();
    expect(budget.admit()).toBeUndefined();
  });

  test('opens again only when the window has ended, for one request alone', () => {
    const { budget, clock } = setUp();
    spend(budget, limits(400, 72_000));
    spend(budget, limits(80, 71_000, 600));

    clock.advance(600);
    expect(budget.admit()).toBeUndefined();
    expect(budget.msUntilAdmission()).toBe(1000);
    clock.advance(1);
    const probe = admitted(budget);
    expect(budget.admit()).toBeUndefined();
    probe.release(limits(399, 70_999));

    expect(budget.admit()).toBeDefined();
    expect(budget.admit()).toBeDefined();
  });

  test('shrinks with the account', () => {
    const { budget, clock } = setUp();
    spend(budget, limits(11_600, 72_000));
    clock.advance(hour + 1);
    spend(budget, limits(399, 71_999));

    expect(budget.view().windows.short).toMatchObject({ limit: 399, reserve: 80 });
    expect(budget.admit()).toBeDefined();
  });
});

describe('responses out of order', () => {
  test('a lower reading is the later one', () => {
    const { budget } = setUp();
    spend(budget, limits(399, 71_999));
    const [first, second, third] = [admitted(budget), admitted(budget), admitted(budget)];

    third.release(limits(396, 71_996));
    second.release(limits(397, 71_997));

    expect(budget.view().windows.short?.remaining).toBe(395);
    first.release(limits(398, 71_998));
    expect(budget.view().windows.short?.remaining).toBe(396);
  });

  test('a request in flight counts as spent even when the reading was taken after it', () => {
    const { budget } = setUp();
    spend(budget, limits(399, 71_999));
    admitted(budget);
    const second = admitted(budget);

    second.release(limits(397, 71_997));

    expect(budget.view().windows.short?.remaining).toBe(396);
  });

  test('a late reading of a window that has ended changes nothing', () => {
    const { budget, clock } = setUp();
    spend(budget, limits(399, 71_999, 60));
    const late = admitted(budget);
    clock.advance(30);
    const next = admitted(budget);
    clock.advance(35);
    next.release(limits(399, 71_997, hour - 1));

    late.release(limits(200, 71_998, 59));

    expect(budget.view().windows.short?.remaining).toBe(399);
  });

  test('a request sent after the last response is trusted when it finds more than before', () => {
    const { budget } = setUp();
    spend(budget, limits(100, 5000));

    spend(budget, limits(11_000, 2_000_000));

    expect(budget.view().windows.short).toMatchObject({ limit: 11_000, remaining: 11_000 });
  });

  test('what was answered while it was on its way may not be counted in a higher reading', () => {
    const { budget } = setUp();
    spend(budget, limits(100, 71_999));
    const slow = admitted(budget);
    spend(budget, limits(98, 71_997));
    const afterUpgrade = admitted(budget);
    slow.release(limits(1096, 71_995));

    afterUpgrade.release(limits(1097, 71_996));

    expect(budget.view().windows.short?.remaining).toBeLessThanOrEqual(1096);
  });

  test('a request that failed without headers may be later than one that was sent before it', () => {
    const { budget } = setUp();
    spend(budget, limits(399, 71_999));
    const [first, second] = [admitted(budget), admitted(budget)];
    second.release({ statusCode: 503 });

    first.release(limits(398, 71_998));

    expect(budget.view().windows.short?.remaining).toBe(397);
  });

  test('a lost request counts as spent until the response to one that was sent a minute later', () => {
    const { budget, clock } = setUp();
    spend(budget, limits(399, 71_999));
    spend(budget, {});

    expect(budget.view().windows.short?.remaining).toBe(398);
    clock.advance(59);
    spend(budget, limits(398, 71_998));
    expect(budget.view().windows.short?.remaining).toBe(397);
    clock.advance(1);
    spend(budget, limits(396, 71_996));
    expect(budget.view().windows.short?.remaining).toBe(396);
  });

  test('a permit is released once', () => {
    const { budget } = setUp();
    const permit = admitted(budget);
    permit.release(limits(399, 71_999));

    expect(() => permit.release({})).toThrow('only once');
  });
});

describe('the sustainable rate', () => {
  test('is what the tighter window sustains', () => {
    const { budget } = setUp();
    spend(budget, limits(400, 72_000));

    // (72,000 − 14,400) in 30 days and a second of rounding; the short window allows four times
    // that.
    expect(budget.sustainableRate() * hour).toBeCloseTo(80, 3);
    expect(budget.view().requestsPerSecond).toBe(budget.sustainableRate());
  });

  test('falls when others spend, and is never negative', () => {
    const { budget } = setUp();
    spend(budget, limits(400, 72_000));
    spend(budget, limits(399, 43_200));
    expect(budget.sustainableRate() * hour).toBeLessThanOrEqual(40);

    spend(budget, limits(50, 43_199));
    expect(budget.sustainableRate()).toBe(0);
  });

  test('stays steady beside a client that spends steadily, to the end of the window', () => {
    const { budget, clock } = setUp();
    const service = new SimulatedLimits([400, hour], [72_000, month]);
    const start = clock.monotonic();
    const rates: number[] = [];
    let others = 0;
    const days = () => (clock.monotonic() - start) / 86_400_000;
    while (days() < 29.9) {
      for (; others < days() * 240; others++) service.request(clock.monotonic());
      spend(budget, service.request(clock.monotonic()));
      const rate = budget.sustainableRate();
      if (days() > 10) rates.push(rate * hour);
      clock.advance(1 / rate);
    }

    // The reserve leaves 80 an hour, and the other client takes 10 of them.
    expect(Math.min(...rates)).toBeGreaterThan(60);
    expect(Math.max(...rates)).toBeLessThan(80);
  });

  test('is that of what is left again twenty minutes after others have stopped', () => {
    const { budget, clock } = setUp();
    const service = new SimulatedLimits([400, hour], [288_000, month]);
    spend(budget, service.request(clock.monotonic()));
    clock.advance(hour / 6);
    spend(budget, service.request(clock.monotonic()));
    for (let spent = 0; spent < 270; spent++) service.request(clock.monotonic());
    // The list is read every five minutes now.
    for (let lists = 0; lists < 5; lists++) {
      spend(budget, service.request(clock.monotonic()));
      if (lists < 4) clock.advance(300);
    }

    const { remaining = 0, reserve = 0, resetSeconds = 1 } = budget.view().windows.short ?? {};
    const all = (remaining - reserve) / resetSeconds;
    expect(budget.sustainableRate()).toBeGreaterThan(0.9 * all);
    expect(budget.sustainableRate()).toBeLessThanOrEqual(all);
  });

  test('rises with a reset', () => {
    const { budget, clock } = setUp();
    for (let spent = 1; spent <= 320; spent++) spend(budget, limits(400 - spent, 720_000 - spent));
    expect(budget.sustainableRate()).toBe(0);

    clock.advance(hour + 1);

    expect(budget.sustainableRate() * hour).toBeCloseTo(319, 0);
  });

  test('stores for how long it has sent nothing', () => {
    const { budget, clock } = setUp();
    expect(budget.snapshot()).not.toHaveProperty('idleSeconds');

    spend(budget, limits(400, 72_000));
    clock.advance(hour);

    expect(budget.snapshot().idleSeconds).toBe(3_600);
  });

  test('keeps what it learnt of others across a restart', () => {
    const { budget } = setUp();
    spend(budget, limits(400, 72_000));
    spend(budget, limits(399, 71_000));
    const fresh = setUp();

    fresh.budget.restore(budget.snapshot(), 0);

    expect(fresh.budget.sustainableRate()).toBeCloseTo(budget.sustainableRate(), 12);
    expect(fresh.budget.sustainableRate() * hour).toBeLessThan(75);
  });
});

describe('a 429', () => {
  const refused = (headers: RateLimits | undefined): RequestOutcome => ({
    statusCode: 429,
    ...(headers && { limits: headers }),
  });

  test('pauses until the exhausted window resets; then one request probes', () => {
    const { budget, clock } = setUp({ reserve: { short: { requests: 0 }, long: { requests: 0 } } });
    spend(budget, limits(400, 72_000));

    spend(budget, refused(limits(0, 60_000, 1200).limits));

    expect(budget.view().paused).toBe(true);
    expect(budget.msUntilAdmission()).toBe(1_201_000);
    clock.advance(1200);
    expect(budget.admit()).toBeUndefined();
    clock.advance(1);
    expect(budget.admit()).toBeDefined();
    expect(budget.admit()).toBeUndefined();
  });

  test('waits for the later window when both are exhausted', () => {
    const { budget } = setUp();
    spend(budget, refused(limits(0, 0, 1200, 3000).limits));

    expect(budget.msUntilAdmission()).toBe(3_001_000);
  });

  test('of an account that was exhausted from the start leads to a probe after the reset', () => {
    const { budget, clock } = setUp();
    spend(budget, refused(limits(0, 5000, 1200).limits));

    clock.advance(1201);
    spend(budget, limits(399, 4999));

    expect(budget.admit()).toBeDefined();
  });

  test.each([
    ['has no headers', undefined],
    ['finds both windows unused', limits(300, 60_000).limits],
  ])('backs off with jitter when it %s', (_case, headers) => {
    const { budget, clock } = setUp();
    spend(budget, limits(400, 72_000));

    spend(budget, refused(headers));
    expect(budget.view().paused).toBe(true);
    expect(budget.msUntilAdmission()).toBe(60_000);
    clock.advance(60);
    spend(budget, refused(headers));
    expect(budget.msUntilAdmission()).toBe(120_000);
    clock.advance(120);
    spend(budget, refused(headers));
    expect(budget.msUntilAdmission()).toBe(240_000);
  });

  test('shows when it tries again, while it is refused', () => {
    const { budget, clock } = setUp();
    spend(budget, limits(400, 72_000));
    expect(budget.view()).not.toHaveProperty('retrySeconds');

    const slow = admitted(budget);
    spend(budget, refused(undefined));
    clock.advance(20);
    expect(budget.view().retrySeconds).toBe(40);
    slow.release({});
    clock.advance(50);
    expect(budget.view().retrySeconds).toBe(0);
    const probe = admitted(budget);
    expect(budget.view().retrySeconds).toBe(0);
    probe.release(limits(398, 71_998));

    expect(budget.view()).not.toHaveProperty('retrySeconds');
  });

  test('asks again after the reset only, when what is left is reserved', () => {
    const { budget } = setUp();
    spend(budget, limits(400, 72_000, 1200));
    const first = admitted(budget);
    spend(budget, limits(80, 71_680, 1200));

    first.release(refused(undefined));

    expect(budget.view().retrySeconds).toBe(1201);
  });

  test('is never followed at once, however the jitter falls', () => {
    const { budget } = setUp({ random: () => 0 });
    spend(budget, limits(400, 72_000));

    spend(budget, refused(undefined));

    expect(budget.view().paused).toBe(true);
    expect(budget.msUntilAdmission()).toBe(36_000);
  });

  test('backs off for an hour at most', () => {
    const { budget, clock } = setUp({ random: () => 1 });
    spend(budget, limits(400, 720_000, 90 * hour));

    for (let refusal = 0; refusal < 12; refusal++) {
      spend(budget, refused(undefined));
      expect(budget.msUntilAdmission()).toBeLessThanOrEqual(hour * 1000);
      clock.advance(hour);
    }
  });

  test('makes the one after the pause go alone, and a successful response to it ends the matter', () => {
    const { budget, clock } = setUp();
    spend(budget, limits(400, 72_000));
    const before = admitted(budget);
    spend(budget, refused(undefined));
    before.release(limits(398, 71_998));

    expect(budget.admit()).toBeUndefined();
    clock.advance(60);
    const probe = admitted(budget);
    expect(budget.admit()).toBeUndefined();
    probe.release(limits(396, 71_996));
    expect(budget.admit()).toBeDefined();
    expect(budget.admit()).toBeDefined();
  });

  test('pauses at least for the time that it asks for, also with an exhausted window', () => {
    const { budget } = setUp();
    spend(budget, { ...refused(undefined), retryAfterSeconds: 600 });
    expect(budget.msUntilAdmission()).toBe(600_000);

    const { budget: exhausted } = setUp();
    spend(exhausted, { ...refused(limits(0, 60_000, 100).limits), retryAfterSeconds: 300 });
    expect(exhausted.msUntilAdmission()).toBe(300_000);
  });

  test('to several requests in flight is one 429', () => {
    const { budget } = setUp();
    spend(budget, limits(400, 72_000));
    const permits = [admitted(budget), admitted(budget), admitted(budget)];

    for (const permit of permits) permit.release(refused(undefined));

    expect(budget.msUntilAdmission()).toBe(60_000);
  });
});

describe('without headers', () => {
  test('keeps the configured rate, one request at a time, and reports it', () => {
    const modes: BudgetMode[] = [];
    const { budget, clock } = setUp({
      fallbackRequestsPerHour: 60,
      events: { budgetModeChanged: (mode) => modes.push(mode) },
    });
    spend(budget, { statusCode: 200 });

    expect(budget.view()).toMatchObject({ mode: 'fallback', windows: {} });
    expect(budget.sustainableRate() * hour).toBeCloseTo(60);
    expect(budget.msUntilAdmission()).toBe(60_000);
    clock.advance(60);
    expect(budget.msUntilAdmission()).toBe(0);
    admitted(budget).release(limits(399, 71_999));
    expect(budget.view().mode).toBe('headers');
    expect(modes).toEqual(['fallback']);
    spend(budget, limits(398, 71_998));
    expect(modes).toEqual(['fallback', 'headers']);
  });

  describe('in single responses', () => {
    function known() {
      const modes: BudgetMode[] = [];
      const events = { budgetModeChanged: (mode: BudgetMode) => void modes.push(mode) };
      const { budget, clock } = setUp({ events });
      spend(budget, limits(400, 72_000));
      return { budget, clock, modes };
    }
    const withoutLimits: RequestOutcome = { statusCode: 200 };

    test('keeps the known window, less the requests that were sent, and its rate', () => {
      const { budget, modes } = known();
      const rate = budget.sustainableRate();

      spend(budget, withoutLimits);

      expect(budget.view()).toMatchObject({
        mode: 'headers',
        windows: { short: { remaining: 399 }, long: { remaining: 71_999 } },
      });
      expect(budget.sustainableRate() / rate).toBeCloseTo(1, 3);
      expect([budget.admit(), budget.admit()]).not.toContain(undefined);
      expect(modes).toEqual(['headers']);
    });

    test('keeps it for nine in a row, and the tenth begins the fallback rate', () => {
      const { budget, clock, modes } = known();
      for (let n = 1; n <= 9; n++) spend(budget, withoutLimits);
      expect(budget.view().mode).toBe('headers');

      spend(budget, withoutLimits);

      expect(budget.view().mode).toBe('fallback');
      expect(budget.sustainableRate() * hour).toBeCloseTo(100);
      expect(budget.msUntilAdmission()).toBe(36_000);
      clock.advance(36);
      spend(budget, withoutLimits);
      expect(modes).toEqual(['headers', 'fallback']);
    });

    test('the first after the reset begins the fallback rate, which ends unnoticed if the next has limits', () => {
      const { budget, clock, modes } = known();
      clock.advance(hour + 1);

      spend(budget, withoutLimits);

      expect(budget.view().mode).toBe('fallback');
      clock.advance(36);
      spend(budget, limits(398, 71_998, hour - 36, month - hour));
      expect(budget.view().mode).toBe('headers');
      spend(budget, limits(397, 71_997, hour - 36, month - hour));
      expect(modes).toEqual(['headers']);
    });

    test('a request that was sent before the reset is not the first after it', () => {
      const { budget, clock } = known();
      const early = admitted(budget);
      clock.advance(hour + 1);

      early.release(withoutLimits);

      expect(budget.view().mode).toBe('headers');
    });
  });

  test('lets a refresh of several requests go on, which the next ones pay for', () => {
    const { budget, clock } = setUp({ fallbackRequestsPerHour: 60 });
    for (let sent = 0; sent < 14; sent++) spend(budget, { statusCode: 200 });

    expect(budget.msUntilAdmission()).toBe(14 * 60_000);
    clock.advance(14 * 60);
    expect(budget.msUntilAdmission()).toBe(0);
    spend(budget, { statusCode: 200 });
    expect(budget.msUntilAdmission()).toBe(60_000);
  });

  test('lets nothing go on that is not well answered, or further ahead than an hour', () => {
    const failing = setUp({ fallbackRequestsPerHour: 60 }).budget;
    spend(failing, { statusCode: 200 });
    spend(failing, { statusCode: 500 });
    expect(failing.admit()).toBeUndefined();

    const { budget } = setUp({ fallbackRequestsPerHour: 60 });
    let sent = 0;
    for (let permit = budget.admit(); permit !== undefined; permit = budget.admit()) {
      permit.release({ statusCode: 200 });
      sent += 1;
    }
    expect(sent).toBe(61);
  });

  test('keeps it for the one window that is not spoken of', () => {
    const { budget } = setUp();
    spend(budget, { statusCode: 200, limits: { short: { remaining: 399, resetSeconds: hour } } });

    expect(budget.view()).toMatchObject({ mode: 'fallback', windows: { short: { limit: 399 } } });
    expect(budget.view().windows.long).toBeUndefined();
    expect(budget.sustainableRate() * hour).toBeCloseTo(100);
    expect(budget.msUntilAdmission()).toBe(36_000);
  });

  test('goes on counting in the windows that it knew', () => {
    const { budget, clock } = setUp({
      reserve: { short: { requests: 10 }, long: { requests: 0 } },
    });
    spend(budget, limits(12, 71_999));
    spend(budget, { statusCode: 200 });
    clock.advance(36);
    spend(budget, { statusCode: 200 });

    expect(budget.view().windows.short?.remaining).toBe(10);
    clock.advance(36);
    expect(budget.admit()).toBeUndefined();
    expect(budget.view().paused).toBe(true);
  });

  test('an error page of a proxy does not slow a known account down', () => {
    const { budget } = setUp();
    spend(budget, limits(400, 72_000));
    spend(budget, { statusCode: 502 });

    expect(budget.view().mode).toBe('headers');
    expect(budget.view().windows.short?.remaining).toBe(399);
    expect(budget.admit()).toBeDefined();
  });

  test.each([
    { remaining: Number.NaN, resetSeconds: 10 },
    { remaining: -1, resetSeconds: 10 },
    { remaining: 99_999_999_999, resetSeconds: 10 },
    { remaining: 10, resetSeconds: -1 },
    { remaining: 10, resetSeconds: Number.POSITIVE_INFINITY },
    { remaining: 10, resetSeconds: 999_999_999 },
  ])('an impossible report ($remaining in $resetSeconds s) is ignored', (reading) => {
    const { budget } = setUp();
    spend(budget, { statusCode: 200, limits: { short: reading, long: reading } });

    expect(budget.view()).toMatchObject({ mode: 'fallback', windows: {} });
    expect(budget.msUntilAdmission()).toBe(36_000);
  });
});

describe('across a restart', () => {
  function restarted(from: Budget, elapsedSeconds: number) {
    const fresh = setUp();
    const stored = JSON.parse(JSON.stringify(from.snapshot()));
    fresh.budget.restore(stored, elapsedSeconds);
    return fresh;
  }

  test('goes on with what was left, those in flight counted as spent', () => {
    const { budget } = setUp();
    spend(budget, limits(300, 70_000, 1000, 100_000));
    admitted(budget);

    const { short, long } = restarted(budget, 400).budget.view().windows;

    expect(short).toEqual({ limit: 300, remaining: 299, reserve: 60, resetSeconds: 601 });
    expect(long).toEqual({
      limit: 70_000,
      remaining: 69_999,
      reserve: 14_000,
      resetSeconds: 99_601,
    });
  });

  test('sends one request alone first', () => {
    const { budget } = setUp();
    spend(budget, limits(300, 70_000));
    const after = restarted(budget, 1);

    expect(after.budget.admit()).toBeDefined();
    expect(after.budget.admit()).toBeUndefined();
  });

  test('a crash loop does not spend the reserve', () => {
    let { budget } = setUp();
    spend(budget, limits(200, 70_000, 2 * hour));
    let sent = 0;
    for (let crash = 0; crash < 175; crash++) {
      budget = restarted(budget, 40).budget;
      if (budget.admit() !== undefined) sent += 1;
    }

    expect(sent).toBe(160);
  });

  test('a crash loop keeps the fallback rate', () => {
    let { budget } = setUp();
    spend(budget, limits(300, 70_000));
    let sent = 0;
    for (let crash = 0; crash < 3600; crash++) {
      budget = restarted(budget, 1).budget;
      if (budget.admit() !== undefined) sent += 1;
    }

    expect(sent).toBe(100);
  });

  test('a window that ended meanwhile is asked about, not assumed', () => {
    const { budget } = setUp();
    spend(budget, limits(300, 70_000));
    spend(budget, limits(60, 69_000));
    expect(restarted(budget, 100).budget.admit()).toBeUndefined();

    const after = restarted(budget, 2 * hour);

    expect(after.budget.admit()).toBeDefined();
    expect(after.budget.admit()).toBeUndefined();
  });

  test('a clock that stepped back counts as no time', () => {
    const { budget } = setUp();
    spend(budget, limits(300, 70_000, 1000));

    expect(restarted(budget, -500).budget.view().windows.short?.resetSeconds).toBe(1001);
  });

  test('keeps the pause after a 429, and what it learnt of being refused', () => {
    const { budget } = setUp();
    spend(budget, limits(300, 70_000));
    spend(budget, { statusCode: 429 });
    const after = restarted(budget, 10);

    expect(after.budget.msUntilAdmission()).toBe(50_000);
    after.clock.advance(50);
    spend(after.budget, { statusCode: 429 });
    expect(after.budget.msUntilAdmission()).toBe(120_000);
  });

  test('keeps the fallback rate', () => {
    const { budget, clock } = setUp();
    spend(budget, { statusCode: 200 });
    clock.advance(6);

    expect(restarted(budget, 10).budget.msUntilAdmission()).toBe(20_000);
  });
});
