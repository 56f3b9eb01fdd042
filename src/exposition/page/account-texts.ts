import type {
  AccountSnapshot,
  CheckRow,
  DatasetStatuses,
  TransactionRow,
} from '../../state/snapshot.ts';
import { accountFamilies } from '../catalogue/account-families.ts';
import { checkFamilies } from '../catalogue/catalogue.ts';
import type { AccountFamily, Family } from '../catalogue/family.ts';
import { transactionFamilies } from '../catalogue/transaction-families.ts';
import { type AccountLabels, accountLabels } from '../labels/account-labels.ts';
import type { LabelPolicy } from '../labels/label-policy.ts';
import { commonLabelText, SampleWriter } from '../text-format.ts';
import { FamilyText } from './family-text.ts';
import { writtenRemoved } from './removed-rows.ts';
import {
  blockOf,
  type FamilySet,
  familySet,
  partsOf,
  type RenderOptions,
  type RowTexts,
  renderRows,
} from './row-texts.ts';

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
  readonly labels: AccountLabels;
  readonly account: ReadonlyMap<AccountFamily, FamilyText>;
  readonly checks: RowTexts<CheckRow>;
  readonly transactions: RowTexts<TransactionRow>;
  /** The samples of removed checks and transactions. */
  readonly removed: ReadonlyMap<Family, FamilyText>;
  /** All of the text by family. */
  readonly families: ReadonlyMap<Family, readonly FamilyText[]>;
}

const checkSet = familySet(checkFamilies);
const transactionSet = familySet(transactionFamilies);

/** Renders what changed since the previous text of the account. */
export async function renderAccount(
  snapshot: AccountSnapshot,
  policy: LabelPolicy,
  previous: AccountTexts | undefined,
  options: RenderOptions,
): Promise<AccountTexts> {
  if (previous?.snapshot === snapshot && previous.labels.policy === policy) return previous;
  const labels = accountLabels(policy, snapshot, previous);
  const checks = await renderRows(
    { set: checkSet, rows: snapshot.checks ?? [], labels: labels.checks },
    previous?.checks,
    options,
  );
  const transactions = await renderRows(
    { set: transactionSet, rows: snapshot.transactions ?? [], labels: labels.transactions },
    previous?.transactions,
    options,
  );
  const account = new Map<AccountFamily, FamilyText>();
  const parts = accountFamilies.flatMap((family) => family.byDataset ?? [family]);
  for (const family of snapshot.isRemoved ? [] : parts) {
    const before = previous?.account.get(family);
    const isSame = before !== undefined && readsTheSame(family, previous?.snapshot, snapshot);
    account.set(family, isSame ? before : textOf(written(family, snapshot), options, before));
    await options.yieldIfDue();
  }
  const families = new Map<Family, readonly FamilyText[]>();
  for (const [family, text] of account) families.set(family, [text]);
  const removed = new Map<Family, FamilyText>();
  const joinRows = <R extends CheckRow | TransactionRow>(
    set: FamilySet<R>,
    { rows, labels, texts }: RowTexts<R>,
    ended: readonly R[] | undefined,
  ) => {
    for (const family of set.families) {
      const writer = writtenRemoved(family, labels, ended, rows);
      const ofRemoved = writer && textOf(writer, options, previous?.removed.get(family));
      if (ofRemoved !== undefined) removed.set(family, ofRemoved);
      const shown = [...partsOf(family).map((part) => texts.get(part)), ofRemoved];
      families.set(
        family,
        shown.filter((text) => text !== undefined),
      );
    }
  };
  joinRows(checkSet, checks, snapshot.endedChecks);
  await options.yieldIfDue();
  joinRows(transactionSet, transactions, snapshot.endedTransactions);
  return { snapshot, labels, account, checks, transactions, removed, families };
}

/** Returns the visible texts of a family; none when it is withdrawn. */
export function shownTexts(
  { snapshot, families }: AccountTexts,
  family: Family,
): readonly FamilyText[] {
  return isWithdrawn(family, snapshot.datasets) ? [] : (families.get(family) ?? []);
}

/** Whether the samples are certainly those of the snapshot before. */
function readsTheSame(
  { reads, isSame }: AccountFamily,
  before: AccountSnapshot | undefined,
  snapshot: AccountSnapshot,
): boolean {
  if (before === undefined) return false;
  return (
    reads.every((field) => before[field] === snapshot[field]) || isSame?.(before, snapshot) === true
  );
}

function written(family: AccountFamily, snapshot: AccountSnapshot): SampleWriter {
  const writer = new SampleWriter(family);
  writer.common = commonLabelText({ account: snapshot.account });
  family.samples(snapshot, writer);
  return writer;
}

/** Makes a text of one block. */
function textOf(
  writer: SampleWriter,
  { deflater }: RenderOptions,
  before: FamilyText = FamilyText.empty,
): FamilyText {
  const previous = before.blockAt(0);
  const block = blockOf(writer, deflater, previous);
  if (block === previous) return before;
  return block === undefined ? FamilyText.empty : FamilyText.of(block);
}
