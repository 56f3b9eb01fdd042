import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { branchVariable, type Environment, revisionVariable } from '../config/environment.ts';
import { present } from '../lib/present.ts';

export interface Build {
  readonly version: string;
  /** The commit; absent when the build did not set it. */
  readonly revision?: string;
  /** The branch or tag of the commit; absent when the build did not set it. */
  readonly branch?: string;
}

const manifest = z.object({ version: z.string() });
const commit = z.object({ revision: z.string().optional(), branch: z.string().optional() });

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return manifest.parse(JSON.parse(text)).version;
}

/** Returns the version and the commit of the running program. */
export function buildOf(env: Environment): Build {
  const built = env[revisionVariable]
    ? { revision: env[revisionVariable], branch: env[branchVariable] }
    : builtCommit();
  return { version: packageVersion(), ...present(built) };
}

/** The commit that `scripts/build.mjs` writes next to the bundle; empty without a bundle. */
function builtCommit(): z.infer<typeof commit> {
  const path = join(import.meta.dirname, '..', 'build.json');
  return existsSync(path) ? commit.parse(JSON.parse(readFileSync(path, 'utf8'))) : {};
}

interface Platform {
  readonly version: string;
  readonly platform: string;
  readonly arch: string;
}

/** Returns the output of `--version`, in the form of the programs of the Prometheus project. */
export function versionText(
  { version, branch, revision }: Build,
  { version: nodeVersion, platform, arch }: Platform,
): string {
  const commit = `branch: ${branch || 'unknown'}, revision: ${revision || 'unknown'}`;
  return [
    `uptime-exporter, version ${version} (${commit})`,
    `  node version:     ${nodeVersion}`,
    `  platform:         ${platform}/${arch}`,
  ].join('\n');
}
