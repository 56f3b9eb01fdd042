import type { Clock } from '../lib/clock.ts';
import type { AccountSnapshot } from '../state/account-snapshot.ts';
import { type AccountBlocks, renderAccount } from './account-blocks.ts';
import { type Block, makeBlock } from './block.ts';
import { accountFamilies } from './catalogue/account-families.ts';
import { checkFamilies } from './catalogue/check-families.ts';
import type { Family } from './catalogue/family.ts';
import { familyHeader } from './family-header.ts';
import { type FamilyBlocks, Page } from './page.ts';

interface PageRendererOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Resolves after the event loop has had a turn. */
  readonly yieldToEventLoop: () => Promise<void>;
  /** How many checks share a block: fewer means less to render after a change, more compresses better. */
  readonly checksPerRange?: number;
}

/** One block then takes a few milliseconds. */
const defaultChecksPerRange = 512;

/** The longest that rendering holds the event loop, a last block aside. */
const sliceMilliseconds = 10;

/** Turns snapshots into pages, rendering only what changed since the last one. */
export class PageRenderer {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #yieldToEventLoop: () => Promise<void>;
  readonly #checksPerRange: number;
  readonly #headers: ReadonlyMap<Family, FamilyBlocks['header']>;
  #accounts: ReadonlyMap<string, AccountBlocks> = new Map();
  #wanted: readonly AccountSnapshot[] = [];
  #waiting: Promise<Page> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PageRendererOptions) {
    const { clock, yieldToEventLoop, checksPerRange = defaultChecksPerRange } = options;
    this.#clock = clock;
    this.#yieldToEventLoop = yieldToEventLoop;
    this.#checksPerRange = checksPerRange;
    this.#headers = new Map(
      [...accountFamilies, ...checkFamilies].map((family) => [family, headerBlocks(family)]),
    );
  }

  /**
   * The page of these snapshots, or of newer ones: renderings run one after the other, and those that
   * wait become one, of the snapshots asked for last.
   */
  render(snapshots: readonly AccountSnapshot[]): Promise<Page> {
    this.#wanted = snapshots;
    this.#waiting ??= this.#afterLast();
    return this.#waiting;
  }

  #afterLast(): Promise<Page> {
    const rendering = this.#last.then(() => {
      this.#waiting = undefined;
      return this.#render(this.#wanted);
    });
    this.#last = rendering.catch(() => undefined);
    return rendering;
  }

  async #render(snapshots: readonly AccountSnapshot[]): Promise<Page> {
    const start = this.#clock.monotonic();
    const breathe = this.#startSlices(start);
    const accounts = new Map<string, AccountBlocks>();
    for (const snapshot of snapshots) {
      const former = this.#accounts.get(snapshot.account);
      const checksPerRange = this.#checksPerRange;
      const blocks = await renderAccount({ snapshot, former, checksPerRange, breathe });
      accounts.set(snapshot.account, blocks);
    }
    this.#accounts = accounts;
    const families = this.#families([...accounts.values()]);
    return new Page(families, (this.#clock.monotonic() - start) / 1000);
  }

  /** Gives the event loop a turn whenever a slice is used up. */
  #startSlices(start: number): () => Promise<void> {
    let sliceStart = start;
    return async () => {
      if (this.#clock.monotonic() - sliceStart < sliceMilliseconds) return;
      await this.#yieldToEventLoop();
      sliceStart = this.#clock.monotonic();
    };
  }

  /** Each family is one group, whatever the number of accounts; one without samples is left out. */
  #families(accounts: readonly AccountBlocks[]): FamilyBlocks[] {
    const families: FamilyBlocks[] = [];
    for (const [family, header] of this.#headers) {
      const samples = accounts.flatMap((account) => account.blocksOf(family));
      if (samples.length > 0) families.push({ header, samples });
    }
    return families;
  }
}

function headerBlocks(family: Family): { text: Block; openmetrics: Block } {
  return {
    text: makeBlock(familyHeader(family, 'text')),
    openmetrics: makeBlock(familyHeader(family, 'openmetrics')),
  };
}
