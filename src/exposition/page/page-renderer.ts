import type { Clock } from '../../lib/clock.ts';
import { startSlices } from '../../lib/event-loop.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import { accountFamilies } from '../catalogue/account-families.ts';
import { checkFamilies } from '../catalogue/catalogue.ts';
import type { Family } from '../catalogue/family.ts';
import { transactionFamilies } from '../catalogue/transaction-families.ts';
import { newlyDropped } from '../labels/account-labels.ts';
import { LabelPolicy } from '../labels/label-policy.ts';
import { familyHeader } from '../text-format.ts';
import { type AccountBlocks, renderAccount, shownPieces } from './account-blocks.ts';
import { BlockMaker, makeBlock } from './block.ts';
import { cachedSelections, Page, type PageFamily } from './page.ts';
import { Piece, PieceJoiner } from './piece.ts';

interface PageRendererOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Resolves after the event loop has had a turn. */
  readonly yieldToEventLoop: () => Promise<void>;
  /** Labels to promote to the series of checks and transactions; by default none. */
  readonly labels?: LabelPolicy;
  /**
   * Called with the number of values of a promoted label that newly exceed its cap. When an account
   * is rendered for the first time, it is called for each label, even with 0.
   */
  readonly onLabelValuesDropped?: (account: string, label: string, count: number) => void;
  /** The number of rows that are compared together. */
  readonly rowsPerRange?: number;
}

/** With this size one family of a range takes a few milliseconds, even a histogram. */
const defaultRowsPerRange = 64;

/** Turns snapshots into pages, and renders only what changed since the last page. */
export class PageRenderer {
  readonly #options: PageRendererOptions;
  #policy: LabelPolicy;
  readonly #maker = new BlockMaker();
  readonly #joiner = new PieceJoiner(cachedSelections);
  readonly #headers: ReadonlyMap<Family, PageFamily['header']>;
  #accounts: ReadonlyMap<string, AccountBlocks> = new Map();
  #requested: readonly AccountSnapshot[] = [];
  #pendingRender: Promise<Page> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PageRendererOptions) {
    this.#options = options;
    this.#policy = options.labels ?? new LabelPolicy({});
    const families = [...accountFamilies, ...checkFamilies, ...transactionFamilies];
    this.#headers = new Map(families.map((family) => [family, headerBlocks(family)]));
  }

  /** Changes the promoted labels, from the next page on. */
  relabel(labels: LabelPolicy): void {
    if (!labels.equals(this.#policy)) this.#policy = labels;
  }

  /** Renders these or newer snapshots, one rendering at a time; waiting requests share one. */
  render(snapshots: readonly AccountSnapshot[]): Promise<Page> {
    this.#requested = snapshots;
    this.#pendingRender ??= this.#afterLast();
    return this.#pendingRender;
  }

  #afterLast(): Promise<Page> {
    const rendering = this.#last.then(() => {
      this.#pendingRender = undefined;
      return this.#render(this.#requested);
    });
    this.#last = rendering.catch(() => undefined);
    return rendering;
  }

  async #render(snapshots: readonly AccountSnapshot[]): Promise<Page> {
    // The caller has just blocked the event loop to make the snapshots.
    await this.#options.yieldToEventLoop();
    const { clock, rowsPerRange = defaultRowsPerRange } = this.#options;
    const start = clock.monotonic();
    const yieldIfDue = startSlices(this.#options);
    const accounts = new Map<string, AccountBlocks>();
    for (const snapshot of snapshots) {
      const previous = this.#accounts.get(snapshot.account);
      const blocks = await renderAccount({
        snapshot,
        previous,
        policy: this.#policy,
        rowsPerRange,
        maker: this.#maker,
        yieldIfDue,
      });
      accounts.set(snapshot.account, blocks);
      this.#reportDropped(previous, blocks);
    }
    this.#accounts = accounts;
    return new Page({
      accounts: new Set(accounts.keys()),
      families: this.#families(accounts),
      renderSeconds: (clock.monotonic() - start) / 1000,
      joiner: this.#joiner,
    });
  }

  #reportDropped(previous: AccountBlocks | undefined, { snapshot, labels }: AccountBlocks): void {
    for (const [label, count] of newlyDropped(previous?.labels.dropped, labels.dropped)) {
      if (previous === undefined || count > 0) {
        this.#options.onLabelValuesDropped?.(snapshot.account, label, count);
      }
    }
  }

  /** Each family is one group, for any number of accounts. */
  #families(accounts: ReadonlyMap<string, AccountBlocks>): PageFamily[] {
    const piecesOf = (family: Family) =>
      new Map([...accounts].map(([name, blocks]) => [name, shownPieces(blocks, family)]));
    return [...this.#headers].map(([family, header]) => ({
      header,
      parts: (family.byDataset ?? [family]).map((part) => ({
        dataset: part.dataset,
        samples: piecesOf(part),
      })),
    }));
  }
}

function headerBlocks(family: Family): PageFamily['header'] {
  return {
    text: new Piece([makeBlock(familyHeader(family, 'text'))]),
    openmetrics: new Piece([makeBlock(familyHeader(family, 'openmetrics'))]),
  };
}
