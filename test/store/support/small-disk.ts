import { execFileSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { skipped } from '../../support/skipped.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Why no small disk can be created here; undefined if one can. */
function whyNoDisk(): string | undefined {
  if (process.platform !== 'linux') return 'a small disk can be mounted on Linux only';
  if (process.getuid?.() !== 0) return 'a small disk can be mounted by root only';
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this container may not mount a small disk';
  }
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
  describe.skipIf(skipped(whyNoDisk()))(name, tests);
}
