import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');

/** One text of the source that is replaced; it occurs in its file exactly once. */
export interface Change {
  readonly file: string;
  readonly original: string;
  readonly changed: string;
}

/** Builds the exporter with a planted fault. The path of its command line. */
export function buildVariant(changes: readonly Change[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'uptime-variant-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const name of ['package.json', 'docs', 'scripts', 'src']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const change of changes) writeFileSync(join(copy, change.file), textWith(change, copy));
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: copy, stdio: 'inherit' });
  return join(copy, 'dist', 'main.js');
}

/** The text of the changed file. */
export function textWith({ file, original, changed }: Change, folder = root): string {
  const source = readFileSync(join(folder, file), 'utf8');
  const occurrences = source.split(original).length - 1;
  if (occurrences !== 1) {
    throw new Error(`${file} contains "${original}" ${occurrences} times, not once`);
  }
  return source.replace(original, () => changed);
}
