import type { SandboxCheck } from '../../sandbox/src/account/checks.ts';
import type { Outage } from '../../sandbox/src/simulation/history.ts';
import type { World } from '../life/world.ts';
import type { Samples } from './counter-watch.ts';

const hour = 3_600;
/** The longest time that a page covers. */
const reach = 36 * 86_400;

/**
 * Differences between a page and the service about shown data of checks, except totals and windows.
 */
export function wrongFacts(exporter: World, samples: Samples): readonly string[] {
  return exporter.sandbox.world.checks.flatMap((check) => {
    const shown = (name: string) =>
      samples.get(`uptime_check_${name}{account="shop",check_id="${check.id}"}`);
    const problems = [wrongHour(exporter, check, shown), wrongOutage(exporter, check, shown)];
    return problems.flatMap((problem) =>
      problem === undefined ? [] : `check ${check.id} at ${exporter.now}: ${problem}`,
    );
  });
}

type Shown = (name: string) => number | undefined;

/** The seconds of the last hour add up to an hour, and have the states of the service. */
function wrongHour({ sandbox, now }: World, check: SandboxCheck, shown: Shown): string | undefined {
  const start = shown('hourly_start_timestamp_seconds');
  if (start === undefined) return undefined;
  const segments = sandbox.history.segments(check, start, start + hour, now);
  const seconds = (state: string) =>
    segments
      .filter(({ status }) => status === state)
      .reduce((sum, { from, to }) => sum + to - from, 0);
  const [up, down] = [seconds('up'), seconds('down')];
  const truth = [up, down, hour - up - down].join();
  const page = ['uptime', 'downtime', 'unmonitored']
    .map((name) => shown(`hourly_${name}_seconds`))
    .join();
  return page === truth ? undefined : `hour from ${start} ${page}, not ${truth}`;
}

/** The start of the open outage and the duration of the last one are those of an outage. */
function wrongOutage(
  { sandbox, now }: World,
  check: SandboxCheck,
  shown: Shown,
): string | undefined {
  const outages = [...sandbox.history.outages(check, now - reach, now)];
  const since = shown('outage_start_timestamp_seconds');
  if (since !== undefined && outages.every(({ start }) => start !== since)) {
    return `an outage since ${since}, not ${outages.map(({ start }) => start).join()}`;
  }
  const duration = shown('last_outage_duration_seconds');
  const durations = joined(outages).map(({ start, end = now }) => end - start);
  if (duration === undefined || durations.includes(duration)) return undefined;
  return `an outage of ${duration} s, not ${durations.join()}`;
}

/** Newest first. A change of the resolution divides an outage into two, which are joined here. */
function joined(newestFirst: readonly Outage[]): readonly Outage[] {
  const all: Outage[] = [];
  for (const outage of newestFirst) {
    const younger = all.at(-1);
    if (younger === undefined || younger.start !== outage.end) all.push(outage);
    else all[all.length - 1] = { ...younger, start: outage.start };
  }
  return all;
}
