import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Environment, revisionVariable } from '../config/environment/variables.ts';
import { present } from '../lib/present.ts';

export interface Build {
  readonly version: string;
  /** The commit; absent when the build did not set it. */
  readonly revision?: string;
}

const manifest = z.object({ version: z.string() });

/** The version in package.json. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return manifest.parse(JSON.parse(text)).version;
}

/** Version and commit of the running program. */
export function buildOf(env: Environment): Build {
  return { version: packageVersion(), ...present({ revision: env[revisionVariable] }) };
}
