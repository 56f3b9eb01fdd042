import { humanizeDuration } from '../../lib/format-duration.ts';
import { plural } from '../../lib/format-number.ts';
import { type BarLook, barLook } from '../common/past-bars.ts';
import type { PublicDay, PublicState, PublicStatus } from './public-status.ts';

export const stateWords: { readonly [S in PublicState]: string } = {
  up: 'Up',
  down: 'Down',
  unconfirmed_down: 'Possibly down',
  planned_work: 'Planned work',
  unknown: 'Unknown',
  not_monitored: 'Not monitored',
  not_known: 'Not known',
};

interface Headline {
  readonly state: PublicState;
  readonly text: string;
}

/** The most important fact about all services. */
export function headline(
  { blind, states, isIncomplete }: PublicStatus,
  timeText: (atSeconds: number) => string,
): Headline {
  if (blind !== undefined) {
    const { sinceSeconds } = blind;
    const since = sinceSeconds === undefined ? 'yet' : `since ${timeText(sinceSeconds)}`;
    return { state: 'not_known', text: `Not known ${since}` };
  }
  const count = (state: PublicState) => states.filter((one) => one === state).length;
  const share = (part: number) => `${part} of ${plural(states.length, 'service')}`;
  const texts: readonly (readonly [PublicState, (part: number) => string])[] = [
    ['down', (part) => `${share(part)} ${part === 1 ? 'is' : 'are'} down`],
    ['unconfirmed_down', (part) => `${share(part)} may be down`],
    ['unknown', (part) => `The state of ${share(part)} is unknown`],
    ['planned_work', () => 'Planned work is under way'],
  ];
  for (const [state, text] of texts) {
    const part = count(state);
    if (part > 0) return { state, text: text(part) };
  }
  if (isIncomplete) return { state: 'unknown', text: 'The state of some services is not known' };
  const paused = count('not_monitored');
  if (paused === states.length) {
    return { state: 'not_monitored', text: 'No service is monitored' };
  }
  return { state: 'up', text: `All ${paused > 0 ? 'monitored ' : ''}services are up` };
}

/** If more of a day than this is not known, the day does not count as up. */
const mostNotKnown = 0.1;

/** The seconds of a day of which nothing is known. */
export function notKnownSeconds({ livedSeconds, seconds, maintenance }: PublicDay): number {
  const { up, down, unknown, unmonitored } = seconds;
  return Math.max(0, livedSeconds - up - down - unknown - unmonitored - maintenance.known);
}

export function dayLook(day: PublicDay): BarLook {
  const notKnown = notKnownSeconds(day);
  const { up } = day.seconds;
  // How much of the day it was down if the rest was up.
  const look = barLook({ ...day, notKnown: 0, seconds: { ...day.seconds, up: up + notKnown } });
  const isUnseen = notKnown > mostNotKnown * day.livedSeconds;
  return look === 'up' && (isUnseen || day.livedSeconds === 0) ? 'none' : look;
}

/** Days in words, such as `down 7 min` or `up`. */
export function daysText(days: readonly PublicDay[]): string {
  let [lived, known, down, unknown, planned, unmonitored] = [0, 0, 0, 0, 0, 0];
  for (const { livedSeconds, seconds, maintenance } of days) {
    lived += livedSeconds;
    down += seconds.down;
    unknown += seconds.unknown;
    unmonitored += seconds.unmonitored;
    planned += maintenance.down;
    known += seconds.up + seconds.down + seconds.unknown + seconds.unmonitored + maintenance.known;
  }
  if (known < 1) return 'no data';
  const lapses = [
    ...(down >= 1 ? [`down ${humanizeDuration(down)}`] : []),
    ...(planned >= 1 ? [`down ${humanizeDuration(planned)} in planned work`] : []),
    ...(unknown >= 1 ? [`unknown ${humanizeDuration(unknown)}`] : []),
    ...(unmonitored >= 1 ? [`not monitored ${humanizeDuration(unmonitored)}`] : []),
  ];
  const missing = lived - known;
  const parts = [
    ...(lapses.length > 0 || missing > mostNotKnown * lived ? lapses : ['up']),
    ...(missing > mostNotKnown * lived ? [`no data for ${humanizeDuration(missing)}`] : []),
  ];
  return parts.join(', ');
}
