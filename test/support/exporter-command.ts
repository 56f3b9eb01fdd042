import { join } from 'node:path';
import { temporaryFolder } from '../store/support/temporary-folder.ts';
import { type Child, startChild } from './child.ts';

/** The environment of `serve`. */
export const unreadableAccount = {
  UPTIME_API_BASE_URL: 'http://127.0.0.1:9',
  UPTIME_API_TOKEN: 'token-0123456789',
};

const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js');

/** Runs the built command line like a user, or under another program, such as strace. */
export function startExporter(
  args: readonly string[],
  env: Record<string, string> = {},
  under: readonly string[] = [],
): Child {
  const [command = process.execPath, ...rest] = [...under, process.execPath];
  return startChild(command, [...rest, main, ...args], { env });
}

/**
 * Serves an account that cannot be read. It is ready at once, while the demo first reads a history.
 */
export async function startServing(args: readonly string[] = []): Promise<Child> {
  const storage = `--storage.path=${join(await temporaryFolder(), 'data')}`;
  return startExporter(['serve', storage, ...args], unreadableAccount);
}

/**
 * Serves a sandbox account with this many checks, in two processes. Resolves when the list was
 * read.
 */
export async function startServingSandbox(
  args: readonly string[],
): Promise<Child & { url: string }> {
  const { UPTIME_API_TOKEN: token } = unreadableAccount;
  const sandbox = startExporter(['sandbox', '--port=0', `--token=${token}`, ...args]);
  const [, UPTIME_API_BASE_URL = ''] = await sandbox.until(/(http:\/\/127\.0\.0\.1:\d+)/);
  const folder = join(await temporaryFolder(), 'data');
  const child = startExporter(
    ['serve', '--web.listen-address=127.0.0.1:0', `--storage.path=${folder}`],
    { UPTIME_API_BASE_URL, UPTIME_API_TOKEN: token },
  );
  const [, address = ''] = await child.until(/serving metrics.* address=(\S+)/);
  await child.until(/first refresh succeeded.*dataset=checks/);
  return { ...child, url: `http://${address}` };
}

/** Runs the demo. Tests kill it, so its folder is in one that is removed after the test. */
export async function runDemo(...args: readonly string[]): Promise<Child> {
  return startExporter(['demo', ...args], { TMPDIR: await temporaryFolder() });
}

/** The demo on a free port, with the address of its page. */
export async function startDemo(args: readonly string[] = []): Promise<Child & { url: string }> {
  const child = await runDemo('--web.listen-address=127.0.0.1:0', ...args);
  const [, url = ''] = await child.until(/Status page\s+(http:\S+)\//);
  await child.until(/first refresh succeeded.*dataset=checks/);
  return { ...child, url };
}
