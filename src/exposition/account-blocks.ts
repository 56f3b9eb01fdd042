import type { AccountSnapshot } from '../state/account-snapshot.ts';
import { type Block, makeBlock } from './block.ts';
import { accountFamilies } from './catalogue/account-families.ts';
import { checkFamilies } from './catalogue/check-families.ts';
import type { AccountFamily, Family } from './catalogue/family.ts';
import { type CheckRange, renderRange } from './check-range.ts';
import { partition } from './partition.ts';
import { commonLabelText, SampleWriter } from './sample-writer.ts';

/** The rendered text of one account; immutable. */
export interface AccountBlocks {
  readonly snapshot: AccountSnapshot;
  readonly ranges: readonly CheckRange[];
  blocksOf(family: Family): readonly Block[];
}

interface AccountInput {
  readonly snapshot: AccountSnapshot;
  readonly former: AccountBlocks | undefined;
  readonly checksPerRange: number;
  /** Called between two blocks. */
  readonly breathe: () => Promise<void>;
}

/** Renders what changed since the former blocks of the account, and shares the rest. */
export async function renderAccount(input: AccountInput): Promise<AccountBlocks> {
  const { snapshot, former, breathe } = input;
  if (former?.snapshot === snapshot) return former;
  const ranges = await renderRanges(input);
  const ofAccount = new Map<Family, readonly Block[]>();
  for (const family of accountFamilies) {
    ofAccount.set(family, renderFamily(family, snapshot, former?.blocksOf(family)));
    await breathe();
  }
  const ofChecks = new Map<Family, readonly Block[]>();
  for (const family of checkFamilies) {
    const blocks = ranges.map((range) => range.blocks.get(family));
    ofChecks.set(
      family,
      blocks.filter((block) => block !== undefined),
    );
  }
  const all = new Map([...ofAccount, ...ofChecks]);
  return { snapshot, ranges, blocksOf: (family) => all.get(family) ?? [] };
}

async function renderRanges(input: AccountInput): Promise<CheckRange[]> {
  const { snapshot, former, checksPerRange, breathe } = input;
  const formerByStart = new Map(former?.ranges.map((range) => [range.checks[0]?.id ?? 0, range]));
  const pieces = partition(snapshot.checks ?? [], [...formerByStart.keys()], checksPerRange);
  const ranges: CheckRange[] = [];
  for (const checks of pieces) {
    ranges.push(
      await renderRange({
        families: checkFamilies,
        account: snapshot.account,
        checks,
        former: formerByStart.get(checks[0]?.id ?? 0),
        breathe,
      }),
    );
  }
  return ranges;
}

/** No more than a handful of lines, so it is rendered each time and shared if it comes out the same. */
function renderFamily(
  family: AccountFamily,
  snapshot: AccountSnapshot,
  former: readonly Block[] | undefined,
): readonly Block[] {
  const writer = new SampleWriter(family);
  writer.common = commonLabelText({ account: snapshot.account });
  family.samples(snapshot, writer.emit);
  if (writer.series === 0) return [];
  const block = makeBlock(writer.text, writer.series);
  const [last] = former ?? [];
  const same =
    last !== undefined && Buffer.compare(block.bytes.identity, last.bytes.identity) === 0;
  return [same ? last : block];
}
