import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const root = join(import.meta.dirname, '..', '..');
/**
 * Tests need these in addition to the sources: compiled workers in `build`, the bundled command in
 * `dist`, and the copies of rules and dashboards in `deploy`, which are made by that command.
 */
const outputs = [
  // Types are checked elsewhere, so that a test runs even if they are wrong.
  {
    file: 'build/cli/metrics.js',
    sources: ['src'],
    command: ['node_modules/.bin/tsc', '-p', 'tsconfig.build.json', '--noCheck'],
  },
  { file: 'dist/main.js', sources: ['src', 'sandbox/src'], command: ['scripts/build.mjs'] },
  {
    file: 'deploy/kubernetes/prometheus-rule.yaml',
    sources: ['src', 'dashboards'],
    command: ['scripts/copies.mjs'],
  },
];
const lock = join(root, 'node_modules', '.building');
const pollMilliseconds = 200;
/** An older lock belongs to a run that was killed. */
const abandonedAfterMilliseconds = 120_000;

/**
 * Global setup of all projects. Builds outputs that are missing or older than their sources, one Vitest run
 * at a time.
 */
export default async function buildOnce(): Promise<void> {
  if (outputs.every(isFresh)) return;
  while (!takesLock()) await setTimeout(pollMilliseconds);
  try {
    for (const { command } of outputs.filter((output) => !isFresh(output))) {
      execFileSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
    }
  } finally {
    rmdirSync(lock);
  }
}

function isFresh({ file, sources }: (typeof outputs)[number]): boolean {
  const builtAt = modifiedAt(join(root, file));
  return sources.every((source) => {
    const folder = join(root, source);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    // Removing a file changes the time of its folder.
    return [folder, ...files.map((name) => join(folder, name))].every(
      (path) => modifiedAt(path) <= builtAt,
    );
  });
}

/** 0 for a file that does not exist. */
function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function takesLock(): boolean {
  if (Date.now() - modifiedAt(lock) > abandonedAfterMilliseconds) {
    try {
      rmdirSync(lock);
    } catch {
      // Another run removed it, or there was none.
    }
  }
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}
