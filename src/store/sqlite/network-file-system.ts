import { statfs } from 'node:fs/promises';

/** By the type that Linux tells (statfs(2)). Over FUSE lies anything, from a local disk to a bucket. */
const linuxTypes: ReadonlyMap<number, readonly [name: string, verdict: 'refused' | 'doubtful']> =
  new Map([
    [0x6969, ['NFS', 'refused']],
    [0x517b, ['SMB', 'refused']],
    [0xfe534d42, ['SMB', 'refused']],
    [0xff534d42, ['CIFS', 'refused']],
    [0x5346414f, ['AFS', 'refused']],
    [0x6b414653, ['AFS', 'refused']],
    [0x73757245, ['Coda', 'refused']],
    [0x564c, ['NCP', 'refused']],
    [0x0bd00bd0, ['Lustre', 'refused']],
    [0x00c36400, ['Ceph', 'refused']],
    [0x01021997, ['9P', 'doubtful']],
    [0x65735546, ['FUSE', 'doubtful']],
  ]);

/** Undefined for a local disk, and where it cannot be told. */
export async function networkFileSystem(
  path: string,
): Promise<{ readonly name: string; readonly verdict: 'refused' | 'doubtful' } | undefined> {
  try {
    const { type } = await statfs(path);
    const known = linuxTypes.get(type >>> 0);
    return known === undefined ? undefined : { name: known[0], verdict: known[1] };
  } catch {
    return undefined;
  }
}
