import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Environment } from '../config/environment/variables.ts';
import { present } from '../lib/present.ts';

/** Names the commit that the exporter was built from; the Dockerfile sets it. */
export const revisionVariable = 'UPTIME_EXPORTER_REVISION';

export interface Build {
  readonly version: string;
  /** Absent when the build did not say it. */
  readonly revision?: string;
}

const manifest = z.object({ version: z.string() });

/** The version that the package says it has. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return manifest.parse(JSON.parse(text)).version;
}

/** What runs. */
export function buildOf(env: Environment): Build {
  return { version: packageVersion(), ...present({ revision: env[revisionVariable] }) };
}
