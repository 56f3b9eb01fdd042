import { hour } from './spans-of-time.ts';

/** Tells the hour of the day at a time in UNIX seconds, in UTC or in a zone of the time zone database. */
export function hourOfDay(timeZone = 'UTC'): (time: number) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: 'numeric',
    hourCycle: 'h23',
  });
  // Zones change their offset on the hour of UTC, so that each hour needs to be worked out once.
  const known = new Map<number, number>();
  return (time) => {
    const start = Math.floor(time / hour);
    let local = known.get(start);
    if (local === undefined) {
      local = Number(format.format(start * hour * 1000));
      known.set(start, local);
    }
    return local;
  };
}
