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

export function makeBlock(text: string, series = 0): Block {
  const identity = Buffer.from(text);
  const gzip = gzipSync(identity, { level: constants.Z_BEST_SPEED });
  return { series, bytes: { identity, gzip } };
}
