const daySeconds = 86_400;

/** When a job will be done; absent without a forecast. */
interface Forecast {
  readonly doneInSeconds?: number;
  readonly doneAtLatestInSeconds?: number;
}

/** With more seconds than this, a forecast depends on the number of outages. */
const longForecastSeconds = 3_600;
const narrowRatio = 1.2;
/** A budget that is nearly spent forecasts times that have no date. */
const farSeconds = 365 * daySeconds;

/** Returns text such as `, done about 14:30 UTC`; empty without a forecast. */
export function doneText(job: Forecast | undefined, serviceNowSeconds: number): string {
  if (job?.doneInSeconds === undefined) return '';
  const { doneInSeconds, doneAtLatestInSeconds = doneInSeconds } = job;
  if (doneInSeconds > farSeconds) return ', not done within a year';
  const done = serviceNowSeconds + doneInSeconds;
  if (doneInSeconds > longForecastSeconds && doneAtLatestInSeconds > narrowRatio * doneInSeconds) {
    const isDays = doneInSeconds > daySeconds;
    const nameOf = (at: number) => (isDays ? dateOf(at) : timeOf(at, serviceNowSeconds));
    const latest =
      doneAtLatestInSeconds > farSeconds
        ? 'a year from now, or later'
        : nameOf(serviceNowSeconds + doneAtLatestInSeconds);
    return `, done between ${nameOf(done)} and ${latest}: the more outages, the later`;
  }
  return `, done about ${timeOf(done, serviceNowSeconds)}`;
}

/** Rounded up to the minute, with the date if it is not today. */
function timeOf(atSeconds: number, serviceNowSeconds: number): string {
  const minute = new Date(Math.ceil(atSeconds / 60) * 60_000).toISOString().slice(0, 16);
  const [date, time] = minute.split('T');
  return `${date === dateOf(serviceNowSeconds) ? '' : `${date} `}${time} UTC`;
}

function dateOf(atSeconds: number): string {
  return new Date(atSeconds * 1000).toISOString().slice(0, 10);
}
