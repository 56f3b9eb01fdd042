import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { RecentMap } from '../lib/recent-map.ts';
import type { JoinedBlocks } from './joined-blocks.ts';

const inflate = promisify(gunzip);

/** What is inflated faster than a thread is asked to do it. */
const smallBytes = 16 * 1024;

/** So many pieces of about a megabyte are kept for scrapers that read the same page at the same time. */
const keptPieces = 8;

/** The plain text of pieces for scrapers without gzip. */
export class Inflater {
  readonly #recent = new RecentMap<JoinedBlocks, Promise<Uint8Array>>(keptPieces);

  plainOf(piece: JoinedBlocks): Uint8Array | Promise<Uint8Array> {
    if (piece.length <= smallBytes) return gunzipSync(piece.gzip);
    const known = this.#recent.get(piece);
    if (known !== undefined) return known;
    // In one piece: each of many small ones would wait for a thread of its own.
    const inflating = inflate(piece.gzip, { chunkSize: piece.length });
    this.#recent.set(piece, inflating);
    inflating.catch(() => this.#recent.delete(piece));
    return inflating;
  }
}
