import { apiErrorReasons } from '../../api/errors.ts';
import { type DatasetName, datasetNames } from '../../domain/dataset.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import type { AccountSnapshot, DatasetFailure, DatasetStatus } from '../../state/snapshot.ts';
import { formatDecimal, Moment, Name, TableHead } from './format.tsx';

interface DatasetsProps {
  readonly snapshot: AccountSnapshot;
  readonly nowSeconds: number;
}

/** A dataset is late when it failed, is too old to be shown, or is older than two of its intervals. */
export function lateDatasets({ snapshot, nowSeconds }: DatasetsProps): DatasetName[] {
  return datasetNames.filter((name) => {
    const status = snapshot.datasets[name];
    return status !== undefined && isLate(status, nowSeconds);
  });
}

function isLate(
  {
    failure,
    stale,
    lastSuccessAtSeconds,
    intervalSeconds = Number.POSITIVE_INFINITY,
  }: DatasetStatus,
  nowSeconds: number,
): boolean {
  if (failure !== undefined) return true;
  if (lastSuccessAtSeconds === undefined) return false;
  return stale || nowSeconds - lastSuccessAtSeconds > 2 * intervalSeconds + 60;
}

/** How old each dataset is against its interval. */
export function DatasetsTable(props: DatasetsProps & { readonly names: readonly DatasetName[] }) {
  const { snapshot, nowSeconds, names } = props;
  return (
    <table aria-label="Datasets">
      <TableHead columns={['Dataset', 'Age', 'Every', 'Entries']} />
      <tbody>
        {names.map((name) => {
          const status = snapshot.datasets[name];
          if (status === undefined) return null;
          const { intervalSeconds, items } = status;
          return (
            <tr>
              <th scope="row">{name}</th>
              <td>
                <Age status={status} nowSeconds={nowSeconds} />
              </td>
              <td>
                {intervalSeconds === undefined || !Number.isFinite(intervalSeconds)
                  ? '–'
                  : humanizeDuration(intervalSeconds)}
              </td>
              <td>{items === undefined ? '–' : formatDecimal(items)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
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
        isLate(status, nowSeconds) && <span class="badge warn">Late</span>
      )}
    </>
  );
}

/** What was the last failure of each dataset that fails, and what to do about it. */
export function FailureNotes({ snapshot, nowSeconds }: DatasetsProps) {
  return (
    <>
      {datasetNames.map((name) => {
        const failure = snapshot.datasets[name]?.failure;
        return (
          failure !== undefined && (
            <FailureNote name={name} failure={failure} nowSeconds={nowSeconds} />
          )
        );
      })}
    </>
  );
}

interface FailureNoteProps {
  readonly name: string;
  readonly failure: DatasetFailure;
  readonly nowSeconds: number;
}

function FailureNote({ name, failure, nowSeconds }: FailureNoteProps) {
  const { consecutive, reason, message, sinceSeconds } = failure;
  const times = consecutive === 1 ? 'once' : `${formatDecimal(consecutive)} times in a row`;
  return (
    <div class="note bad">
      <p>
        <strong>
          {name}: {reason}
        </strong>
        , failed {times}, failing for {humanizeDuration(nowSeconds - sinceSeconds)}, since{' '}
        <Moment at={sinceSeconds} />.
      </p>
      <p>
        <Name text={message} />
      </p>
      <p>What to do: {apiErrorReasons[reason]}</p>
    </div>
  );
}
