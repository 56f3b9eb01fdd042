import { isDeepStrictEqual } from 'node:util';
import type { Check } from '../domain/check.ts';
import { type Block, makeBlock } from './block.ts';
import type { CheckFamily } from './catalogue/family.ts';
import { commonLabelText, SampleWriter } from './sample-writer.ts';

/** Neighbouring checks of an account, with their text in every family; immutable. */
export interface CheckRange {
  readonly checks: readonly Check[];
  /** The common labels of each check as text. */
  readonly labelTexts: readonly string[];
  /** A family without any sample has no block. */
  readonly blocks: ReadonlyMap<CheckFamily, Block | undefined>;
}

interface RangeInput {
  readonly families: readonly CheckFamily[];
  readonly account: string;
  readonly checks: readonly Check[];
  readonly former: CheckRange | undefined;
  readonly breathe: () => Promise<void>;
}

/** Renders the blocks that differ from the former ones and shares the rest. */
export async function renderRange(input: RangeInput): Promise<CheckRange> {
  const { families, account, checks, former, breathe } = input;
  const changes = former && changedChecks(former.checks, checks);
  if (former !== undefined && changes?.length === 0) return former;
  const labelTexts =
    former !== undefined && changes !== undefined
      ? former.labelTexts
      : checks.map(({ id, name }) => commonLabelText({ account, check_id: String(id), name }));
  const blocks = new Map<CheckFamily, Block | undefined>();
  for (const family of families) {
    if (former !== undefined && changes?.some((change) => differs(family, change)) === false) {
      blocks.set(family, former.blocks.get(family));
      continue;
    }
    blocks.set(family, renderBlock(family, checks, labelTexts));
    await breathe();
  }
  return { checks, labelTexts, blocks };
}

interface Change {
  readonly before: Check;
  readonly after: Check;
}

/** Undefined when the ranges do not hold the same checks under the same names. */
function changedChecks(before: readonly Check[], after: readonly Check[]): Change[] | undefined {
  if (before.length !== after.length) return undefined;
  const changes: Change[] = [];
  for (const [index, check] of after.entries()) {
    const former = before[index];
    if (former === check) continue;
    if (former?.id !== check.id || former.name !== check.name) return undefined;
    changes.push({ before: former, after: check });
  }
  return changes;
}

function differs(family: CheckFamily, { before, after }: Change): boolean {
  return family.reads.some((field) => {
    const [was, is] = [before[field], after[field]];
    return was !== is && !(typeof is === 'object' && isDeepStrictEqual(was, is));
  });
}

function renderBlock(
  family: CheckFamily,
  checks: readonly Check[],
  labelTexts: readonly string[],
): Block | undefined {
  const writer = new SampleWriter(family);
  for (const [index, check] of checks.entries()) {
    writer.common = labelTexts[index] ?? '';
    family.samples(check, writer.emit);
  }
  return writer.series === 0 ? undefined : makeBlock(writer.text, writer.series);
}
