import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export type ToolName =
  | 'promtool'
  | 'prometheus'
  | 'alertmanager'
  | 'amtool'
  | 'chromium'
  | 'openssl';

const debianNames: Partial<Record<ToolName, readonly string[]>> = {
  alertmanager: ['alertmanager', 'prometheus-alertmanager'],
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
};

/** The path of a program on this machine, if it has it. */
export function findTool(name: ToolName): string | undefined {
  for (const candidate of debianNames[name] ?? [name]) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(folder, candidate);
      if (isExecutable(path)) return path;
    }
  }
  return undefined;
}

/**
 * For `test.skipIf(missing('promtool'))`: false when the tool is there. When it is not, the run says
 * so and skips; with `CI=true` a missing tool is a failure, so that nothing is skipped unnoticed.
 */
export function missing(name: ToolName): boolean {
  if (findTool(name) !== undefined) return false;
  const reason = `${name} is not installed on this machine`;
  if (process.env.CI === 'true') throw new Error(`${reason}; with CI=true every tool is needed`);
  process.stderr.write(`skipped: ${reason}\n`);
  return true;
}

/** The path of a tool that `missing` found to be there. */
export function toolPath(name: ToolName): string {
  const path = findTool(name);
  if (path === undefined) throw new Error(`${name} is not installed on this machine`);
  return path;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
