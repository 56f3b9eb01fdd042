import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { orUndefined } from './or-undefined.ts';

/**
 * Creates a folder with this mode, and its parents. Returns false if it existed. The recursive
 * `mkdir` of Node.js is not used: it loops endlessly in a folder that accepts no entries, such as
 * /proc, and reports ENOENT on a read-only file system.
 */
export function makeFolder(path: string, mode?: number): boolean {
  if (isFolder(path)) return false;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, mode);
    return true;
  } catch (error) {
    // Another process may have made it meanwhile.
    if (isFolder(path)) return false;
    throw error;
  }
}

function isFolder(path: string): boolean {
  return orUndefined(() => statSync(path).isDirectory()) === true;
}
