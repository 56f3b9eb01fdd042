import type { DatasetName } from '../../domain/dataset.ts';
import { getOrMake } from '../../lib/get-or-make.ts';
import { RecentMap } from '../../lib/recent-map.ts';
import type { Encoding, Format } from '../formats.ts';
import { type Piece, PieceJoiner, type PreparedPieces } from './piece.ts';
import {
  type PageSelection,
  selectionKey,
  selectsAccount,
  selectsDataset,
  unknownPart,
} from './selection.ts';

/** One family of a page: its metadata in each format, and its samples, which both formats share. */
export interface PageFamily {
  readonly header: { readonly [F in Format]: Piece };
  /** More than one if the samples come from several datasets. */
  readonly parts: readonly PageFamilyPart[];
}

/** The samples of a family that come from one dataset, or from no dataset, by account. */
interface PageFamilyPart {
  readonly dataset: DatasetName | undefined;
  readonly samples: ReadonlyMap<string, readonly Piece[]>;
}

interface PageContent {
  readonly accounts: ReadonlySet<string>;
  readonly families: readonly PageFamily[];
  /** The duration of the rendering. */
  readonly renderSeconds: number;
  /** Shared by successive pages. */
  readonly joiner?: PieceJoiner;
}

/** Most scrapers request the whole page in one format; only a few request parts. */
export const cachedSelections = 8;

/** The data of all accounts at one moment as prepared bytes; immutable. */
export class Page {
  readonly series: number;
  /** Size in the text format. */
  readonly bytes: { readonly [E in Encoding]: number };
  readonly renderSeconds: number;
  readonly accounts: ReadonlySet<string>;
  readonly families: readonly PageFamily[];
  readonly #joiner: PieceJoiner;
  readonly #prepared = new RecentMap<string, PreparedPieces>(cachedSelections);

  constructor({ accounts, families, renderSeconds, joiner }: PageContent) {
    this.accounts = accounts;
    this.families = families;
    this.renderSeconds = renderSeconds;
    this.#joiner = joiner ?? new PieceJoiner(cachedSelections);
    const pieces = this.pieces('text');
    this.series = sum(pieces.map(({ series }) => series));
    this.bytes = {
      identity: sum(pieces.map(({ length }) => length)),
      gzip: sum(pieces.map(({ gzipLength }) => gzipLength)),
    };
  }

  /**
   * Returns the bytes of the selected part, which scrapes of the same part share.
   *
   * @throws SelectionError for an account that is not on the page
   */
  prepared(format: Format, selection: PageSelection = {}): PreparedPieces {
    const key = `${format} ${selectionKey(selection)}`;
    const make = () => this.#joiner.join(key, this.pieces(format, selection));
    return getOrMake(this.#prepared, key, make);
  }

  /**
   * The selected part of the page, without the end marker of OpenMetrics, since the exporter's own
   * metrics follow it. Families without samples are omitted.
   *
   * @throws SelectionError for an account that is not on the page
   */
  pieces(format: Format, selection: PageSelection = {}): readonly Piece[] {
    for (const name of selection.accounts ?? []) {
      if (!this.accounts.has(name)) throw unknownPart('account', name, this.accounts);
    }
    return this.families.flatMap(({ header, parts }) => {
      const shown: Piece[] = [];
      for (const { dataset, samples } of parts) {
        if (!selectsDataset(selection, dataset)) continue;
        for (const [account, pieces] of samples) {
          if (!selectsAccount(selection, account)) continue;
          for (const piece of pieces) shown.push(piece);
        }
      }
      return shown.length === 0 ? [] : [header[format], ...shown];
    });
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
