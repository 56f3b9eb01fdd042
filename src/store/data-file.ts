import { type FileHandle, open } from 'node:fs/promises';

const magic = 0xbeefc0de;
/** Places in a meta page: of lmdb's `MDB_meta`, 64-bit, behind a page header of 24 bytes. */
const offsets = { magic: 24, pageSize: 48, lastPage: 144 } as const;
const metaBytes = 152;
const pageSizes: readonly number[] = [256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536];
/** Pages that a transaction took and gave back are not written, and may be the last ones. One takes far fewer. */
const mostMissingBytes = 2 ** 30;

interface Meta {
  /** In bytes. */
  readonly pageSize: number;
  readonly lastPage: number;
}

/**
 * Makes a file fit for lmdb to open, or says why it is not. lmdb maps it into memory and trusts it: a foreign
 * or truncated file would end the process, which no error handling can catch. A file that ends early
 * is filled up with zeros, in which lmdb finds the damage by itself. Rejects with the error of the operating
 * system, such as that of a full disk.
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
    const bytes = await bytesNeeded(file);
    if (bytes === undefined) return 'its data file is not one of lmdb';
    if (bytes > size + mostMissingBytes) {
      return `its data file has ${size} bytes and says that it has ${bytes}`;
    }
    if (bytes > size) await file.truncate(bytes);
    return undefined;
  } finally {
    await file.close();
  }
}

/** What both meta pages need of the file; undefined when they are none. */
async function bytesNeeded(file: FileHandle): Promise<number | undefined> {
  const first = await readMeta(file, 0);
  if (first === undefined) return undefined;
  const second = await readMeta(file, first.pageSize);
  if (second?.pageSize !== first.pageSize) return undefined;
  return (1 + Math.max(first.lastPage, second.lastPage)) * first.pageSize;
}

async function readMeta(file: FileHandle, position: number): Promise<Meta | undefined> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(metaBytes), 0, metaBytes, position);
  if (bytesRead < metaBytes || buffer.readUInt32LE(offsets.magic) !== magic) return undefined;
  const pageSize = buffer.readUInt32LE(offsets.pageSize);
  if (!pageSizes.includes(pageSize)) return undefined;
  return { pageSize, lastPage: Number(buffer.readBigUInt64LE(offsets.lastPage)) };
}
