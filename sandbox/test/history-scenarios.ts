import { History } from '../src/simulation/history.ts';
import type { MonitoredCheck } from '../src/simulation/monitored-check.ts';
import fc from './support/fast-check.ts';

const start = 1_767_225_600;
const hour = 3600;
const day = 86_400;

const checks = fc
  .record({
    id: fc.integer({ min: 10_000_000, max: 99_999_999 }),
    stability: fc.constantFrom('steady' as const, 'ordinary' as const, 'flaky' as const),
    resolutionMinutes: fc.constantFrom(1, 5, 15, 30, 60),
    phase: fc.nat(3599),
    lateSeconds: fc.nat(39),
    repeatSeconds: fc.constantFrom(0, 5, 20),
    from: fc.integer({ min: start, max: start + day }),
    length: fc.integer({ min: 1, max: 5 * day }),
    pause: fc.integer({ min: 1, max: day }),
    resumed: fc.boolean(),
  })
  .map(({ id, stability, resolutionMinutes, phase, from, length, pause, resumed, ...testing }) => {
    const resolutionSeconds = 60 * resolutionMinutes;
    const phaseSeconds = phase % resolutionSeconds;
    const grid = { resolutionSeconds, phaseSeconds, ...testing };
    const first = { ...grid, from, to: from + length };
    const second = { ...grid, from: from + length + pause };
    const runs = resumed ? [first, second] : [first];
    return { id, stability, typicalResponseMilliseconds: 300, runs } satisfies MonitoredCheck;
  });

const plants = fc.array(
  fc.record({
    status: fc.constantFrom('up' as const, 'down' as const, 'unknown' as const),
    from: fc.integer({ min: start, max: start + 8 * day }),
    length: fc.option(fc.integer({ min: 1, max: 6 * hour }), { nil: undefined }),
  }),
  { maxLength: 4 },
);

/** A check with a pause and planted events, and a range for reports. */
export const scenarios = fc.record({
  check: checks,
  plants,
  seed: fc.nat(1000),
  from: fc.integer({ min: start - hour, max: start + 8 * day }),
  length: fc.integer({ min: 1, max: 4 * day }),
  later: fc.nat(hour),
});
type Scenario = typeof scenarios extends fc.Arbitrary<infer T> ? T : never;

export function historyOf({ check, plants: planted, seed }: Scenario): History {
  const history = new History({ seed });
  for (const { status, from, length } of planted) {
    const disturbance = { checkId: check.id, status, from };
    history.plant(length === undefined ? disturbance : { ...disturbance, to: from + length });
  }
  return history;
}
