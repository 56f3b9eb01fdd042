import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder with this mode, and its parents. Returns false if it existed. The recursive
 * `mkdir` of Node.js is not used: it loops endlessly in a folder that accepts no entries, such as
 * /proc, and reports ENOENT on a read-only file system.
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
