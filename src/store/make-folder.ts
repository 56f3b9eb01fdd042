import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder of this mode, and those above it; false when it was there already. The recursive `mkdir` of Node.js does not: it
 * tries for ever where a folder takes no entries, as /proc, and says ENOENT on a read-only file system.
 */
export async function makeFolder(path: string, mode?: number): Promise<boolean> {
  if (await isFolder(path)) return false;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path, mode);
    return true;
  } catch (error) {
    // Another process may have made it meanwhile.
    if (await isFolder(path)) return false;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
