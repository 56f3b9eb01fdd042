import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { skipped } from './skipped.ts';

/** Found on the path, or where Debian installs them. */
type InstalledTool =
  | 'python3'
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
  'helm-3': 'helm-3',
  kubeconform: 'kubeconform',
  actionlint: 'actionlint',
  crane: 'crane',
  'prometheus-3': 'prometheus',
  'promtool-3': 'promtool',
  'alertmanager-0.31': 'alertmanager',
  'amtool-0.31': 'amtool',
  'rule-evaluator-2': 'rule-evaluator-2',
  'rule-evaluator-3': 'rule-evaluator-3',
  'alert-dispatcher': 'alert-dispatcher',
} as const;

export type ToolName = InstalledTool | keyof typeof builtTools;

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
    for (const folder of [...pathFolders(), ...postgresFolders()]) {
      const path = join(folder, candidate);
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

/**
 * Debian stores the programs of a PostgreSQL server outside the path, in one folder for each
 * version, and on the path only what starts them. The newest comes first.
 */
function postgresFolders(): string[] {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions) || !onPath('pg_ctlcluster')) return [];
  const names = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
  return names.map((name) => join(versions, name, 'bin'));
}

/** For `test.skipIf(missing('promtool'))`: see `skipped`. */
export function missing(name: ToolName): boolean {
  return skipped(findTool(name) === undefined ? notThere(name) : undefined);
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

function onPath(name: string): boolean {
  return pathFolders().some((folder) => isExecutable(join(folder, name)));
}

function pathFolders(): string[] {
  return (process.env.PATH ?? '').split(delimiter);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
