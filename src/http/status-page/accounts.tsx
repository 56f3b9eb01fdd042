import { isClockOff } from '../../api/service-clock.ts';
import { type DatasetName, datasetNames } from '../../domain/dataset.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import type { TransactionRow } from '../../state/snapshot.ts';
import type { AccountStatus } from '../ports.ts';
import { accountBadge, accountCondition } from './account-badge.ts';
import { Budget, ShortfallNote } from './budget.tsx';
import { DatasetsTable, FailureNotes, lateDatasets } from './datasets.tsx';
import { displayText, formatDecimal, Name, plural } from './format.tsx';

interface AccountNotesProps {
  readonly status: AccountStatus;
  readonly nowSeconds: number;
}

/** The account, how it is doing, and what somebody has to do about it. */
export function AccountNotes({ status, nowSeconds }: AccountNotesProps) {
  const { snapshot, plan, clockOffsetSeconds = 0, counting } = status;
  const { word, tone, meaning } = accountBadge(status);
  const isWell = accountCondition(status) === 'ok';
  return (
    <div class="account">
      <p>
        <b>
          <Name text={snapshot.account} />
        </b>{' '}
        <span class={`badge ${tone}`}>{word}</span>{' '}
        <small>
          {isWell ? '' : `${meaning} `}API {snapshot.apiVersion} at <Name text={snapshot.baseUrl} />
        </small>
      </p>
      <ClockNote offsetSeconds={clockOffsetSeconds} />
      <MaintenanceNote counting={counting} />
      <UnitNote transactions={snapshot.transactions ?? []} />
      <FailureNotes snapshot={snapshot} nowSeconds={nowSeconds} />
      <ShortfallNote plan={plan} />
    </div>
  );
}

function ClockNote({ offsetSeconds }: { readonly offsetSeconds: number }) {
  if (!isClockOff(offsetSeconds)) return null;
  const way = offsetSeconds > 0 ? 'behind' : 'ahead of';
  return (
    <div class="note warn">
      <p>
        <strong>
          The clock of this machine is {humanizeDuration(Math.abs(offsetSeconds))} {way} the
          service’s.
        </strong>{' '}
        Everything is counted by the service’s clock. Correct this machine’s clock: logs and refresh
        times use it.
      </p>
    </div>
  );
}

function MaintenanceNote({ counting }: { readonly counting: AccountStatus['counting'] }) {
  const maintenance = counting?.maintenance;
  if (maintenance === undefined || maintenance.is === 'known') return null;
  const meaning =
    maintenance.is === 'awaited'
      ? 'The counters wait for it, for an hour at most.'
      : 'None is assumed: time is counted as if there were no maintenance.';
  return (
    <p class="rest">
      Maintenance is not known: {displayText(maintenance.why ?? '')}. {meaning}
    </p>
  );
}

/** Response times that cannot be, and the setting that mends them. */
function UnitNote({ transactions }: { readonly transactions: readonly TransactionRow[] }) {
  const withheld = transactions.filter(({ performance }) => performance?.withheld);
  if (withheld.length === 0) return null;
  return (
    <div class="note warn">
      <p>
        <strong>Response times of transactions are withheld.</strong> Those of{' '}
        {formatDecimal(withheld.length)} of {formatDecimal(transactions.length)} are longer than the
        time between two runs, or a step is longer than an hour.
      </p>
      <p>
        What to do: set <code>transaction_response_unit</code> to the unit in which the account is
        answered.
      </p>
    </div>
  );
}

interface OperatorsProps {
  readonly status: AccountStatus;
  /** Unique on the page. */
  readonly id: string;
  readonly nowSeconds: number;
}

/** Datasets and budget of an account: folded when all is well, and then only what is late is listed. */
export function Operators({ status, id, nowSeconds }: OperatorsProps) {
  const { snapshot, budget, plan } = status;
  const known = datasetNames.filter((name) => snapshot.datasets[name] !== undefined);
  const late = lateDatasets({ snapshot, nowSeconds });
  const needsCare = late.length > 0 || budget.paused || plan?.shortfall !== undefined;
  return (
    <details id={id} class="operators" open={needsCare}>
      <summary>
        <Name text={snapshot.account} />: {summaryOf(status, known, late)}
      </summary>
      <h3>Datasets</h3>
      {late.length === 0 ? (
        <p class="rest">None is late.</p>
      ) : (
        <DatasetsTable snapshot={snapshot} nowSeconds={nowSeconds} names={late} />
      )}
      <details id={`${id}-datasets`}>
        <summary>All {plural(known.length, 'dataset')}</summary>
        <DatasetsTable snapshot={snapshot} nowSeconds={nowSeconds} names={known} />
      </details>
      <Budget status={status} nowSeconds={nowSeconds} />
    </details>
  );
}

function summaryOf(
  { budget }: AccountStatus,
  known: readonly DatasetName[],
  late: readonly DatasetName[],
): string {
  const { short } = budget.windows;
  const data =
    late.length === 0
      ? `${plural(known.length, 'dataset')}, none late`
      : `${formatDecimal(late.length)} of ${plural(known.length, 'dataset')} late`;
  return short === undefined
    ? data
    : `${data}; ${formatDecimal(short.remaining)} of ${formatDecimal(short.limit)} requests left`;
}
