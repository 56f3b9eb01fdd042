import { hashUnit, type Random } from '../../src/lib/random.ts';
import { exponential } from './noise.ts';

/** The service finds a check down, or up again, at `at`; the outage began at `since`. */
export interface Transition {
  readonly at: number;
  readonly since: number;
  readonly check: number;
  readonly down: boolean;
}

const minute = 60_000;
const day = 86_400_000;
const singleEvery = 60 * day;
const groupEvery = 3 * day;
const groupShare = 0.05;
/** Half of all checks fail at once, twice in 30 days. */
const halves = [8.3 * day, 21.6 * day];

/**
 * The outages of an account, in the order in which the service detects them with a test of each
 * check per minute. A single check fails once in 60 days, a twentieth of all checks every three
 * days, and half of all checks twice.
 */
export function incidents(checks: number, until: number, random: Random): Transition[] {
  const transitions: Transition[] = [];
  const fail = (check: number, since: number) => {
    const lasts = 2 * minute + exponential(15 * minute, random);
    transitions.push(
      { at: noticed(check, since), since, check, down: true },
      { at: noticed(check, since + lasts), since, check, down: false },
    );
  };
  const several = (share: number, since: number) => {
    for (let check = 0; check < checks; check++) if (random() < share) fail(check, since);
  };
  const singles = singleEvery / checks;
  for (let at = exponential(singles, random); at < until; at += exponential(singles, random)) {
    fail(Math.floor(random() * checks), at);
  }
  for (
    let at = exponential(groupEvery, random);
    at < until;
    at += exponential(groupEvery, random)
  ) {
    several(groupShare, at);
  }
  for (const at of halves) several(0.5, at);
  return transitions.sort((a, b) => a.at - b.at);
}

/** The next test of the check. */
function noticed(check: number, since: number): number {
  const phase = hashUnit(check) * minute;
  return Math.ceil((since - phase) / minute) * minute + phase;
}
