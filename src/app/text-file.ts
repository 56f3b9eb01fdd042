import { readFileSync, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { ForbiddenFileError } from '../config/raw.ts';

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** The text of a file. Throws a `ForbiddenFileError` when it is there, but not for this user. */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error;
    throw new ForbiddenFileError(forbidden(path, statOf(path), currentUser()), { cause: error });
  }
}

/** Names the path: it exists, so it is not a secret that was put in its place. */
export function forbidden(
  path: string,
  file: Pick<Stats, 'uid' | 'gid' | 'mode'> | undefined,
  { uid, gid }: User,
): string {
  const reader = `the exporter runs as uid ${uid}, gid ${gid}`;
  if (file === undefined) return `EACCES: a folder on the way to ${path} is closed; ${reader}`;
  const mode = (file.mode & 0o7777).toString(8).padStart(4, '0');
  const remedy = `give it to that user (chown ${uid} ${path}) or let the group read it (chgrp ${gid} and chmod g+r)`;
  return `EACCES: ${path} belongs to uid ${file.uid}, gid ${file.gid} with mode ${mode}, and ${reader}; ${remedy}`;
}

/** A container's user often has no name, without which `userInfo` fails; its process folder is its own. */
function currentUser(): User {
  try {
    return userInfo();
  } catch {
    return statSync('/proc/self');
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
