import { isClockOff } from '../../api/service-clock.ts';
import { windowSize } from '../../budget/window-size.ts';
import { type DatasetName, datasetNames, datasetPolicies } from '../../domain/dataset.ts';
import { humanizeDuration, humanizeInterval } from '../../lib/format-duration.ts';
import { formatDecimal, plural } from '../../lib/format-number.ts';
import type { AccountSnapshot, DatasetStatus, TransactionRow } from '../../state/snapshot.ts';
import { RequestBudget, VerdictNote } from '../budget/budget.tsx';
import { accountBadge, accountCondition } from '../common/account-badge.ts';
import { firstSightText } from '../common/first-sight-text.ts';
import { displayText, Identifier, Moment, Name, Table } from '../common/format.tsx';
import { serviceNow } from '../common/items.ts';
import { Requests } from '../common/requests.tsx';
import { incompleteLists } from '../common/shown-lists.ts';
import type { AccountStatus } from '../ports.ts';
import { FailureNotes } from './failures.tsx';
import { hasNoItems } from './headline.ts';

interface AccountNotesProps {
  readonly status: AccountStatus;
  readonly nowSeconds: number;
}

/** The account, its state, and what an operator has to do. */
export function AccountNotes({ status, nowSeconds }: AccountNotesProps) {
  const { snapshot, clockOffsetSeconds = 0, counting } = status;
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
      <WaitingNote until={counting?.waitsUntilSeconds} />
      {isCounted(snapshot) && <MaintenanceNote counting={counting} />}
      <UnitNote transactions={snapshot.transactions ?? []} />
      <FailureNotes status={status} nowSeconds={nowSeconds} />
      <IncompleteNote status={status} />
      <EmptyNote status={status} />
      <FirstSightNote status={status} nowSeconds={nowSeconds} />
      {status.features?.map((feature) => feature.note(serviceNow(status, nowSeconds)))}
      <VerdictNote status={status} nowSeconds={nowSeconds} level="late" />
    </div>
  );
}

function IncompleteNote({ status }: { readonly status: AccountStatus }) {
  const lists = incompleteLists(status);
  if (lists.length === 0) return null;
  return (
    <div class="note bad">
      <p>
        <strong>{lists.join(', ')}: entries cannot be read.</strong> The objects that they describe
        are not watched, and missing here. The log says what is wrong with them.
      </p>
    </div>
  );
}

function EmptyNote({ status }: { readonly status: AccountStatus }) {
  if (!hasNoItems(status)) return null;
  const { listedChecks = 0 } = status.snapshot;
  return listedChecks > 0 ? (
    <p class="rest">
      The service lists {plural(listedChecks, 'check')}. The <code>filters</code> of the
      configuration select none of them.
    </p>
  ) : (
    <p class="rest">
      The check list was read, and it is empty. If the service shows checks: the{' '}
      <code>filters</code> of the configuration select none of them, or the token is that of another
      account.
    </p>
  );
}

/** The progress of reading the past of the checks, until it is done. */
function FirstSightNote({ status, nowSeconds }: AccountNotesProps) {
  const text = firstSightText(status, nowSeconds);
  return text === undefined ? null : <p class="rest">{text}</p>;
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

function WaitingNote({ until }: { readonly until: number | undefined }) {
  if (until === undefined) return null;
  return (
    <div class="note warn">
      <p>
        <strong>
          Counters wait until <Moment at={until} toTheMinute />.
        </strong>{' '}
        The clock of the service was ahead: the time until then is counted already. What happens
        meanwhile is shown and not counted.
      </p>
    </div>
  );
}

/** Before the first list of the account, nothing is counted. */
function isCounted({ checks, transactions }: AccountSnapshot): boolean {
  return checks !== undefined || transactions !== undefined;
}

function MaintenanceNote({ counting }: { readonly counting: AccountStatus['counting'] }) {
  const maintenance = counting?.maintenance;
  if (maintenance === undefined || maintenance.is === 'known') return null;
  const meaning = {
    awaited: 'The counters wait for maintenance to be read, for an hour at most',
    earlier: (
      <>
        Time is counted with the maintenance that was read at{' '}
        <Moment at={maintenance.readAtSeconds ?? 0} />
      </>
    ),
    none: 'Time is counted as if there were no maintenance',
  }[maintenance.is];
  return (
    <p class="rest">
      {meaning}: {displayText(maintenance.why ?? '')}.
    </p>
  );
}

/** Impossible response times, and the setting that corrects them. */
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
  /** Not folded even if all is well. */
  readonly isOpen?: boolean;
  readonly nowSeconds: number;
}

/** Datasets and budget of an account. Folded while all is well; lists overdue datasets first. */
export function Operators({ status, id, isOpen = false, nowSeconds }: OperatorsProps) {
  const { snapshot } = status;
  const datasets = datasetNames.filter((name) => snapshot.datasets[name] !== undefined);
  const overdue = overdueDatasets({ snapshot, nowSeconds });
  const needsCare = overdue.length > 0 || accountCondition(status) !== 'ok';
  return (
    <details id={id} class="operators" open={isOpen || needsCare}>
      <summary>
        <Name text={snapshot.account} />: {summaryOf(status, datasets, overdue)}
      </summary>
      <h3>Datasets</h3>
      {overdue.length === 0 ? (
        <p class="rest">None is overdue.</p>
      ) : (
        <DatasetsTable snapshot={snapshot} nowSeconds={nowSeconds} names={overdue} />
      )}
      <details id={`${id}-datasets`}>
        <summary>All {plural(datasets.length, 'dataset')}</summary>
        <DatasetsTable snapshot={snapshot} nowSeconds={nowSeconds} names={datasets} />
      </details>
      <RequestBudget {...{ status, nowSeconds }} />
      <Requests requests={status.requests?.() ?? []} id={`${id}-requests`} />
    </details>
  );
}

function summaryOf(
  { budget }: AccountStatus,
  datasets: readonly DatasetName[],
  overdue: readonly DatasetName[],
): string {
  const { short } = budget.windows;
  const data =
    overdue.length === 0
      ? `${plural(datasets.length, 'dataset')}, none overdue`
      : `${formatDecimal(overdue.length)} of ${plural(datasets.length, 'dataset')} overdue`;
  return short === undefined
    ? data
    : `${data}; ${formatDecimal(short.remaining)} of ${formatDecimal(windowSize(short))} requests left`;
}

interface DatasetsProps {
  readonly snapshot: AccountSnapshot;
  readonly nowSeconds: number;
}

/** A dataset is overdue if it failed, is too old to be shown, or is older than two intervals. */
function overdueDatasets({ snapshot, nowSeconds }: DatasetsProps): DatasetName[] {
  return datasetNames.filter((name) => {
    const status = snapshot.datasets[name];
    return status !== undefined && isOverdue(status, nowSeconds);
  });
}

function isOverdue(status: DatasetStatus, nowSeconds: number): boolean {
  const { failure, stale, lastSuccessAtSeconds } = status;
  const { intervalSeconds = Number.POSITIVE_INFINITY } = status;
  if (failure !== undefined) return true;
  if (lastSuccessAtSeconds === undefined) return false;
  return stale || nowSeconds - lastSuccessAtSeconds > 2 * intervalSeconds + 60;
}

/** The age and the interval of each dataset. */
function DatasetsTable(props: DatasetsProps & { readonly names: readonly DatasetName[] }) {
  const { snapshot, nowSeconds, names } = props;
  return (
    <Table label="Datasets" columns={['Dataset', 'Age', 'Every', 'Entries']}>
      {names.map((name) => {
        const status = snapshot.datasets[name];
        if (status === undefined) return null;
        const { intervalSeconds, items } = status;
        return (
          <tr>
            <th scope="row">
              <Identifier text={name} />
            </th>
            <td>
              <Age status={status} nowSeconds={nowSeconds} />
            </td>
            <td>{everyText(name, intervalSeconds)}</td>
            <td>{items === undefined ? '–' : formatDecimal(items)}</td>
          </tr>
        );
      })}
    </Table>
  );
}

function everyText(name: DatasetName, seconds: number | undefined): string {
  if (datasetPolicies[name].isOnce) return 'once';
  return seconds === undefined || !Number.isFinite(seconds) ? '–' : humanizeInterval(seconds);
}

function Age({ status, nowSeconds }: { readonly status: DatasetStatus; nowSeconds: number }) {
  const { lastSuccessAtSeconds, stale } = status;
  if (lastSuccessAtSeconds === undefined) return <>no data yet</>;
  return (
    <>
      {humanizeDuration(nowSeconds - lastSuccessAtSeconds)}{' '}
      {stale ? (
        <span class="badge bad">Stale</span>
      ) : (
        isOverdue(status, nowSeconds) && <span class="badge warn">Overdue</span>
      )}
    </>
  );
}
