import { execFileSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** Why no small disk can be created here; undefined if one can. */
function whyNoDisk(): string | undefined {
  if (process.platform !== 'linux') return 'a tmpfs can be mounted on Linux alone';
  if (process.getuid?.() !== 0) return 'a tmpfs can be mounted by root alone';
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this container may not mount';
  }
}

const why = whyNoDisk();
if (why !== undefined) {
  if (process.env.CI === 'true') throw new Error(`CI must try a full disk: ${why}`);
  console.warn(`not tried on a full disk: ${why}`);
}

/** Removed after the test. */
export async function smallDisk(size = '4m'): Promise<string> {
  const path = await temporaryFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
  onTestFinished(() => void execFileSync('umount', ['-l', path]));
  return path;
}

/** Fills the disk. Resolves with a function that frees the space. */
export async function fill(disk: string): Promise<() => Promise<void>> {
  const name = join(disk, 'filling');
  const file = await open(name, 'w');
  for (const size of [65_536, 4096]) {
    try {
      for (;;) await file.write(Buffer.alloc(size, 1));
    } catch {
      // Full.
    }
  }
  await file.close();
  return () => rm(name);
}

/** Tests that need a small disk. They are skipped where none can be created, but never in CI. */
export function onSmallDisk(name: string, tests: () => void): void {
  describe.skipIf(why !== undefined)(why === undefined ? name : `${name} (${why})`, tests);
}
