import { constants, type Stats, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { codeOf } from './error-text.ts';
import { orUndefined } from './or-undefined.ts';

type Owner = Pick<Stats, 'uid' | 'gid' | 'mode'>;

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** In each class of the mode. A file is read and written; a folder is also searched. */
const readBit = 0o4;
const writeBits = 0o6;
const changeBits = 0o7;

const unreadable: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file; create it, or correct the path',
  EISDIR:
    'it is a folder, and a file is needed; a container engine makes a folder where the file to mount is missing',
  ENOTDIR: 'a part of the path is a file, where a folder is needed; correct the path',
  ENAMETOOLONG:
    'the path is too long; give the path of the file, not the text that should be in it',
  ELOOP: 'its symbolic links lead in a circle; correct them',
  ERR_INVALID_ARG_VALUE: 'it has a NUL character, so it is no path; correct it',
};

/**
 * Explains why a file cannot be read, and how to correct it. Only a path whose file or folder
 * exists is named, and a path in a message of the system, because others may be misplaced secrets.
 */
export function readProblem(path: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'EACCES' || code === 'EPERM') return forbidden(path, ownerOf(path), currentUser());
  return unreadable[code] ?? otherProblem(error);
}

/**
 * Explains a denied permission. The path may be named: it, or a folder on the way, exists, so it is
 * not a misplaced secret.
 */
export function forbidden(path: string, file: Owner | undefined, user: User): string {
  if (file === undefined) {
    return `permission denied: a folder on the way to ${path} is closed to the exporter, which ${runsAs(user)}; open it to that user (chmod o+x)`;
  }
  const remedy =
    ownersRemedy(file, user, readBit, `read it (chmod u+r ${path})`) ??
    `give it to that user (chown ${user.uid} ${path}) or let the group read it (chgrp ${user.gid} and chmod g+r)`;
  return `permission denied: ${path} ${belongsTo(file)}, and the exporter ${runsAs(user)}; ${remedy}`;
}

/** The remedy if another owner would change nothing; undefined if it would. */
function ownersRemedy(
  { uid, gid, mode }: Owner,
  user: User,
  needed: number,
  permission: string,
): string | undefined {
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  if (((mode >> shift) & needed) === needed) {
    return 'its owner and mode permit it, but another rule does not, such as one of SELinux (for a container, mount it with the option z)';
  }
  return uid === user.uid ? `let its owner ${permission}` : undefined;
}

/** Explains why a folder cannot be created or written to, and how to correct it. */
export function folderProblem(path: string, error: unknown): string {
  const code = codeOf(error);
  if (code === 'EACCES' || code === 'EPERM') {
    const closed = nearest(path);
    return closedFolder(path, closed, ownerOf(closed), currentUser());
  }
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    const file = nearest(path);
    const subject = file === path ? 'it' : file;
    return `${subject} is a file, and a folder is needed there; choose another path, or move the file away`;
  }
  if (code === 'ENOENT') {
    return `no folder can be created in ${nearest(dirname(path))}; choose another path`;
  }
  if (code === 'EROFS') {
    return 'the file system is read-only; mount it writable, or choose another path';
  }
  if (code === 'ENOSPC') return 'the disk is full; free some space, or choose another path';
  return otherProblem(error);
}

/** `closed` is the path itself, or the closest folder above it that exists. */
export function closedFolder(
  path: string,
  closed: string,
  owner: Owner | undefined,
  user: User,
): string {
  const state = owner === undefined ? 'is closed' : belongsTo(owner);
  const needed = owner !== undefined && isFolder(owner) ? changeBits : writeBits;
  const remedy =
    (owner && ownersRemedy(owner, user, needed, `write to it (chmod u+rwX ${closed})`)) ??
    (closed === path
      ? `give it to that user (chown -R ${user.uid}:${user.gid} ${path})`
      : `create the folder for that user (install -d -o ${user.uid} -g ${user.gid} ${path})`);
  return `permission denied: ${closed} ${state}, and the exporter ${runsAs(user)}; ${remedy}, or choose another path`;
}

/** The path itself, or the closest folder above it that exists. */
function nearest(path: string): string {
  const parent = dirname(path);
  return ownerOf(path) !== undefined || parent === path ? path : nearest(parent);
}

function isFolder({ mode }: Owner): boolean {
  return (mode & constants.S_IFMT) === constants.S_IFDIR;
}

function belongsTo({ uid, gid, mode }: Owner): string {
  const octal = (mode & 0o7777).toString(8).padStart(4, '0');
  return `belongs to uid ${uid}, gid ${gid} with mode ${octal}`;
}

function runsAs({ uid, gid }: User): string {
  return `runs as uid ${uid}, gid ${gid}`;
}

/** Quotes the message of the system, which begins with the name of the error. */
function otherProblem(error: unknown): string {
  return error instanceof Error ? `the system reports "${error.message}"` : String(error);
}

/** The owner of /proc/self is this user, also in a container, where `userInfo` may fail. */
function currentUser(): User {
  return orUndefined(userInfo) ?? statSync('/proc/self');
}

function ownerOf(path: string): Owner | undefined {
  return orUndefined(() => statSync(path));
}
