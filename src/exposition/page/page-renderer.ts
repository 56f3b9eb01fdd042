import type { MonotonicClock } from '../../lib/clock.ts';
import { startSlices } from '../../lib/event-loop.ts';
import { Deflater } from '../../lib/gzip-member.ts';
import type { AccountSnapshot } from '../../state/snapshot.ts';
import type { Family } from '../catalogue/family.ts';
import { ServedFamilies } from '../catalogue/served-families.ts';
import type { Format } from '../formats.ts';
import { LabelPolicy } from '../labels/label-policy.ts';
import { familyHeader } from '../text-format.ts';
import { type AccountTexts, renderAccount } from './account-texts.ts';
import { FamilyText } from './family-text.ts';
import { type Headers, Page } from './page.ts';

/**
 * With 32 rows a page of 25,000 checks is a sixth larger, and its first rendering takes half as long
 * again; a response about one check, which changes a few ranges, costs less.
 */
const defaultRowsPerRange = 64;

interface PageRendererOptions {
  readonly clock: MonotonicClock;
  /** Resolves after the event loop has had a turn. */
  readonly yieldToEventLoop: () => Promise<void>;
  /** Labels to promote to the series of checks and transactions; by default none. */
  readonly labels?: LabelPolicy;
  /** By default those of `metrics: lean`. */
  readonly served?: ServedFamilies;
  /** The number of rows whose lines in a family are compressed together. */
  readonly rowsPerRange?: number;
}

/** Turns snapshots into pages, and renders only what changed since the last page. */
export class PageRenderer {
  readonly #options: PageRendererOptions;
  #policy: LabelPolicy;
  #served: ServedFamilies;
  readonly #deflater = new Deflater();
  #headers: Headers;
  #accounts: ReadonlyMap<string, AccountTexts> = new Map();

  constructor(options: PageRendererOptions) {
    this.#options = options;
    this.#policy = options.labels ?? new LabelPolicy({});
    this.#served = options.served ?? ServedFamilies.lean;
    this.#headers = this.#headersOf(this.#served);
  }

  /** Changes the promoted labels and the served families, from the next page on. */
  configure(labels: LabelPolicy, served: ServedFamilies): void {
    if (labels.equals(this.#policy) && served.equals(this.#served)) return;
    this.#policy = labels;
    this.#served = served;
    this.#headers = this.#headersOf(served);
  }

  #headersOf(served: ServedFamilies): Headers {
    const families = [...served.account, ...served.checks(true), ...served.transactions];
    const header = (family: Family, format: Format) =>
      FamilyText.of({ ...this.#deflater.deflate(familyHeader(family, format)), series: 0 });
    return new Map(
      families.map((family) => [
        family,
        { text: header(family, 'text'), openmetrics: header(family, 'openmetrics') },
      ]),
    );
  }

  /** Renders the snapshots of all accounts; one rendering at a time. */
  async render(snapshots: readonly AccountSnapshot[]): Promise<Page> {
    // The caller has just blocked the event loop to make the snapshots.
    await this.#options.yieldToEventLoop();
    const { clock, rowsPerRange = defaultRowsPerRange } = this.#options;
    const start = clock.monotonic();
    const yieldIfDue = startSlices(this.#options);
    const options = { rowsPerRange, deflater: this.#deflater, yieldIfDue };
    const [policy, served, headers] = [this.#policy, this.#served, this.#headers];
    const accounts = new Map<string, AccountTexts>();
    for (const snapshot of snapshots) {
      const previous = this.#accounts.get(snapshot.account);
      const texts = await renderAccount(snapshot, { policy, served }, previous, options);
      accounts.set(snapshot.account, texts);
    }
    this.#accounts = accounts;
    const renderSeconds = (clock.monotonic() - start) / 1000;
    return new Page({ headers, accounts, renderSeconds });
  }
}
