import { gunzipSync } from 'node:zlib';
import { RecentMap } from '../lib/recent-map.ts';
import type { JoinedBlocks } from './joined-blocks.ts';

/** So many pieces of about a megabyte are kept for scrapers that read the same page at the same time. */
const keptPieces = 8;

/**
 * The plain text of pieces for scrapers without gzip. A piece takes a millisecond or two; handed to a thread, it
 * takes several times the CPU.
 */
export class Inflater {
  readonly #recent = new RecentMap<JoinedBlocks, Uint8Array>(keptPieces);

  plainOf(piece: JoinedBlocks): Uint8Array {
    const known = this.#recent.get(piece);
    if (known !== undefined) return known;
    const plain = gunzipSync(piece.gzip, { chunkSize: Math.max(64, piece.length) });
    this.#recent.set(piece, plain);
    return plain;
  }
}
