import { constants, gzipSync } from 'node:zlib';
import type { Encoding } from './format.ts';

/**
 * A piece of an exposition in both encodings. The compressed form is a gzip member of its own, and
 * members may be concatenated (RFC 1952, section 2.2), so that pages share blocks in both.
 */
export interface Block {
  readonly series: number;
  readonly bytes: { readonly [E in Encoding]: Uint8Array };
}

/** The former block itself when it has the same text: compressing costs more than all the rest. */
export function makeBlock(text: string, series = 0, former?: Block): Block {
  const identity = Buffer.from(text);
  if (former !== undefined && identity.equals(former.bytes.identity)) return former;
  const compressed = gzipSync(identity, { level: constants.Z_BEST_SPEED });
  // What zlib returns is a view of a larger buffer, which it would keep alive: hence the copy.
  return { series, bytes: { identity, gzip: new Uint8Array(compressed) } };
}
