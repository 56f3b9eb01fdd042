import { join } from 'node:path';
import { type Child, startChild } from './child.ts';

const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js');

/** Runs the built command line as a user does. */
export function startExporter(args: readonly string[], env: Record<string, string> = {}): Child {
  return startChild(process.execPath, [main, ...args], { env });
}

/** The demo on a free port, and where its page is. */
export async function startDemo(args: readonly string[] = []): Promise<Child & { url: string }> {
  const child = startExporter(['demo', '--web.listen-address=127.0.0.1:0', ...args]);
  const [, url = ''] = await child.until(/Status page\s+(http:\S+)\//);
  await child.until(/first refresh succeeded.*dataset=checks/);
  return { ...child, url };
}
