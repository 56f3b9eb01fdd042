import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import type { Block } from './block.ts';

const inflate = promisify(gunzip);

/** What is inflated faster than a thread is asked to do it. */
const smallBytes = 16 * 1024;

/** So many blocks of about a megabyte are kept for scrapers that read the same page at the same time. */
const keptBlocks = 8;

/** The plain text of blocks for scrapers without gzip. */
export class Inflater {
  readonly #recent = new Map<Block, Promise<Uint8Array>>();

  plainOf(block: Block): Uint8Array | Promise<Uint8Array> {
    if (block.length <= smallBytes) return gunzipSync(block.gzip);
    const known = this.#recent.get(block);
    if (known !== undefined) return known;
    // In one piece: each of many small ones would wait for a thread of its own.
    const inflating = inflate(block.gzip, { chunkSize: block.length });
    this.#recent.set(block, inflating);
    inflating.catch(() => this.#recent.delete(block));
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= keptBlocks) break;
      this.#recent.delete(oldest);
    }
    return inflating;
  }
}
