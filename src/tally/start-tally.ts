import { type Check, isUnconfirmed } from '../domain/check.ts';
import type { TalliedState } from '../domain/interval.ts';
import { present } from '../lib/present.ts';
import { neighbouringTests } from './list-evidence.ts';
import { isAhead, type ListTimes } from './list-times.ts';
import type { StateTally } from './state-tally.ts';

/** UNIX time that the service had reached: by its list, or by the check's last test. */
export function passedFor({ lastTestAtSeconds }: Check, listTimes: ListTimes): number {
  if (lastTestAtSeconds === undefined || isAhead(lastTestAtSeconds, listTimes.receivedAtSeconds)) {
    return listTimes.passedSeconds;
  }
  return Math.max(listTimes.passedSeconds, lastTestAtSeconds);
}

/** The tally of a check at first sight. */
export function startTally(check: Check, listTimes: ListTimes): StateTally {
  const startSeconds = passedFor(check, listTimes);
  const { resolutionSeconds } = check;
  return present({
    startSeconds,
    horizonSeconds: startSeconds,
    state: stateAtFirstSight(check, startSeconds),
    resolutionSeconds,
  });
}

/** `unknown` if only a report decides: a recent pause, or an unconfirmed status. */
function stateAtFirstSight(check: Check, startSeconds: number): TalliedState {
  const { status, lastTestAtSeconds, resolutionSeconds = Number.POSITIVE_INFINITY } = check;
  if (lastTestAtSeconds === undefined) return 'unmonitored';
  if (status === 'paused') {
    const testMissed = startSeconds - lastTestAtSeconds > neighbouringTests * resolutionSeconds;
    return testMissed ? 'unmonitored' : 'unknown';
  }
  return isUnconfirmed(status) ? 'unknown' : status;
}
