import { execFileSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** Why no small disk can be had here; undefined when one can. */
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

/** Gone after the test. */
export async function smallDisk(size = '4m'): Promise<string> {
  const path = await temporaryFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
  onTestFinished(() => void execFileSync('umount', ['-l', path]));
  return path;
}

/** Takes up all the room that is left; resolves with how to give it back. */
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

/** Tests that need one; skipped where none can be had, and never in CI. */
export function onSmallDisk(name: string, tests: () => void): void {
  describe.skipIf(why !== undefined)(why === undefined ? name : `${name} (${why})`, tests);
}
