import { describe, expect, test } from 'vitest';
import type { StateSpan } from '../../src/domain/interval.ts';
import { countersOf, emptyLog, spansSince } from '../../src/slo/state-log.ts';
import { type CheckTotals, checkWithCounted } from '../../src/state/items/totals.ts';
import { checkBegunAgain } from '../../src/state/totals-begun-again.ts';
import { wrongOf } from '../../src/store/format/items.ts';
import { startEventTally } from '../../src/tally/event-tally.ts';
import { fullItem, plainItem } from '../store/support/stored-items.ts';

const now = 1_767_300_000;
const none = { up: 0, down: 0, unknown: 0, unmonitored: 0 };

const begunAgain = (totals: CheckTotals) => checkBegunAgain(totals, now);

/** The states that a list or a report proves from the horizon on. */
function counted(totals: CheckTotals, spans: readonly StateSpan[]): CheckTotals {
  const { states } = totals;
  const last = spans.at(-1);
  if (last === undefined) return totals;
  const tally = { ...states, horizonSeconds: last.toSeconds, state: last.state };
  return checkWithCounted(totals, { tally, recorded: spans }, [
    { fromSeconds: 0, toSeconds: 2 * now },
  ]);
}

const { results, analyses } = fullItem;
if (results === undefined || analyses === undefined) throw new Error('the item is not full');
const full: CheckTotals = { ...fullItem, results, analyses };
const alwaysUp: CheckTotals = { ...plainItem(50_000), results, analyses };
/** First seen, and neither reported nor tested since. */
const notCounted: CheckTotals = { ...alwaysUp, log: emptyLog(alwaysUp.states.horizonSeconds) };

test('totals begin at 0 and can be stored, also if the clock is behind the last change', () => {
  const behind = (full.log?.changes.at(-1)?.fromSeconds ?? 0) - 60;
  const next = checkBegunAgain(full, behind);
  expect(wrongOf(next)).toBeUndefined();
  expect(countersOf(next)).toMatchObject({ seconds: none, outages: 0 });
});

describe.each([
  ['that was down', full],
  ['that was always up', alwaysUp],
  ['of which no state is known', notCounted],
])('the totals of a check %s', (_what, totals) => {
  test('begin at 0', () => {
    const next = begunAgain(totals);

    expect(countersOf(next)).toMatchObject({ seconds: none, outages: 0 });
    expect(next.states).toEqual({ ...totals.states, startSeconds: now });
    expect(next.maintenance ?? none).toEqual(none);
    expect(next.results.counts).toEqual({ up: 0, down: 0, unconfirmed_down: 0, unknown: 0 });
    expect(next.results.responseTimes).toMatchObject({ counts: [0, 0, 0], sumMilliseconds: 0 });
    expect(next.results.watermark.atSeconds).toBe(now);
    expect(next.analyses).toEqual(startEventTally(now));
  });

  test('can be stored', () => {
    expect(wrongOf(begunAgain(totals))).toBeUndefined();
  });

  test('keep their states', () => {
    const next = begunAgain(totals);

    expect(next.log?.changes).toEqual(totals.log?.changes);
    expect(next.log?.hours).toEqual(totals.log?.hours);
  });

  test('add the time until now to the history and not to the counters, and count what follows', () => {
    const horizon = totals.states.horizonSeconds;
    const away: StateSpan[] = [
      { state: 'down', fromSeconds: horizon, toSeconds: horizon + 600 },
      { state: 'up', fromSeconds: horizon + 600, toSeconds: now - 100 },
    ];
    const caughtUp: StateSpan[] = [{ state: 'up', fromSeconds: now - 100, toSeconds: now + 20 }];
    const after: StateSpan[] = [{ state: 'down', fromSeconds: now + 20, toSeconds: now + 80 }];

    const half = counted(begunAgain(totals), away);
    const whole = counted(half, caughtUp);
    const next = counted(whole, after);

    expect(countersOf(half)).toMatchObject({ seconds: none, outages: 0 });
    expect(half.maintenance ?? none).toEqual(none);
    const since = { ...none, up: 20 };
    expect(countersOf(whole)).toMatchObject({ seconds: since, outages: 0 });
    expect(whole.maintenance).toEqual(since);
    expect(countersOf(next)).toMatchObject({ seconds: { ...since, down: 60 }, outages: 1 });
    expect(next.maintenance).toEqual({ ...since, down: 60 });
    const untouched = [away, caughtUp, after].reduce(counted, totals);
    expect(spansSince(next, horizon)).toEqual(spansSince(untouched, horizon));
  });
});
