import type {
  AccountSnapshot,
  CheckRow,
  DatasetStatuses,
  TransactionRow,
} from '../../state/snapshot.ts';
import type { AccountFamily, Family, RowFamily } from '../catalogue/family.ts';
import type { ServedFamilies } from '../catalogue/served-families.ts';
import {
  type AccountLabels,
  accountLabels,
  type LabelledRow,
  type RowLabels,
} from '../labels/account-labels.ts';
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
  readonly rendered: Rendered;
  readonly labels: AccountLabels;
  readonly account: ReadonlyMap<Family, FamilyText>;
  readonly checks: ItemTexts<CheckRow>;
  readonly transactions: ItemTexts<TransactionRow>;
}

interface ItemTexts<R extends LabelledRow> {
  readonly set: FamilySet<R>;
  readonly rows: RowTexts<R>;
  readonly removed: readonly R[] | undefined;
  /** The parts of each family, and the samples of removed items. */
  readonly families: ReadonlyMap<Family, readonly FamilyText[]>;
}

/** What is rendered of each account. */
export interface Rendered {
  readonly policy: LabelPolicy;
  readonly account: readonly AccountFamily[];
  readonly checks: FamilySet<CheckRow>;
  /** With the results of each check. */
  readonly checksAndResults: FamilySet<CheckRow>;
  readonly transactions: FamilySet<TransactionRow>;
}

export function renderedOf(policy: LabelPolicy, served: ServedFamilies): Rendered {
  return {
    policy,
    account: served.account.flatMap((family) => family.byDataset ?? [family]),
    checks: familySet(served.checks(false)),
    checksAndResults: familySet(served.checks(true)),
    transactions: familySet(served.transactions),
  };
}

/** Renders what changed since the previous text of the account. */
export async function renderAccount(
  snapshot: AccountSnapshot,
  rendered: Rendered,
  previous: AccountTexts | undefined,
  options: RenderOptions,
): Promise<AccountTexts> {
  if (previous?.snapshot === snapshot && previous.rendered === rendered) return previous;
  const { policy } = rendered;
  const labels =
    previous?.labels.policy === policy ? previous.labels : accountLabels(policy, snapshot.account);
  const checks = await renderItems(
    {
      set: snapshot.areResultsHourly ? rendered.checksAndResults : rendered.checks,
      labels: labels.checks,
      rows: snapshot.checks ?? [],
      removed: snapshot.endedChecks,
    },
    previous?.checks,
    options,
  );
  const transactions = await renderItems(
    {
      set: rendered.transactions,
      labels: labels.transactions,
      rows: snapshot.transactions ?? [],
      removed: snapshot.endedTransactions,
    },
    previous?.transactions,
    options,
  );
  const account = new Map<Family, FamilyText>();
  for (const family of snapshot.isRemoved ? [] : rendered.account) {
    const before = previous?.account.get(family);
    const isSame = before !== undefined && readsTheSame(family, previous?.snapshot, snapshot);
    account.set(family, isSame ? before : textOf(written(family, snapshot), options));
    await options.yieldIfDue();
  }
  return { snapshot, rendered, labels, account, checks, transactions };
}

interface ItemsInput<R extends LabelledRow> {
  readonly set: FamilySet<R>;
  readonly labels: RowLabels;
  readonly rows: readonly R[];
  readonly removed: readonly R[] | undefined;
}

async function renderItems<R extends CheckRow | TransactionRow>(
  { set, labels, rows, removed }: ItemsInput<R>,
  before: ItemTexts<R> | undefined,
  options: RenderOptions,
): Promise<ItemTexts<R>> {
  const previous = before?.set === set ? before : undefined;
  const rendered = await renderRows({ set, rows, labels }, previous?.rows, options);
  if (rendered === previous?.rows && removed === previous.removed) return previous;
  const textsOf = (family: RowFamily<R>) => {
    const texts = partsOf(family).map((part) => rendered.texts.get(part) ?? FamilyText.empty);
    const writer = writtenRemoved(family, labels, removed, rows);
    return writer === undefined ? texts : [...texts, textOf(writer, options)];
  };
  const families = new Map(set.families.map((family) => [family, textsOf(family)]));
  return { set, rows: rendered, removed, families };
}

/** Returns the visible texts of a family; none when it is withdrawn. */
export function shownTexts(
  { snapshot, account, checks, transactions }: AccountTexts,
  family: Family,
): readonly FamilyText[] {
  if (isWithdrawn(family, snapshot.datasets)) return [];
  const ofAccount = account.get(family);
  if (ofAccount !== undefined) return [ofAccount];
  return checks.families.get(family) ?? transactions.families.get(family) ?? [];
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
function textOf(writer: SampleWriter, { deflater }: RenderOptions): FamilyText {
  const block = blockOf(writer, deflater);
  return block === undefined ? FamilyText.empty : FamilyText.of(block);
}
