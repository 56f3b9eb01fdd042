import type { TimeRange } from '../../domain/interval.ts';
import type { MaintenanceWindow } from '../../domain/maintenance.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { formatDecimal, plural } from '../../lib/format-number.ts';
import type { AccountStatus } from '../ports.ts';
import { displayText, Moment, Name } from './format.tsx';
import { serviceNow } from './items.ts';

const maxShown = 6;

interface PlannedMaintenance extends TimeRange {
  readonly description: string;
  readonly account: string;
  readonly active: boolean;
  readonly members: string;
  readonly nowSeconds: number;
}

/** Returns current maintenance, then the next occurrences. */
function plannedMaintenance(
  accounts: readonly AccountStatus[],
  nowSeconds: number,
): PlannedMaintenance[] {
  const planned = accounts.flatMap((status) => {
    const { maintenance, account } = status.snapshot;
    const now = serviceNow(status, nowSeconds);
    return (maintenance?.windows ?? []).flatMap((window) => {
      const span = maintenance?.next.get(window.id);
      if (span === undefined || span.toSeconds <= now) return [];
      return [
        {
          description: window.description ?? `maintenance ${window.id}`,
          account,
          active: maintenance?.activeIds.has(window.id) === true,
          ...span,
          members: membersText(window),
          nowSeconds: now,
        },
      ];
    });
  });
  return planned.sort(
    (a, b) => Number(b.active) - Number(a.active) || a.fromSeconds - b.fromSeconds,
  );
}

function membersText({ checkIds, transactionIds }: MaintenanceWindow): string {
  const checks = plural(checkIds.length, 'check');
  if (transactionIds.length === 0) return checks;
  const transactions = plural(transactionIds.length, 'transaction');
  return checkIds.length === 0 ? transactions : `${checks} and ${transactions}`;
}

interface MaintenanceProps {
  readonly accounts: readonly AccountStatus[];
  readonly nowSeconds: number;
}

export function MaintenanceList({ accounts, nowSeconds }: MaintenanceProps) {
  const planned = plannedMaintenance(accounts, nowSeconds);
  const notKnown = accounts.filter((status) => !isMaintenanceKnown(status));
  const areUnknown = notKnown.length === accounts.length;
  if (areUnknown && planned.length === 0) return <p class="rest">Not known.</p>;
  const names = notKnown.map(({ snapshot }) => displayText(snapshot.account)).join(', ');
  return (
    <>
      {planned.length === 0 && <p class="rest">None is planned.</p>}
      {planned.length > 0 && <Planned planned={planned} areSeveral={accounts.length > 1} />}
      {notKnown.length > 0 && (
        <p class="rest">
          {planned.length > 0 ? 'Further maintenance is not known' : 'Not known'} for {names}.
        </p>
      )}
    </>
  );
}

/** Returns whether maintenance was read, and is not too old to be trusted. */
export function isMaintenanceKnown({ snapshot }: AccountStatus): boolean {
  return snapshot.maintenance !== undefined && snapshot.datasets.maintenance?.stale === false;
}

interface PlannedProps {
  readonly planned: readonly PlannedMaintenance[];
  /** With several accounts, each entry names its own. */
  readonly areSeveral: boolean;
}

function Planned({ planned, areSeveral }: PlannedProps) {
  const more = planned.length - maxShown;
  return (
    <ul class="plain">
      {planned.slice(0, maxShown).map((one) => (
        <li>
          <Name text={one.description} /> {areSeveral && <small>{displayText(one.account)}</small>}
          {one.active ? (
            <>
              <span class="badge calm">under way</span>
              <small>
                {one.members}, for another {humanizeDuration(one.toSeconds - one.nowSeconds)}, until{' '}
                <Moment at={one.toSeconds} toTheMinute />
              </small>
            </>
          ) : (
            <small>
              {one.members}, in {humanizeDuration(one.fromSeconds - one.nowSeconds)}, at{' '}
              <Moment at={one.fromSeconds} toTheMinute />, for{' '}
              {humanizeDuration(one.toSeconds - one.fromSeconds)}
            </small>
          )}
        </li>
      ))}
      {more > 0 && <li class="rest">and {formatDecimal(more)} more</li>}
    </ul>
  );
}
