import { describe, expect, test } from 'vitest';
import { Budget, type BudgetSnapshot } from '../../src/budget/budget.ts';
import type { BudgetNote } from '../../src/budget/budget-note.ts';
import type { WindowName, WindowReport } from '../../src/domain/rate-limit.ts';
import { HandClock } from './hand-clock.ts';

const minute = 60;
const hour = 3600;
const day = 86_400;
const lengths = { short: hour, long: 30 * day };

interface Plan {
  readonly short: number;
  readonly long: number;
}

type Lie = Partial<Record<WindowName, Partial<WindowReport>>>;

/**
 * A service with two fixed windows whose plan can change and whose headers can be wrong, and a
 * budget that keeps sending requests.
 */
class Conversation {
  readonly clock = new HandClock();
  readonly notes: BudgetNote[] = [];
  budget = this.#newBudget();
  plan: Plan;
  lie: Lie | undefined;
  refused = 0;
  /** The times of requests, in seconds from the start. */
  readonly sent: number[] = [];
  readonly #windows = {
    short: { used: 0, endsAt: Number.NEGATIVE_INFINITY },
    long: { used: 0, endsAt: Number.NEGATIVE_INFINITY },
  };
  readonly #startedAt = this.clock.monotonic();

  constructor(plan: Plan) {
    this.plan = plan;
  }

  remaining(name: WindowName): number {
    return this.plan[name] - this.#windows[name].used;
  }

  get probes(): number {
    return this.notes.filter(({ kind }) => kind === 'probe').length;
  }

  /** Sends requests with this distance in seconds, if the budget allows it. */
  run(seconds: number, every = minute): number {
    const before = this.sent.length;
    for (let passed = 0; passed < seconds; passed += every) {
      this.clock.advance(every);
      this.#ask();
    }
    return this.sent.length - before;
  }

  restart(seconds: number, changed: Partial<BudgetSnapshot> = {}): void {
    const stored = { ...JSON.parse(JSON.stringify(this.budget.snapshot())), ...changed };
    this.clock.advance(seconds);
    this.budget = this.#newBudget();
    this.budget.restore(stored, seconds);
  }

  #newBudget(): Budget {
    const events = { budgetNoted: (note: BudgetNote) => this.notes.push(note) };
    return new Budget({ clock: this.clock, random: () => 0.5, events });
  }

  #ask(): void {
    const permit = this.budget.admit();
    if (permit === undefined) return;
    this.sent.push((this.clock.monotonic() - this.#startedAt) / 1000);
    const refused = this.remaining('short') <= 0 || this.remaining('long') <= 0;
    const truth = { short: this.#count('short'), long: this.#count('long') };
    if (refused) this.refused += 1;
    const { lie } = this;
    this.lie = undefined;
    const limits = {
      short: { ...truth.short, ...lie?.short },
      long: { ...truth.long, ...lie?.long },
    };
    permit.release({ statusCode: refused ? 429 : 200, limits });
  }

  #count(name: WindowName): WindowReport {
    const now = this.clock.monotonic();
    const window = this.#windows[name];
    if (now >= window.endsAt) {
      window.endsAt = now + lengths[name] * 1000;
      window.used = 0;
    }
    window.used += 1;
    const resetSeconds = Math.floor((window.endsAt - now) / 1000);
    return { remaining: Math.max(0, this.remaining(name)), resetSeconds };
  }
}

const small = { short: 400, long: 72_000 };
const large = { short: 11_600, long: 2_088_000 };

/** The first gap of this many seconds without a request. */
function longestSilence({ sent }: Conversation): number {
  return sent.reduce((longest, at, place) => Math.max(longest, at - (sent[place - 1] ?? at)), 0);
}

test('an account whose plan becomes smaller is polled again within an hour, and its new reserve is kept', () => {
  const service = new Conversation(large);
  service.run(10 * day, 5 * minute);
  service.plan = small;

  expect(service.run(62 * minute)).toBeGreaterThan(0);
  expect(service.run(2 * hour)).toBeGreaterThan(100);
  expect(service.budget.view().windows).toMatchObject({
    short: { limit: 399, reserve: 80 },
    long: { reserve: expect.closeTo(14_400, -2) },
  });
  service.run(19 * day);
  expect(service.remaining('long')).toBeGreaterThanOrEqual(14_360 - service.probes);
  expect(service.refused).toBe(0);
  expect(service.notes).toContainEqual({ kind: 'smaller', window: 'short', from: 11_599, to: 399 });
  expect(service.notes).toContainEqual({
    kind: 'smaller',
    window: 'long',
    from: 2_087_999,
    to: expect.closeTo(72_000, -3),
  });
});

test('so it is across a restart after the change', () => {
  const service = new Conversation(large);
  service.run(10 * day, 5 * minute);
  service.plan = small;
  service.run(3 * minute);
  service.restart(20);

  service.run(62 * minute);
  service.restart(20);

  expect(service.run(2 * hour)).toBeGreaterThan(100);
  expect(service.budget.view().windows.long?.limit).toBeCloseTo(72_000, -3);
  expect(service.refused).toBe(0);
});

test('a plan that becomes larger is trusted at the second response that agrees', () => {
  const service = new Conversation(small);
  service.run(hour);
  service.plan = large;

  service.run(minute);
  expect(service.budget.view().windows.short?.limit).toBe(399);
  service.run(minute);
  expect(service.budget.view().windows.short?.limit).toBeGreaterThan(11_000);
  expect(service.budget.view().windows.long?.limit).toBeGreaterThan(2_000_000);
});

test('of two responses that agree about a larger plan, the one with more left is its limit', () => {
  const service = new Conversation(small);
  service.run(hour);
  service.lie = { short: { remaining: 9_000 } };
  service.run(minute);
  service.lie = { short: { remaining: 8_000 } };
  service.run(minute);

  expect(service.budget.view().windows.short?.limit).toBe(9_000);
});

describe.each<[string, Lie]>([
  ['an absurd number that is left', { long: { remaining: 1_000_000_000 } }],
  ['so in both windows', { short: { remaining: 5e8 }, long: { remaining: 1e9 } }],
  ['a number that cannot be read as one', { long: { remaining: 5e11 } }],
  ['a reset in 359 days', { long: { resetSeconds: 359 * day } }],
  ['so with nothing left', { long: { remaining: 0, resetSeconds: 359 * day } }],
  ['a short window of a day', { short: { remaining: 0, resetSeconds: day } }],
  ['nothing left until the end of the long window', { long: { remaining: 0 } }],
  ['nothing left in either window', { short: { remaining: 0 }, long: { remaining: 0 } }],
])('one reply that tells %s', (_what, lie) => {
  test.each([
    ['as the first one', 0],
    ['later', 5 * hour],
  ])('%s silences nothing for longer than an hour', (_when, before) => {
    const service = new Conversation(small);
    service.run(before);
    service.lie = lie;

    service.run(5 * hour);

    expect(longestSilence(service)).toBeLessThanOrEqual(hour + minute);
    expect(service.sent.filter((at) => at > before + 2 * hour).length).toBeGreaterThan(150);
    expect(service.refused).toBe(0);
    expect(service.budget.view().windows.long?.limit).toBeGreaterThan(71_000);
    expect(service.budget.view().windows.long?.limit).toBeLessThan(72_000);
    service.run(day, 10);
    expect(service.remaining('short')).toBeGreaterThanOrEqual(80 - service.probes);
  });

  test('nor does it after a restart', () => {
    const service = new Conversation(small);
    service.run(3 * hour);
    service.lie = lie;
    service.run(minute);
    service.restart(30);

    service.run(3 * hour);

    expect(longestSilence(service)).toBeLessThanOrEqual(hour + 2 * minute);
    expect(service.run(hour)).toBeGreaterThan(50);
    expect(service.refused).toBe(0);
  });
});

describe('an account whose reserve is reached by others', () => {
  function emptied(): Conversation {
    const service = new Conversation({ short: 100_000, long: 72_000 });
    service.run(minute);
    service.plan = { short: 100_000, long: 14_000 };
    service.run(minute);
    return service;
  }

  test('is probed once an hour, and told so', () => {
    const service = emptied();

    expect(service.run(10 * hour)).toBe(10);
    expect(service.probes).toBe(10);
    expect(service.notes).toContainEqual({ kind: 'probe', windows: ['long'] });
  });

  test('is probed as often when the exporter is restarted once an hour', () => {
    const service = emptied();
    let sent = 0;
    for (let restart = 0; restart < 10; restart++) {
      service.restart(10);
      sent += service.run(hour);
    }

    expect(sent).toBeGreaterThanOrEqual(9);
    expect(sent).toBeLessThanOrEqual(11);
  });

  test('is not emptied by a crash loop', () => {
    const service = emptied();
    service.run(50 * minute);
    const before = service.sent.length;
    const stored = JSON.parse(JSON.stringify(service.budget.snapshot()));
    for (let crash = 0; crash < 1000; crash++)
      service.restart(30, { ...stored, idleSeconds: 3590 });

    expect(service.sent.length).toBe(before);
  });
});

test('a stored window that cannot be is as good as not stored', () => {
  const service = new Conversation(small);
  service.run(hour);
  const { windows } = service.budget.snapshot();
  const long = { ...windows.long, resetSeconds: 359 * day, remaining: 0 } as typeof windows.long;
  service.restart(10, { windows: { ...windows, ...(long && { long }) } });

  expect(service.run(2 * minute)).toBeGreaterThan(0);
  expect(service.budget.view().mode).toBe('headers');
});
