import { gunzipSync } from 'node:zlib';
import PQueue from 'p-queue';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { RecentMap } from '../lib/recent-map.ts';
import type { JoinedBlocks } from './joined-blocks.ts';

/** So many pieces of about half a megabyte are kept for scrapers that read the same page at the same time. */
const keptPieces = 16;

/**
 * The plain text of pieces for scrapers without gzip. A piece takes about a millisecond, handed to a thread
 * several times the CPU; so they are inflated in place, one in each turn of the event loop.
 */
export class Inflater {
  readonly #recent = new RecentMap<JoinedBlocks, Promise<Uint8Array>>(keptPieces);
  readonly #turns = new PQueue({ concurrency: 1 });

  plainOf(piece: JoinedBlocks): Promise<Uint8Array> {
    const known = this.#recent.get(piece);
    if (known !== undefined) return known;
    const plain = this.#turns.add(() => inflateInTurn(piece));
    this.#recent.set(piece, plain);
    return plain;
  }
}

async function inflateInTurn({ gzip, length }: JoinedBlocks): Promise<Uint8Array> {
  await yieldToEventLoop();
  return gunzipSync(gzip, { chunkSize: Math.max(64, length) });
}
