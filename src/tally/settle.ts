import type { Check } from '../domain/check.ts';
import type { StateSpan } from '../domain/interval.ts';
import { advance, type Horizon } from './advance.ts';
import { neighbouringTests, provenByList } from './list-evidence.ts';
import { isAhead, type ListTimes } from './list-times.ts';
import { passedFor } from './start-tally.ts';
import type { StateTally } from './state-tally.ts';

export interface Settlement {
  /** The same object when nothing changed. */
  readonly tally: StateTally;
  /** What was recorded, oldest first, without gaps; empty when the horizon waits. */
  readonly recorded: readonly StateSpan[];
  /**
   * Present when it takes an outage report of (tally's horizon, now] to go on. A report asked for from
   * now on may be recorded up to this horizon, not beyond: a later test may still confirm a failure.
   */
  readonly report?: Horizon;
}

/**
 * What one entry of the check list settles. A check that has not failed, and one whose only outage the
 * list pins down, cost no request.
 *
 * The limit: unknown or unmonitored time that began and ended between two readings of the list, and
 * of which the list shows nothing afterwards, is recorded as what was around it. A list with a test ahead
 * of the exporter's clock is not believed, and so counts as not read.
 */
export function settle(tally: StateTally, check: Check, listTimes: ListTimes): Settlement {
  const lastTest = check.lastTestAtSeconds;
  if (lastTest !== undefined && isAhead(lastTest, listTimes.answeredAtSeconds))
    return waiting(tally);
  const tested = lastTest !== undefined && lastTest > tally.horizonSeconds;
  switch (check.status) {
    case 'paused':
      return tested || tally.state !== 'unmonitored'
        ? needsReport(evidenceOfPause(tally, check, listTimes), check, passedFor(check, listTimes))
        : idle(tally, check, listTimes);
    case 'unknown':
      if (tested) return needsReport(evidenceOfPause(tally, check, listTimes), check, lastTest);
      if (tally.state === 'unmonitored') return idle(tally, check, listTimes);
      // After `unknown` only a report is believed anyway.
      return waiting(tally.state === 'unknown' ? tally : evidenceOfPause(tally, check, listTimes));
    case 'unconfirmed_down':
      return waiting(tally);
    case 'up':
    case 'down':
      return tested ? settleTested(tally, check, lastTest, listTimes) : waiting(tally);
  }
}

function settleTested(
  tally: StateTally,
  check: Check,
  lastTest: number,
  listTimes: ListTimes,
): Settlement {
  if (stoodStill(tally, check, lastTest, listTimes)) {
    return needsReport(withEvidence(tally, lastTest), check, lastTest);
  }
  const reportDue = (tally.reportUntilSeconds ?? 0) > tally.horizonSeconds;
  if (reportDue || check.resolutionSeconds !== tally.resolutionSeconds) {
    return needsReport(tally, check, lastTest);
  }
  const recorded = provenByList(tally, check, lastTest);
  if (recorded === undefined) return needsReport(tally, check, lastTest);
  return { tally: advance(tally, recorded, horizonAt(check, lastTest)), recorded };
}

/** Nothing was tested since the horizon, and nothing was being tested at it. */
function idle(tally: StateTally, check: Check, listTimes: ListTimes): Settlement {
  const toSeconds = passedFor(check, listTimes);
  if (toSeconds <= tally.horizonSeconds) return waiting(tally);
  const recorded = [
    { state: 'unmonitored', fromSeconds: tally.horizonSeconds, toSeconds },
  ] as const;
  const horizon = { ...horizonAt(check, toSeconds), state: 'unmonitored' } as const;
  return { tally: advance(tally, recorded, horizon), recorded };
}

function needsReport(tally: StateTally, check: Check, toSeconds: number): Settlement {
  if (toSeconds <= tally.horizonSeconds) return waiting(tally);
  return { tally, recorded: [], report: horizonAt(check, toSeconds) };
}

function waiting(tally: StateTally): Settlement {
  return { tally, recorded: [] };
}

function horizonAt(check: Check, atSeconds: number): Horizon {
  const { status, resolutionSeconds, lastTestAtSeconds } = check;
  return {
    atSeconds,
    state: stateOf(status),
    ...(resolutionSeconds !== undefined && { resolutionSeconds }),
    ...(status === 'paused' &&
      lastTestAtSeconds !== undefined && { testedAtSeconds: lastTestAtSeconds }),
  };
}

/** `unconfirmed_down` gives no horizon: its time waits for the next test. */
function stateOf(status: Check['status']): Horizon['state'] {
  if (status === 'paused') return 'unmonitored';
  return status === 'unconfirmed_down' ? 'unknown' : status;
}

/** Between two readings of the list, the last test moved on by more than tests at the resolution can. */
function stoodStill(
  tally: StateTally,
  check: Check,
  lastTest: number,
  listTimes: ListTimes,
): boolean {
  if (listTimes.elapsedSeconds === undefined || check.resolutionSeconds === undefined) return false;
  const allowed = listTimes.elapsedSeconds + neighbouringTests * check.resolutionSeconds;
  return tally.state !== 'unmonitored' && lastTest - tally.horizonSeconds > allowed;
}

/**
 * A pause, or `unknown` before the first test after one, may have begun after the time that is known to have passed;
 * a second more makes the evidence outlive every horizon that a list before this one allowed.
 */
function evidenceOfPause(tally: StateTally, check: Check, listTimes: ListTimes): StateTally {
  return withEvidence(tally, passedFor(check, listTimes) + 1);
}

/** Later lists may not show what this one does: up to this moment only a report is believed. */
export function withEvidence(tally: StateTally, untilSeconds = 0): StateTally {
  const known = tally.reportUntilSeconds ?? tally.horizonSeconds;
  return known >= untilSeconds ? tally : { ...tally, reportUntilSeconds: untilSeconds };
}
