import type {
  AccountSnapshot,
  CheckRow,
  DatasetStatuses,
  TransactionRow,
} from '../../state/snapshot.ts';
import { type Family, partsOf, type RowFamily } from '../catalogue/family.ts';
import type { ServedFamilies } from '../catalogue/served-families.ts';
import { type AccountLabels, accountLabels, type RowLabels } from '../labels/account-labels.ts';
import type { LabelPolicy } from '../labels/label-policy.ts';
import { FamilyText } from './family-text.ts';
import { writtenRemoved } from './removed-rows.ts';
import {
  blockOf,
  cutRows,
  oneRange,
  type RenderOptions,
  type RowTexts,
  renderRows,
} from './row-texts.ts';
import { type PageSelection, selectsDataset } from './selection.ts';

/**
 * Returns whether a family is withdrawn. Gauges are withdrawn when their dataset is too old or is
 * not refreshed at all, except those marked `neverWithdrawn`. Counters, histograms and summaries
 * stay: totals are true at any age, and `rate` would take their return for a reset.
 */
export function isWithdrawn(
  { type, dataset, neverWithdrawn }: Pick<Family, 'type' | 'dataset' | 'neverWithdrawn'>,
  datasets: DatasetStatuses,
): boolean {
  if (neverWithdrawn) return false;
  return type === 'gauge' && dataset !== undefined && datasets[dataset]?.stale !== false;
}

/** The rendered text of one account, including withdrawn families; immutable. */
export interface AccountTexts {
  readonly snapshot: AccountSnapshot;
  readonly served: ServedFamilies;
  readonly labels: AccountLabels;
  /** The families of the account, whose only row is the snapshot. */
  readonly account: RowTexts<AccountSnapshot>;
  readonly checks: ItemTexts<CheckRow>;
  readonly transactions: ItemTexts<TransactionRow>;
  /** All of these texts. Only outages are in several maps: those of listed and of removed items. */
  readonly texts: readonly ReadonlyMap<Family, FamilyText>[];
}

interface ItemTexts<R> {
  readonly listed: RowTexts<R>;
  readonly removedRows: readonly R[] | undefined;
  /** The samples of removed items, by family. */
  readonly removed: ReadonlyMap<Family, FamilyText>;
}

/** Renders what changed since the previous text of the account. */
export async function renderAccount(
  snapshot: AccountSnapshot,
  { policy, served }: { readonly policy: LabelPolicy; readonly served: ServedFamilies },
  previous: AccountTexts | undefined,
  options: RenderOptions,
): Promise<AccountTexts> {
  const areLabelsSame = previous?.labels.policy === policy;
  if (areLabelsSame && previous.served === served && previous.snapshot === snapshot)
    return previous;
  const labels = areLabelsSame ? previous.labels : accountLabels(policy, snapshot.account);
  const checks = await renderItems(
    {
      families: served.checks(snapshot.areResultsHourly === true),
      labels: labels.checks,
      rows: snapshot.checks ?? [],
      removedRows: snapshot.endedChecks,
    },
    previous?.checks,
    options,
  );
  const transactions = await renderItems(
    {
      families: served.transactions,
      labels: labels.transactions,
      rows: snapshot.transactions ?? [],
      removedRows: snapshot.endedTransactions,
    },
    previous?.transactions,
    options,
  );
  const rows = snapshot.isRemoved ? [] : [snapshot];
  const account = await renderRows(
    { families: served.account, labels: labels.account, rows, ranges: oneRange(rows) },
    previous?.account,
    options,
  );
  const ofItems = [checks, transactions].flatMap(({ listed, removed }) => [listed.texts, removed]);
  const texts = [account.texts, ...ofItems];
  return { snapshot, served, labels, account, checks, transactions, texts };
}

interface Items<R> {
  readonly families: readonly RowFamily<R>[];
  readonly labels: RowLabels;
  readonly rows: readonly R[];
  readonly removedRows: readonly R[] | undefined;
}

async function renderItems<R extends CheckRow | TransactionRow>(
  { families, labels, rows, removedRows }: Items<R>,
  previous: ItemTexts<R> | undefined,
  options: RenderOptions,
): Promise<ItemTexts<R>> {
  const ranges = cutRows(rows, options.rowsPerRange, previous?.listed.ranges);
  const listed = await renderRows({ families, labels, rows, ranges }, previous?.listed, options);
  if (listed === previous?.listed && removedRows === previous.removedRows) return previous;
  const removed = new Map<Family, FamilyText>();
  for (const family of families) {
    const writer = removedRows && writtenRemoved(family, labels, removedRows, rows);
    const block = writer && blockOf(writer, options.deflater);
    if (block !== undefined) removed.set(family, FamilyText.of(block));
  }
  return { listed, removedRows, removed };
}

/** Returns the texts of a family that are selected and not withdrawn. */
export function shownTexts(
  { snapshot, texts }: AccountTexts,
  family: Family,
  selection: PageSelection,
): readonly FamilyText[] {
  const shown: FamilyText[] = [];
  for (const part of partsOf(family)) {
    if (!selectsDataset(selection, part.dataset) || isWithdrawn(part, snapshot.datasets)) continue;
    for (const ofPart of texts) {
      const text = ofPart.get(part);
      if (text !== undefined && text.length > 0) shown.push(text);
    }
  }
  return shown;
}
