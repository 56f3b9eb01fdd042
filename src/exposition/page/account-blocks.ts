import type {
  AccountSnapshot,
  CheckRow,
  DatasetStatuses,
  TransactionRow,
} from '../../state/snapshot.ts';
import { accountFamilies } from '../catalogue/account-families.ts';
import { checkFamilies } from '../catalogue/catalogue.ts';
import { outageFamilyNames } from '../catalogue/error-budget-families.ts';
import type { AccountFamily, Family, RowFamily } from '../catalogue/family.ts';
import { transactionFamilies } from '../catalogue/transaction-families.ts';
import {
  type AccountLabels,
  accountLabels,
  type Row,
  type RowLabels,
} from '../labels/account-labels.ts';
import type { LabelPolicy } from '../labels/label-policy.ts';
import { commonLabelText, SampleWriter } from '../text-format.ts';
import { type Block, type BlockMaker, holdsText, makeBlock } from './block.ts';
import { blocksOf, renderRanges } from './row-blocks.ts';
import type { RowRange } from './row-range.ts';

/**
 * Gauges are withdrawn when their dataset is too old or is not refreshed at all. Counters, histograms
 * and summaries stay: totals are true however old they are, and `rate` would take their return for a
 * reset.
 */
export function isWithdrawn(
  { type, dataset, neverWithdrawn }: Pick<Family, 'type' | 'dataset' | 'neverWithdrawn'>,
  datasets: DatasetStatuses,
): boolean {
  if (neverWithdrawn) return false;
  return type === 'gauge' && dataset !== undefined && datasets[dataset]?.stale !== false;
}

/** The rendered text of one account, withdrawn families included; immutable. */
export interface AccountBlocks {
  readonly snapshot: AccountSnapshot;
  readonly labels: AccountLabels;
  readonly account: ReadonlyMap<AccountFamily, Block | undefined>;
  readonly checks: readonly RowRange<CheckRow>[];
  readonly transactions: readonly RowRange<TransactionRow>[];
  /** All of it by family. */
  readonly families: ReadonlyMap<Family, readonly Block[]>;
}

interface AccountInput {
  readonly snapshot: AccountSnapshot;
  readonly former: AccountBlocks | undefined;
  readonly policy: LabelPolicy;
  readonly rowsPerRange: number;
  readonly maker: BlockMaker;
  /** Called between two blocks. */
  readonly yieldIfDue: () => Promise<void>;
}

/** Renders what changed since the former blocks of the account, and shares the rest. */
export async function renderAccount(input: AccountInput): Promise<AccountBlocks> {
  const { snapshot, former, policy, rowsPerRange, maker, yieldIfDue } = input;
  if (former?.snapshot === snapshot && former.labels.policy === policy) return former;
  const labels = accountLabels(policy, snapshot, former?.labels);
  const checks = await renderRanges({
    families: checkFamilies,
    labels: labels.checks,
    rows: snapshot.checks ?? [],
    former: former?.checks,
    rowsPerRange,
    maker,
    yieldIfDue,
  });
  const transactions = await renderRanges({
    families: transactionFamilies,
    labels: labels.transactions,
    rows: snapshot.transactions ?? [],
    former: former?.transactions,
    rowsPerRange,
    maker,
    yieldIfDue,
  });
  const account = new Map<AccountFamily, Block | undefined>();
  for (const family of snapshot.departed ? [] : accountFamilies) {
    account.set(family, renderFamily(family, snapshot, former));
    await yieldIfDue();
  }
  const blocks = new Map<Family, readonly Block[]>();
  for (const [family, block] of account) blocks.set(family, block === undefined ? [] : [block]);
  for (const family of checkFamilies) {
    const { formerChecks, checks: listed } = snapshot;
    const before = former?.families.get(family)?.at(-1);
    const gone = formerBlocks(family, labels.checks, formerChecks, listed, before);
    blocks.set(family, [...blocksOf(checks, family), ...gone]);
  }
  await yieldIfDue();
  for (const family of transactionFamilies) {
    const { formerTransactions, transactions: listed } = snapshot;
    const before = former?.families.get(family)?.at(-1);
    const gone = formerBlocks(family, labels.transactions, formerTransactions, listed, before);
    blocks.set(family, [...blocksOf(transactions, family), ...gone]);
  }
  return { snapshot, labels, account, checks, transactions, families: blocks };
}

/** What is shown of a family; nothing of one that is withdrawn. */
export function shownBlocks(
  { snapshot, families }: AccountBlocks,
  family: Family,
): readonly Block[] {
  return isWithdrawn(family, snapshot.datasets) ? [] : (families.get(family) ?? []);
}

/** Outages under labels that no item of the list bears; each labels once. */
function formerBlocks<R extends Row & Pick<CheckRow, 'outage'>>(
  family: RowFamily<R>,
  labels: RowLabels,
  former: readonly R[] | undefined,
  listed: readonly R[] | undefined,
  before: Block | undefined,
): Block[] {
  if (former === undefined || !outageFamilyNames.has(family.name)) return [];
  const ids = new Set(former.map(({ id }) => id));
  const taken = new Set(
    (listed ?? [])
      .filter(({ id, outage }) => ids.has(id) && outage !== undefined)
      .map((row) => labels.textOf(row, family.labels)),
  );
  const writer = new SampleWriter(family);
  for (const row of former.toReversed()) {
    const text = labels.textOf(row, family.labels);
    if (taken.has(text)) continue;
    taken.add(text);
    writer.common = text;
    family.samples(row, writer);
  }
  if (writer.series === 0) return [];
  const isSame = before !== undefined && holdsText(before, writer.text);
  return [isSame ? before : makeBlock(writer.text, writer.series)];
}

function renderFamily(
  family: AccountFamily,
  snapshot: AccountSnapshot,
  former: AccountBlocks | undefined,
): Block | undefined {
  const before = former?.account.get(family);
  const holds =
    former !== undefined &&
    family.reads.every((field) => former.snapshot[field] === snapshot[field]);
  if (holds) return before;
  const writer = new SampleWriter(family);
  writer.common = commonLabelText({ account: snapshot.account });
  family.samples(snapshot, writer);
  if (writer.series === 0) return undefined;
  const isSame = before !== undefined && holdsText(before, writer.text);
  return isSame ? before : makeBlock(writer.text, writer.series);
}
