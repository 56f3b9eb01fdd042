import type { LabelValues } from '../../slo/outages.ts';
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
  type LabelledRow,
  type RowLabels,
} from '../labels/account-labels.ts';
import type { LabelPolicy } from '../labels/label-policy.ts';
import { commonLabelText, SampleWriter } from '../text-format.ts';
import { type Block, type BlockMaker, holdsText, makeBlock } from './block.ts';
import { Piece, piecesOf, replaceBlocks } from './piece.ts';
import { blocksOf, changedFamilies, renderRanges } from './row-blocks.ts';
import { type FamilySet, familySet, type RowRange } from './row-range.ts';

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
export interface AccountBlocks {
  readonly snapshot: AccountSnapshot;
  readonly labels: AccountLabels;
  readonly account: ReadonlyMap<AccountFamily, Block | undefined>;
  readonly checks: readonly RowRange<CheckRow>[];
  readonly transactions: readonly RowRange<TransactionRow>[];
  /** All of the text by family. */
  readonly families: ReadonlyMap<Family, FamilyPieces>;
}

/** The text of one family of an account; immutable. */
interface FamilyPieces {
  readonly pieces: readonly Piece[];
  /** Samples of removed items: the last block, as its own piece. */
  readonly removed: Block | undefined;
}

interface AccountInput {
  readonly snapshot: AccountSnapshot;
  readonly previous: AccountBlocks | undefined;
  readonly policy: LabelPolicy;
  readonly rowsPerRange: number;
  readonly maker: BlockMaker;
  /** Called between two blocks. */
  readonly yieldIfDue: () => Promise<void>;
}

const checkSet = familySet(checkFamilies);
const transactionSet = familySet(transactionFamilies);

/** Renders what changed since the previous blocks of the account, and reuses the rest. */
export async function renderAccount(input: AccountInput): Promise<AccountBlocks> {
  const { snapshot, previous, policy, rowsPerRange, maker, yieldIfDue } = input;
  if (previous?.snapshot === snapshot && previous.labels.policy === policy) return previous;
  const labels = accountLabels(policy, snapshot, previous);
  const common = { rowsPerRange, maker, yieldIfDue };
  const checkRows = {
    ...{ set: checkSet, labels: labels.checks },
    ...{ rows: snapshot.checks ?? [], previous: previous?.checks },
  };
  const transactionRows = {
    ...{ set: transactionSet, labels: labels.transactions },
    ...{ rows: snapshot.transactions ?? [], previous: previous?.transactions },
  };
  const changed = previous && changedPlaces(snapshot, previous.snapshot);
  const checks = await renderRanges({ ...common, ...checkRows, changedPlaces: changed });
  const transactions = await renderRanges({ ...common, ...transactionRows });
  const account = new Map<AccountFamily, Block | undefined>();
  const parts = accountFamilies.flatMap((family) => family.byDataset ?? [family]);
  for (const family of snapshot.isRemoved ? [] : parts) {
    account.set(family, renderFamily(family, snapshot, previous));
    await yieldIfDue();
  }
  const families = new Map<Family, FamilyPieces>();
  for (const [family, block] of account) {
    const before =
      previous?.account.get(family) === block ? previous?.families.get(family) : undefined;
    const units = block === undefined ? [] : [[block]];
    families.set(family, before ?? { pieces: piecesOf(units), removed: undefined });
  }
  joinRows(families, previous, { ...checkRows, ranges: checks, removed: snapshot.endedChecks });
  await yieldIfDue();
  const removed = snapshot.endedTransactions;
  joinRows(families, previous, { ...transactionRows, ranges: transactions, removed });
  return { snapshot, labels, account, checks, transactions, families };
}

/** Returns the places of checks that changed since a snapshot; undefined if unknown. */
function changedPlaces(
  { checks, checkStep }: AccountSnapshot,
  previous: AccountSnapshot,
): readonly number[] | undefined {
  if (checks === undefined) return undefined;
  if (checks === previous.checks) return [];
  return checkStep?.from === previous.checks ? checkStep?.places : undefined;
}

/** Returns the visible pieces of a family; none when it is withdrawn. */
export function shownPieces(
  { snapshot, families }: AccountBlocks,
  family: Family,
): readonly Piece[] {
  return isWithdrawn(family, snapshot.datasets) ? [] : (families.get(family)?.pieces ?? []);
}

/** With more replaced blocks, all blocks of a family are collected again at a fixed cost. */
const maxReplacedBlocks = 32;

interface RowsOf<R extends OutageRow> {
  readonly set: FamilySet<R>;
  readonly labels: RowLabels;
  readonly rows: readonly R[];
  readonly previous: readonly RowRange<R>[] | undefined;
  readonly ranges: readonly RowRange<R>[];
  readonly removed: readonly R[] | undefined;
}

type OutageRow = LabelledRow & Pick<CheckRow, 'outage'>;

/** Adds the families of checks or transactions. Unchanged families keep their pieces. */
function joinRows<R extends OutageRow>(
  families: Map<Family, FamilyPieces>,
  previous: AccountBlocks | undefined,
  rows: RowsOf<R>,
): void {
  const { set, ranges, labels } = rows;
  const changed = changedFamilies(set, ranges, rows.previous);
  for (const family of set.families) {
    const before = previous?.families.get(family);
    const removed = removedBlock(family, labels, rows, before?.removed);
    if (before !== undefined && !changed.has(family) && removed === before.removed) {
      families.set(family, before);
      continue;
    }
    const replaced = changed.get(family);
    const pieces =
      before !== undefined && replaced !== undefined && replaced.size <= maxReplacedBlocks
        ? replaceBlocks(
            before.removed === undefined ? before.pieces : before.pieces.slice(0, -1),
            replaced,
          )
        : piecesOf(blocksOf(ranges, family), before?.pieces);
    if (removed !== undefined) pieces.push(new Piece([removed]));
    families.set(family, { pieces, removed });
  }
}

/** Renders removed items' outages, each set of labels once, without those of listed items. */
function removedBlock<R extends OutageRow>(
  family: RowFamily<R>,
  labels: RowLabels,
  { removed, rows }: Pick<RowsOf<R>, 'removed' | 'rows'>,
  before: Block | undefined,
): Block | undefined {
  if (removed === undefined || !outageFamilyNames.has(family.name)) return undefined;
  const taken = new Set<string>();
  for (const { id } of removed) {
    const row = rowOf(id, rows);
    if (row?.outage !== undefined) taken.add(seriesOf(family, row, labels));
  }
  const writer = new SampleWriter(family);
  for (const row of removed.toReversed()) {
    const { promoted } = row.outage ?? {};
    const series = seriesOf(family, row, labels, promoted);
    if (taken.has(series)) continue;
    taken.add(series);
    writer.common = labels.textOf(row, family.labels, promoted);
    family.samples(row, writer);
  }
  if (writer.series === 0) return undefined;
  const isSame = before !== undefined && holdsText(before, writer.text);
  return isSame ? before : makeBlock(writer.text, writer.series);
}

/** Returns a key for the series of a row in a family. An empty label is the same as none. */
function seriesOf<R extends OutageRow>(
  family: RowFamily<R>,
  row: R,
  labels: RowLabels,
  promoted?: LabelValues,
): string {
  const { hostname = '', importance = '' } = row.outage ?? {};
  const own = family.labels.length === 0 ? [] : [importance, hostname];
  const common = Object.entries(labels.of(row, family.labels, promoted))
    .filter(([, value]) => value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return [commonLabelText(Object.fromEntries(common)), ...own].join(' ');
}

/** `rows` are ordered by id. */
function rowOf<R extends LabelledRow>(id: number, rows: readonly R[]): R | undefined {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.id ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return rows[low]?.id === id ? rows[low] : undefined;
}

function renderFamily(
  family: AccountFamily,
  snapshot: AccountSnapshot,
  previous: AccountBlocks | undefined,
): Block | undefined {
  const before = previous?.account.get(family);
  const holds =
    previous?.account.has(family) === true &&
    (family.reads.every((field) => previous.snapshot[field] === snapshot[field]) ||
      family.isSame?.(previous.snapshot, snapshot) === true);
  if (holds) return before;
  const writer = new SampleWriter(family);
  writer.common = commonLabelText({ account: snapshot.account });
  family.samples(snapshot, writer);
  if (writer.series === 0) return undefined;
  const isSame = before !== undefined && holdsText(before, writer.text);
  return isSame ? before : makeBlock(writer.text, writer.series);
}
