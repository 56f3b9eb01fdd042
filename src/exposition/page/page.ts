import { getOrMake } from '../../lib/get-or-make.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import type { Family } from '../catalogue/family.ts';
import type { Encoding, Format } from '../formats.ts';
import { type AccountTexts, shownTexts } from './account-texts.ts';
import type { FamilyText } from './family-text.ts';
import { PreparedText } from './prepared-text.ts';
import { type PageSelection, selectionKey, selectsAccount, unknownPart } from './selection.ts';

/** The metadata of all families of a page in each format, in the order of the page. */
export type Headers = ReadonlyMap<Family, { readonly [F in Format]: FamilyText }>;

interface PageContent {
  readonly headers: Headers;
  readonly accounts: ReadonlyMap<string, AccountTexts>;
  /** The duration of the rendering. */
  readonly renderSeconds: number;
}

/** Most scrapers request the whole page in one format; only a few request parts. */
const cachedSelections = 8;

/** The data of all accounts at one moment as prepared bytes; immutable. */
export class Page {
  readonly series: number;
  /** Size in the text format. */
  readonly bytes: { readonly [E in Encoding]: number };
  readonly renderSeconds: number;
  readonly #headers: Headers;
  readonly #accounts: ReadonlyMap<string, AccountTexts>;
  readonly #prepared = new RecentMap<string, PreparedText>(cachedSelections);

  constructor({ headers, accounts, renderSeconds }: PageContent) {
    this.#headers = headers;
    this.#accounts = accounts;
    this.renderSeconds = renderSeconds;
    const { series, length, size } = this.prepared('text');
    this.series = series;
    this.bytes = { identity: length, gzip: size };
  }

  /**
   * Returns the selected part of the page, which scrapes of the same part share. The end marker of
   * OpenMetrics is missing, since the exporter's own metrics follow. Families without samples are
   * omitted.
   *
   * @throws SelectionError for an account that is not on the page
   */
  prepared(format: Format, selection: PageSelection = {}): PreparedText {
    const key = `${format} ${selectionKey(selection)}`;
    return getOrMake(this.#prepared, key, () => new PreparedText(this.#texts(format, selection)));
  }

  /** Each family is one group, for any number of accounts. */
  #texts(format: Format, selection: PageSelection): readonly FamilyText[] {
    for (const name of selection.accounts ?? []) {
      if (!this.#accounts.has(name)) throw unknownPart('account', name, this.#accounts.keys());
    }
    const accounts = [...this.#accounts]
      .filter(([name]) => selectsAccount(selection, name))
      .map(([, texts]) => texts);
    return [...this.#headers].flatMap(([family, header]) => {
      const shown = accounts.flatMap((texts) => shownTexts(texts, family, selection));
      return shown.length === 0 ? [] : [header[format], ...shown];
    });
  }
}
