import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's paths. */
type DebianTool =
  | 'promtool'
  | 'prometheus'
  | 'alertmanager'
  | 'amtool'
  | 'chromium'
  | 'openssl'
  | 'systemd-socket-activate'
  | 'debootstrap'
  | 'strace'
  | 'spin'
  | 'gcc'
  | 'initdb'
  | 'pg_ctl'
  | 'pg_dump'
  | 'victoria-metrics';

/** Programs that `tools/build` builds. Those that Debian has too are newer here. */
const builtTools = {
  helm: 'helm',
  kubeconform: 'kubeconform',
  actionlint: 'actionlint',
  crane: 'crane',
  'prometheus-3': 'prometheus',
  'promtool-3': 'promtool',
  'alertmanager-0.31': 'alertmanager',
  'amtool-0.31': 'amtool',
} as const;

export type ToolName = DebianTool | keyof typeof builtTools;

const builtFolder = join(import.meta.dirname, '..', '..', 'tools', 'bin');

const debianNames: Partial<Record<ToolName, readonly string[]>> = {
  alertmanager: ['alertmanager', 'prometheus-alertmanager'],
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
};

/** The path of a program on this machine; undefined if it is missing. */
export function findTool(name: ToolName): string | undefined {
  if (name in builtTools) {
    const path = join(builtFolder, builtTools[name as keyof typeof builtTools]);
    return isExecutable(path) ? path : undefined;
  }
  for (const candidate of debianNames[name] ?? [name]) {
    for (const folder of [...(process.env.PATH ?? '').split(delimiter), ...postgresFolders()]) {
      const path = join(folder, candidate);
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

/**
 * Debian stores the programs of a PostgreSQL server outside the path, in one folder for each
 * version. The newest comes first.
 */
function postgresFolders(): string[] {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return [];
  const names = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
  return names.map((name) => join(versions, name, 'bin'));
}

/**
 * For `test.skipIf(missing('promtool'))`: false if the tool exists. If it is missing, the run
 * reports that and skips the test. With `CI=true` a missing tool is a failure, so that no test is
 * skipped silently.
 */
export function missing(name: ToolName): boolean {
  if (findTool(name) !== undefined) return false;
  const reason = notThere(name);
  if (process.env.CI === 'true') throw new Error(`${reason}; with CI=true every tool is needed`);
  process.stderr.write(`skipped: ${reason}\n`);
  return true;
}

/** The path of a tool for which `missing` returned false. */
export function toolPath(name: ToolName): string {
  const path = findTool(name);
  if (path === undefined) throw new Error(notThere(name));
  return path;
}

function notThere(name: ToolName): string {
  return name in builtTools
    ? `${name} is not in tools/bin; tools/build builds it`
    : `${name} is not installed on this machine`;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
