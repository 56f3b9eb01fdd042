import type { PerformanceInterval } from '../../domain/averages.ts';
import type { CheckRow } from '../../state/snapshot.ts';
import { lean, type RowFamily } from './family.ts';
import { itemFamiliesOf } from './row-families.ts';

/** The field of checks and transactions that the families read. */
type HourlyRow = Pick<CheckRow, 'performance'>;

/** Families from the last complete hour of the checks or of the transactions. */
export function hourlyFamilies(kind: 'check' | 'transaction'): readonly RowFamily<HourlyRow>[] {
  const list = itemFamiliesOf<HourlyRow>(
    kind === 'check' ? 'performance' : 'transaction_performance',
  );
  const family = (suffix: string, help: string, field: keyof PerformanceInterval) =>
    list.value(`uptime_${kind}_hourly_${suffix}`, help, 'performance', (hour) => hour[field]);
  // Rules and boards read these hours of transactions, and none of checks.
  const leanOfChecks = (each: RowFamily<HourlyRow>) =>
    kind === 'check' ? lean('nothing', each) : each;
  const ofHour = `in the hour from uptime_${kind}_hourly_start_timestamp_seconds on`;
  const ofItem = kind === 'check' ? '' : ' of the transaction';
  const orOfRun =
    kind === 'check' ? '' : ', or that of the last run if the transaction was only up since then';
  return [
    leanOfChecks(
      family(
        'average_response_time_seconds',
        `Average response time${ofItem} ${ofHour}.`,
        'averageResponseTimeSeconds',
      ),
    ),
    lean('nothing', family('uptime_seconds', `Time the ${kind} was up ${ofHour}.`, 'upSeconds')),
    lean(
      'nothing',
      family('downtime_seconds', `Time the ${kind} was down ${ofHour}.`, 'downSeconds'),
    ),
    lean(
      'nothing',
      family(
        'unmonitored_seconds',
        `Time the ${kind} was not monitored ${ofHour}.`,
        'unmonitoredSeconds',
      ),
    ),
    leanOfChecks(
      family(
        'start_timestamp_seconds',
        `UNIX time at which the newest complete hour that was read began${orOfRun}; hours are those of the time zone of the account.`,
        'startAtSeconds',
      ),
    ),
  ];
}
