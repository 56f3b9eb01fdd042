import type { Format } from '../formats.ts';
import { Page, type PageFamilyPart } from './page.ts';
import { Piece } from './piece.ts';

/** What is known of a piece besides its bytes. */
type PieceEntry = readonly [series: number, length: number, gzipLength: number];

/** What a page consists of, in the order of its bytes; plain data for JSON. */
export interface PageIndex {
  readonly accounts: readonly string[];
  readonly families: readonly {
    readonly header: { readonly [F in Format]: PieceEntry };
    readonly parts: readonly {
      readonly dataset?: PageFamilyPart['dataset'];
      readonly samples: readonly (readonly [account: string, pieces: readonly PieceEntry[]])[];
    }[];
  }[];
}

/** A page as bytes: its pieces as they are in memory, one after the other. */
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
    families: families.map(({ header, parts }) => ({
      header: { text: entry(header.text), openmetrics: entry(header.openmetrics) },
      parts: parts.map(({ dataset, samples }) => ({
        ...(dataset !== undefined && { dataset }),
        samples: [...samples].map(([name, pieces]) => [name, pieces.map(entry)] as const),
      })),
    })),
  };
  return { index, chunks };
}

/** The page of an image, which keeps its bytes. Throws a `RangeError` when there are more or fewer than the index says. */
export function pageOf({ accounts, families }: PageIndex, bytes: Uint8Array): Page {
  let end = 0;
  const piece = ([series, length, gzipLength]: PieceEntry): Piece => {
    const gzip = bytes.subarray(end, end + gzipLength);
    end += gzipLength;
    return new Piece([{ series, length, gzip }]);
  };
  const page = new Page({
    accounts: new Set(accounts),
    families: families.map(({ header, parts }) => ({
      header: { text: piece(header.text), openmetrics: piece(header.openmetrics) },
      parts: parts.map(({ dataset, samples }) => ({
        dataset,
        samples: new Map(samples.map(([name, pieces]) => [name, pieces.map(piece)])),
      })),
    })),
    renderSeconds: 0,
  });
  if (end !== bytes.length) throw new RangeError(`${bytes.length} of ${end} bytes`);
  return page;
}
