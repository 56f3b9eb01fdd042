import { type FileHandle, open } from 'node:fs/promises';

const magic = 0xbeefc0de;
/** Places in a meta page: of lmdb's `MDB_meta`, 64-bit, behind a page header of 24 bytes. */
const offsets = { magic: 24, pageSize: 48, lastPage: 144 } as const;
const metaBytes = 152;

/**
 * Makes a file fit for lmdb to open, or says why it is not. lmdb maps it into memory and trusts it: a foreign
 * or truncated file would end the process, which no error handling can catch. A file that ends early
 * is filled up with zeros, in which lmdb finds the damage by itself.
 */
export async function makeReadable(path: string): Promise<string | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'r+');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { size } = await file.stat();
    if (size === 0) return undefined;
    const first = await readMeta(file, 0);
    const second = first && (await readMeta(file, first.pageSize));
    if (first === undefined || second === undefined) return 'its data file is not one of lmdb';
    const bytes = (1 + Math.max(first.lastPage, second.lastPage)) * first.pageSize;
    if (size < bytes) await file.truncate(bytes);
    return undefined;
  } finally {
    await file.close();
  }
}

async function readMeta(file: FileHandle, position: number) {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(metaBytes), 0, metaBytes, position);
  if (bytesRead < metaBytes || buffer.readUInt32LE(offsets.magic) !== magic) return undefined;
  return {
    pageSize: buffer.readUInt32LE(offsets.pageSize),
    lastPage: Number(buffer.readBigUInt64LE(offsets.lastPage)),
  };
}
