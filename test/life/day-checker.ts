import { type Range, type Span, secondsOutside } from './truth.ts';

/** A share this close to a bound may be on either side: how long a pause was is not known to the second. */
const tolerance = 0.02;

interface DayTruth {
  /** A letter for each day, as CSV has it. */
  readonly letters: string;
  readonly objective: number;
  /** The days of the month, oldest first. */
  readonly days: readonly Range[];
  readonly spans: readonly Span[];
  readonly maintenance: readonly Range[];
}

/** Returns what is wrong with the letters of a row of which everything is known; undefined if nothing is. */
export function wrongDay(truth: DayTruth): string | undefined {
  const { letters, objective, days, spans, maintenance } = truth;
  if (letters.length !== days.length) return `${letters}, not ${days.length} days`;
  for (const [place, day] of days.entries()) {
    const { up, down } = secondsOutside(spans, day, maintenance);
    const letter = letters[place] ?? '';
    const share = down / ((1 - objective) * (up + down));
    const allowed =
      down === 0
        ? ['.', '_']
        : [share - tolerance, share, share + tolerance].map((one) =>
            one <= 1 ? 'a' : one <= 10 + tolerance ? 'b' : 'c',
          );
    if (!allowed.includes(letter)) {
      return `${letters}: day ${place + 1} was ${down} s down of ${up + down} s`;
    }
  }
  return undefined;
}

const quarter = 900;
/** No day is shorter. */
const shortestDay = 20 * 3_600;

/** The days of a month in a zone, found by walking through the last quarters of an hour of each. */
export function daysBetween({ from, to }: Range, timeZone: string): readonly Range[] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'short' });
  const begins = [from];
  let date = format.format(1000 * from);
  const afterwards = (begin: number) => begin + shortestDay - (begin % quarter);
  for (let at = afterwards(from); at < to; at += quarter) {
    const now = format.format(1000 * at);
    if (now === date) continue;
    begins.push(at);
    date = now;
    at = afterwards(at);
  }
  return begins.map((begin, place) => ({ from: begin, to: begins[place + 1] ?? to }));
}
