import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { talliedStates } from '../../src/domain/tally.ts';
import { type RecentSpan, RecentStates } from '../../src/state/recent-states.ts';

const span = (state: RecentSpan['state'], fromSeconds: number, toSeconds: number) => ({
  state,
  fromSeconds,
  toSeconds,
});

describe('recent states', () => {
  test('of a check that is not known are none', () => {
    expect(new RecentStates().of(1)).toEqual([]);
  });

  test('join where one state goes on', () => {
    const recent = new RecentStates();

    recent.book(1, [span('up', 0, 60)]);
    recent.book(1, [span('up', 60, 120), span('down', 120, 180)]);
    recent.book(1, [span('down', 180, 240)]);

    expect(recent.of(1)).toEqual([span('up', 0, 120), span('down', 120, 240)]);
  });

  test('are replaced by what is booked again', () => {
    const recent = new RecentStates();
    recent.book(1, [span('up', 0, 60)]);
    recent.book(1, [span('up', 60, 120)]);

    recent.book(1, [span('up', 60, 90), span('down', 90, 180)]);

    expect(recent.of(1)).toEqual([span('up', 0, 90), span('down', 90, 180)]);
  });

  test('keep a gap as it is', () => {
    const recent = new RecentStates();

    recent.book(1, [span('up', 0, 60)]);
    recent.book(1, [span('up', 100, 120)]);

    expect(recent.of(1)).toEqual([span('up', 0, 60), span('up', 100, 120)]);
  });

  test('reach back 24 hours', () => {
    const recent = new RecentStates();

    recent.book(1, [span('up', 0, 60), span('down', 60, 120)]);
    recent.book(1, [span('up', 120, 86_461)]);

    expect(recent.of(1)).toEqual([span('down', 60, 120), span('up', 120, 86_461)]);
  });

  test('are forgotten with the check', () => {
    const recent = new RecentStates();
    recent.book(1, [span('up', 0, 60)]);

    recent.forget(1);

    expect(recent.of(1)).toEqual([]);
  });

  test('are bounded, in order and without overlap, whatever is booked', () => {
    const booking = fc.array(
      fc.record({
        state: fc.constantFrom(...talliedStates),
        back: fc.integer({ min: 0, max: 100 }),
        length: fc.integer({ min: 1, max: 400 }),
      }),
      { minLength: 250, maxLength: 400 },
    );
    fc.assert(
      fc.property(booking, (steps) => {
        const recent = new RecentStates();
        let at = 1_000;
        for (const { state, back, length } of steps) {
          const from = at - back;
          at = from + length;
          recent.book(1, [span(state, from, at)]);
        }
        const spans = recent.of(1);
        expect(spans.length).toBeLessThanOrEqual(200);
        expect(spans.at(-1)?.toSeconds).toBe(at);
        let end = 0;
        for (const { fromSeconds, toSeconds } of spans) {
          expect(fromSeconds).toBeGreaterThanOrEqual(end);
          expect(toSeconds).toBeGreaterThan(fromSeconds);
          end = toSeconds;
        }
      }),
      { numRuns: 50 },
    );
  });
});
