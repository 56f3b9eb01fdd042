import { ofCheck, series } from './alert-case.ts';
import type { Input } from './promtool-rules.ts';

/** The state of a check in a minute; `gone` before it is created and after it is deleted. */
export type Truth = 'up' | 'down' | 'paused' | 'maintenance' | 'gone';

export interface Life {
  /** Minutes between two tests. */
  readonly resolution: number;
  readonly minutes: number;
  readonly truth: (minute: number) => Truth;
  /** Whether the exporter runs and the service responds; true by default. */
  readonly watched?: (minute: number) => boolean;
  /** The state under earlier labels, if it had any; otherwise `truth`. */
  readonly history?: (minute: number) => Truth;
  readonly labels?: Readonly<Record<string, string>>;
  readonly objective?: number;
}

const windows = { '3d': 4320, '30d': 43_200 };
const month = 43_200;
const importance = { hostname: 'www.example.com', importance: 'low' };

/**
 * The series of a check with this life, minute by minute. They are written from the promises of the
 * families, without the exporter's code. The check never failed before the first minute.
 */
export function watchedLife(life: Life): Input {
  const { minutes, watched = () => true, labels = {}, objective = 0.999 } = life;
  const every = Array.from({ length: minutes }, (_, minute) => minute);
  const looked = every.map((minute) => lookedAt(life, minute));
  const wasOpen = (minute: number) => looked.slice(0, minute + 1).some((one) => one === 'down');
  const open = every.map((minute) => {
    if (!watched(minute)) return undefined;
    if (looked[minute] === 'down') return 1;
    return wasOpen(minute) ? 0 : undefined;
  });
  const input: Record<string, string> = {
    [of('uptime_check_outage_open', { ...importance, ...labels })]: values(open),
  };
  const known = every.filter(watched);
  input[of('uptime_check_last_outage_start_timestamp_seconds', labels)] = values(
    every.map((minute) => (watched(minute) ? lastEnded(life, minute, looked) : undefined)),
  );
  if (!known.some((minute) => secondsOf(life, minute, month).down > 0)) return input;
  for (const [window, length] of Object.entries(windows)) {
    input[of('uptime_check_burn_rate', { ...labels, window })] = values(
      every.map((minute) => {
        if (!watched(minute) || looked[minute] === 'gone') return undefined;
        const { up, down } = secondsOf(life, minute, length);
        return down / Math.max(up + down, length / 2) / (1 - objective);
      }),
    );
  }
  const untested = { paused: 'uptime_check_status', maintenance: 'uptime_check_in_maintenance' };
  for (const [state, name] of Object.entries(untested)) {
    const status = state === 'paused' ? { status: state } : {};
    input[of(name, { ...labels, ...status })] = values(
      every.map((minute) => (looked[minute] === state ? 1 : undefined)),
    );
  }
  input[of('uptime_check_error_budget_remaining_ratio', labels)] = values(
    every.map((minute) => {
      if (!watched(minute) || looked[minute] === 'gone') return undefined;
      const { up, down } = secondsOf(life, minute, month);
      return 1 - down / (up + down) / (1 - objective);
    }),
  );
  return input;
}

/**
 * The start of the last outage that had ended by this minute; undefined for a paused or deleted
 * check.
 */
function lastEnded(
  { truth, resolution, history = truth }: Life,
  now: number,
  looked: readonly (Truth | undefined)[],
): number | undefined {
  if (looked[now] === 'gone') return undefined;
  const found = (minute: number) => lookedAt({ truth: history, resolution, minutes: 0 }, minute);
  if (found(now) === 'down') return undefined;
  for (let minute = now - 1; minute >= 0; minute--) {
    if (found(minute) !== 'down') continue;
    let begin = minute;
    while (begin > 0 && found(begin - 1) === 'down') begin--;
    return 60 * begin;
  }
  return undefined;
}

/** The state of the last test. Pauses, deletions and maintenance are visible at once. */
function lookedAt(
  { truth, resolution, history = truth, watched = () => true }: Life,
  minute: number,
): Truth | undefined {
  if (!watched(minute)) return undefined;
  const now = truth(minute);
  if (now !== 'up' && now !== 'down') return now;
  const test = minute - (minute % resolution);
  const found = history(test);
  return found === 'up' || found === 'down' ? found : 'up';
}

/** Minutes up and down, outside maintenance, of a window that ends no later than the next test. */
function secondsOf(life: Life, now: number, length: number) {
  const { truth, resolution, history = truth } = life;
  let [up, down] = [0, 0];
  const from = now - length;
  // Before the first minute it was up, if it existed.
  if (from < 0 && history(0) !== 'gone') up += -from;
  for (let minute = Math.max(0, from); minute < now; minute++) {
    const state = lookedAt({ truth: history, resolution, minutes: 0 }, minute);
    if (state === 'up') up++;
    if (state === 'down') down++;
  }
  return { up, down };
}

function of(name: string, labels: Readonly<Record<string, string>>): string {
  return series(name, labels, ofCheck);
}

/**
 * In the notation of promtool, with a stale marker at the end of a series, as a scrape produces it.
 */
export function values(list: readonly (number | undefined)[]): string {
  const parts: string[] = [];
  for (let at = 0; at < list.length; ) {
    const value = list[at];
    let end = at + 1;
    while (end < list.length && list[end] === value) end++;
    const more = end - at - 1;
    if (value !== undefined) parts.push(more === 0 ? `${value}` : `${value}x${more}`);
    else if (at === 0) parts.push(`_x${end - at}`);
    else parts.push(more === 0 ? 'stale' : `stale _x${more}`);
    at = end;
  }
  return parts.join(' ');
}
