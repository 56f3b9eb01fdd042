import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RestoredPage } from '../exposition/exposition.ts';
import type { Page } from '../exposition/page/page.ts';
import { imageOf, type PageIndex, pageOf } from '../exposition/page/page-image.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/store.ts';
import type { PageFile } from './page-file.ts';

/** What the text of a page depends on besides the time, as names and digests. */
interface PageSources {
  readonly program: string;
  readonly configuration: string;
  readonly store: string;
}

interface Head {
  readonly sources: PageSources;
  /** By the clock of this machine, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
  readonly index: PageIndex;
}

interface StoredPageOptions {
  /** Absent where no page is kept. */
  readonly file: Pick<PageFile, 'take' | 'put'> | undefined;
  /** Without a fingerprint no page is kept. */
  readonly store: Pick<Store, 'fingerprint'>;
  /** Names the build. */
  readonly program: string;
  /** As it is in use now. */
  readonly configuration: () => string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Before the head: the checksum of all that follows it (CRC-32, little endian), and the length of the head. */
const checksumBytes = 4;
const prefixBytes = 8;

/** The page that a process leaves behind for the next one, so that a start need not render before it serves. */
export class StoredPage {
  readonly #options: StoredPageOptions;

  constructor(options: StoredPageOptions) {
    this.#options = options;
  }

  /** The page that was put, if it holds under these sources; undefined the next time. Never rejects. */
  async take(): Promise<RestoredPage | undefined> {
    const { file, clock, log } = this.#options;
    if (file === undefined) return undefined;
    try {
      const bytes = await file.take();
      if (bytes === undefined) return undefined;
      const { head, body } = readHead(bytes);
      const holds = () => head.from <= clock.now() && clock.now() < head.until;
      const other = differing(head.sources, await this.#sources());
      if (other === undefined && holds()) return { page: pageOf(head.index, body), holds };
      const reason = other === undefined ? 'its time is over' : `of another ${other}`;
      log.info({ reason }, 'stored page not used; rendering it anew');
    } catch (error) {
      log.warn({ error: reasonOf(error) }, 'stored page cannot be used; rendering it anew');
    }
    return undefined;
  }

  /** Keeps what `make` answers for the next start, for so many seconds. Never rejects. */
  async put(
    make: () => Promise<{ readonly page: Page; readonly holdsForSeconds: number }>,
  ): Promise<void> {
    const { file, store, clock, log } = this.#options;
    if (file === undefined || store.fingerprint === undefined) return;
    try {
      const { page, holdsForSeconds } = await make();
      if (holdsForSeconds === 0) return;
      const from = clock.now();
      const { index, chunks } = imageOf(page);
      const until = from + 1000 * holdsForSeconds;
      const head: Head = { sources: await this.#sources(), from, until, index };
      await file.put(withHead(head, chunks));
    } catch (error) {
      log.warn({ error: reasonOf(error) }, 'page not stored; the next start renders it anew');
    }
  }

  async #sources(): Promise<PageSources> {
    const { store, program, configuration } = this.#options;
    return {
      program,
      configuration: createHash('sha256').update(configuration()).digest('hex'),
      store: (await store.fingerprint?.()) ?? 'none',
    };
  }
}

function withHead(head: Head, chunks: readonly Uint8Array[]): Uint8Array[] {
  const text = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(text.length, checksumBytes);
  let checksum = crc32(prefix.subarray(checksumBytes));
  for (const chunk of [text, ...chunks]) checksum = crc32(chunk, checksum);
  prefix.writeUInt32LE(checksum, 0);
  return [prefix, text, ...chunks];
}

/** Throws when the bytes are not those that were written. */
function readHead(bytes: Uint8Array): { readonly head: Head; readonly body: Uint8Array } {
  if (bytes.length < prefixBytes) throw new Error('it is too short');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== crc32(bytes.subarray(checksumBytes))) {
    throw new Error('its checksum does not match');
  }
  const end = prefixBytes + view.getUint32(checksumBytes, true);
  const head: Head = JSON.parse(new TextDecoder().decode(bytes.subarray(prefixBytes, end)));
  return { head, body: bytes.subarray(end) };
}

/** The first source that is not the same. */
function differing(then: PageSources, now: PageSources): keyof PageSources | undefined {
  return (['program', 'configuration', 'store'] as const).find((name) => then[name] !== now[name]);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
