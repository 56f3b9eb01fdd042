import type { MaintenanceWindow } from '../../domain/maintenance.ts';
import type { MaintenanceSnapshot } from '../../state/snapshot.ts';
import type { AccountFamily, SampleValue } from './family.ts';
import { accountFamiliesOf } from './row-families.ts';

const list = accountFamiliesOf('maintenance');

export const maintenanceFamilies: readonly AccountFamily[] = [
  list.values(
    'uptime_maintenance_window_info',
    'A maintenance window and how often it recurs; always 1.',
    'maintenance',
    ['maintenance_id', 'description', 'recurrence'],
    ({ windows }, emit) => {
      for (const { id, description = '', recurrence } of windows) {
        emit(1, String(id), description, recurrence);
      }
    },
  ),
  eachWindow(
    'window_start_timestamp_seconds',
    "UNIX time at which the current or next occurrence begins; the window's own start when there is none.",
    ({ id, startAtSeconds }, { next }) => next.get(id)?.fromSeconds ?? startAtSeconds,
  ),
  eachWindow(
    'window_end_timestamp_seconds',
    "UNIX time at which the current or next occurrence ends; the window's own end when there is none.",
    ({ id, endAtSeconds }, { next }) => next.get(id)?.toSeconds ?? endAtSeconds,
  ),
  eachWindow(
    'active',
    '1 while the maintenance window is in effect, else 0.',
    ({ id }, { activeIds }) => activeIds.has(id),
  ),
];

function eachWindow(
  suffix: string,
  help: string,
  value: (window: MaintenanceWindow, maintenance: MaintenanceSnapshot) => SampleValue,
): AccountFamily {
  return list.values(
    `uptime_maintenance_${suffix}`,
    help,
    'maintenance',
    ['maintenance_id'],
    (maintenance, emit) => {
      for (const window of maintenance.windows) emit(value(window, maintenance), String(window.id));
    },
  );
}
