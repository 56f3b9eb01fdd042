import { type DatasetName, datasetNames } from '../../domain/dataset.ts';
import type { AccountStatus } from '../ports.ts';
import { Budget } from './budget.tsx';
import { DatasetsTable, lateDatasets } from './datasets.tsx';
import { formatDecimal, Name, plural } from './format.tsx';

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
