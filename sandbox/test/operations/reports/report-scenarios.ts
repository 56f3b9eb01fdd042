import { World } from '../../../src/account/world.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { sandboxOperations } from '../../../src/operations/operations.ts';
import type { ApiVersion } from '../../../src/vocabulary.ts';
import { wireWith } from '../../../src/wire.ts';
import fc from '../../support/fast-check.ts';

const wire = wireWith({ reportsEnd: 'now', timeZone: 'UTC' });
const startedAt = Date.UTC(2026, 0, 5, 12) / 1000;
const hour = 3600;
const day = 86_400;

const plants = fc.array(
  fc.record({
    status: fc.constantFrom('up' as const, 'down' as const, 'unknown' as const),
    from: fc.integer({ min: startedAt - 8 * day, max: startedAt + 6 * hour }),
    length: fc.option(fc.integer({ min: 1, max: 12 * hour }), { nil: undefined }),
  }),
  { maxLength: 5 },
);

/**
 * A check of some account, its planted events, the time, and a range up to that time for reports.
 */
export const scenarios = fc
  .record({
    seed: fc.nat(200),
    position: fc.nat(23),
    plants,
    later: fc.nat(6 * hour),
    before: fc.nat(day),
    length: fc.integer({ min: 1, max: 5 * day }),
  })
  .map(({ seed, position, plants: planted, later, before, length }) => {
    const world = new World({ seed, checks: 24, startedAt, wire });
    const check = present(world.checks[position]);
    for (const { status, from, length: seconds } of planted) {
      const disturbance = { checkId: check.id, status, from };
      world.plant(seconds === undefined ? disturbance : { ...disturbance, to: from + seconds });
    }
    const now = startedAt + later;
    const to = now - before;
    return { world, check, now, from: to - length, to };
  });
type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never;

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the scenario lacks something it must have');
  return value;
}

/**
 * The response of an operation about the check of a scenario; by default for the scenario's range.
 */
export function report<T>(
  scenario: Scenario,
  name: string,
  inputs: Readonly<Record<string, string | number>> = {},
  version: ApiVersion = '3.1',
): T {
  const { world, check, now, from, to } = scenario;
  const operation = present(
    sandboxOperations.find((each): each is Operation => each.name === name),
  );
  const asked = { checkid: check.id, from, to, ...inputs };
  const texts = Object.entries(asked).map(([key, value]) => [key, String(value)]);
  return operation.run(Object.fromEntries(texts), { world, now, askedAt: now, version }) as T;
}

export interface WireResult {
  readonly probeid: number;
  readonly time: number;
  readonly status: string;
  readonly responsetime?: number;
  readonly analysisid?: number;
}

/** All results of the scenario's range, newest first, page by page. */
export function allResults(
  scenario: Scenario,
  inputs: Readonly<Record<string, string | number>> = {},
): WireResult[] {
  const results: WireResult[] = [];
  for (;;) {
    const page = report<{ results: WireResult[] }>(scenario, 'list_results', {
      ...inputs,
      limit: 1000,
      offset: results.length,
    }).results;
    results.push(...page);
    if (page.length < 1000) return results;
  }
}
