import { day, hour, minute } from '../lib/instant.ts';
import type { SandboxMaintenanceWindow } from './maintenance-schedule.ts';

/**
 * The initial windows of an account: past, ongoing and future ones. `startedAt` is in UNIX seconds;
 * `uptimeids` and `tmsids` are the checks to choose from.
 */
export function seededWindows(
  startedAt: number,
  uptimeids: readonly number[],
  tmsids: readonly number[],
): Omit<SandboxMaintenanceWindow, 'id'>[] {
  const midnight = startedAt - (startedAt % day);
  const once = (description: string, from: number, seconds: number, first: number) => ({
    description,
    from,
    to: from + seconds,
    recurrencetype: 'none' as const,
    repeatevery: 0,
    effectiveto: from + seconds,
    uptimeids: uptimeids.slice(first, first + 3),
    tmsids: tmsids.slice(0, 1),
  });
  return [
    once('Database upgrade', midnight - 9 * day + 22 * hour, 2 * hour, 0),
    once('Move to the new data centre', startedAt - 30 * minute, 2 * hour, 18),
    once('Certificate renewal', midnight + 2 * day + 4 * hour, hour, 1),
    {
      ...once('Nightly backup', midnight - 20 * day + 3 * hour, 30 * minute, 4),
      recurrencetype: 'day',
      repeatevery: 1,
      effectiveto: midnight + 40 * day,
    },
    {
      ...once('Patch day, every other week', midnight - 60 * day + 21 * hour, 90 * minute, 7),
      recurrencetype: 'week',
      repeatevery: 2,
      effectiveto: midnight + 60 * day,
    },
    {
      ...once('Month-end "closing" \\ books', midnight - 95 * day + hour, 3 * hour, 10),
      recurrencetype: 'month',
      repeatevery: 1,
      effectiveto: midnight + 200 * day,
    },
  ];
}
