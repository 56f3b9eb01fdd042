import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';
import { findTool, missing } from './tools.ts';

interface Promtool {
  readonly path: string;
  /** As in `2.42.0`. */
  readonly version: string;
}

/**
 * Every available promtool, because rules must be correct in several versions: this machine's, the
 * one in tools/bin, and those in UPTIME_TEST_PROMTOOLS, which is a list like PATH.
 */
export function promtools(): readonly Promtool[] {
  const built = join(import.meta.dirname, '..', '..', 'tools', 'bin', 'promtool');
  const listed = (process.env.UPTIME_TEST_PROMTOOLS ?? '').split(delimiter);
  const onPath = missing('promtool') ? [] : [findTool('promtool') ?? ''];
  const paths = [...onPath, built, ...listed].filter((path) => path !== '' && existsSync(path));
  const byVersion = new Map(paths.map((path) => [versionOf(path), path]));
  return [...byVersion].map(([version, path]) => ({ version, path }));
}

/**
 * The cases that one tool plays, where all of them take minutes. Every tool plays the first case.
 * Two tools play the others in turn, so each is played in one version only; a single tool plays all.
 */
export function shareOf<T>(
  all: readonly T[],
  path: string,
  tools: readonly Promtool[],
): readonly T[] {
  const place = tools.findIndex((tool) => tool.path === path);
  return all.filter((_, at) => tools.length < 2 || at === 0 || at % 2 === place % 2);
}

/** A suite for each of these. */
export function describeWith(tools: readonly Promtool[]) {
  if (tools.length > 0) return describe.each(tools);
  // Vitest fails a file without a suite.
  return describe
    .skipIf(missing('promtool'))
    .each<Promtool>([{ path: '', version: '(none is there)' }]);
}

function versionOf(path: string): string {
  const output = execFileSync(path, ['--version'], { encoding: 'utf8' });
  return output.match(/version (\S+?)(?:\+\S*)?[ ,]/)?.[1] ?? 'of unknown version';
}
