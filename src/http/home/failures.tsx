import { type ApiErrorReason, remedyOf } from '../../api/errors.ts';
import { type DatasetName, datasetNames, datasetPolicies } from '../../domain/dataset.ts';
import { humanizeDuration } from '../../lib/format-duration.ts';
import { formatDecimal } from '../../lib/format-number.ts';
import { Moment, Name } from '../common/format.tsx';
import type { AccountStatus } from '../ports.ts';

/** The datasets that fail for the same reason. */
interface Cause {
  readonly reason: ApiErrorReason;
  /** The check list first. */
  readonly datasets: readonly DatasetName[];
  /** The message of the first dataset. */
  readonly message: string;
  /** The failures in a row of the dataset that has most of them. */
  readonly consecutive: number;
  /** When the first of them began to fail. */
  readonly sinceSeconds: number;
}

/** A box for each cause of failures, with all datasets that it affects. */
export function FailureNotes({ status, nowSeconds }: Omit<FailureNoteProps, 'cause'>) {
  return (
    <>
      {causesOf(status).map((cause) => (
        <FailureNote cause={cause} status={status} nowSeconds={nowSeconds} />
      ))}
    </>
  );
}

function causesOf({ snapshot }: AccountStatus): Cause[] {
  const causes = new Map<ApiErrorReason, Cause>();
  for (const name of datasetNames) {
    const failure = snapshot.datasets[name]?.failure;
    if (failure === undefined) continue;
    const { reason, message, consecutive, sinceSeconds } = failure;
    const cause = causes.get(reason) ?? {
      reason,
      datasets: [],
      message,
      consecutive,
      sinceSeconds,
    };
    causes.set(reason, {
      ...cause,
      datasets: [...cause.datasets, name],
      consecutive: Math.max(cause.consecutive, consecutive),
      sinceSeconds: Math.min(cause.sinceSeconds, sinceSeconds),
    });
  }
  return [...causes.values()];
}

interface FailureNoteProps {
  readonly cause: Cause;
  readonly status: AccountStatus;
  readonly nowSeconds: number;
}

function FailureNote({ cause, status, nowSeconds }: FailureNoteProps) {
  const { reason, datasets, message, consecutive, sinceSeconds } = cause;
  const times = consecutive === 1 ? 'once' : `${formatDecimal(consecutive)} times in a row`;
  return (
    <div class="note bad">
      <p>
        <strong>
          {datasets.join(', ')}: {reason}
        </strong>
        , failed {times}, failing for {humanizeDuration(nowSeconds - sinceSeconds)}, since{' '}
        <Moment at={sinceSeconds} />.
      </p>
      <p>
        <Name text={message} />
      </p>
      <p>
        What to do: {remedyOf(reason, status.snapshot.apiVersion)}{' '}
        <NextAttempt cause={cause} status={status} />
      </p>
    </div>
  );
}

function NextAttempt({ cause, status }: Omit<FailureNoteProps, 'nowSeconds'>) {
  const { reason, datasets } = cause;
  // While the check list fails, the other datasets wait for it, although they are due.
  const waiting = datasets.includes('checks') ? (['checks'] as const) : datasets;
  const seconds = waiting
    .filter((name) => datasetPolicies[name].scope === 'account')
    .flatMap((name) => status.nextReadSeconds?.(name, 0) ?? [])
    .filter(Number.isFinite);
  const next = Math.min(...seconds);
  return (
    <>
      {seconds.length > 0 &&
        (next > 0
          ? `The next attempt is in ${humanizeDuration(next)}. `
          : 'The next attempt is due. ')}
      {(reason === 'unauthorized' || reason === 'forbidden') && (
        <>
          A reload tries at once: <code>POST /-/reload</code> or SIGHUP.
        </>
      )}
    </>
  );
}
