import { present } from '../../lib/present.ts';
import type { Format } from '../formats.ts';
import { Page, type PageFamily } from './page.ts';
import { Piece } from './piece.ts';

/** The properties of a piece without its bytes. */
type PieceEntry = readonly [series: number, length: number, gzipLength: number];

/** The structure of a page in the order of its bytes; plain JSON data. */
export interface PageIndex {
  readonly accounts: readonly string[];
  readonly families: readonly {
    readonly dataset?: PageFamily['dataset'];
    readonly header: { readonly [F in Format]: PieceEntry };
    readonly samples: readonly (readonly [account: string, pieces: readonly PieceEntry[]])[];
  }[];
}

/** A page as bytes: its pieces as in memory, in order. */
export interface PageImage {
  readonly index: PageIndex;
  readonly chunks: readonly Uint8Array[];
}

export function imageOf({ accounts, families }: Page): PageImage {
  const chunks: Uint8Array[] = [];
  const entry = (piece: Piece): PieceEntry => {
    for (const { gzip } of piece.blocks) chunks.push(gzip);
    return [piece.series, piece.length, piece.gzipLength];
  };
  const index = {
    accounts: [...accounts],
    families: families.map(({ dataset, header, samples }) => ({
      ...present({ dataset }),
      header: { text: entry(header.text), openmetrics: entry(header.openmetrics) },
      samples: [...samples].map(([name, pieces]) => [name, pieces.map(entry)] as const),
    })),
  };
  return { index, chunks };
}

/**
 * The page of an image, whose bytes it keeps in memory. Throws a `RangeError` when their number differs from the
 * index.
 */
export function pageOf({ accounts, families }: PageIndex, bytes: Uint8Array): Page {
  let end = 0;
  const piece = ([series, length, gzipLength]: PieceEntry): Piece => {
    const gzip = bytes.subarray(end, end + gzipLength);
    end += gzipLength;
    return new Piece([{ series, length, gzip }]);
  };
  const page = new Page({
    accounts: new Set(accounts),
    families: families.map(({ dataset, header, samples }) => ({
      dataset,
      header: { text: piece(header.text), openmetrics: piece(header.openmetrics) },
      samples: new Map(samples.map(([name, pieces]) => [name, pieces.map(piece)])),
    })),
    renderSeconds: 0,
  });
  if (end !== bytes.length) throw new RangeError(`${bytes.length} of ${end} bytes`);
  return page;
}
