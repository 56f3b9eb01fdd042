import { readFileSync, statSync } from 'node:fs';
import type { WebFiles } from '../http/web-config/load-web-config.ts';
import { WebSecurity } from '../http/web-config/web-security.ts';
import type { Log } from '../lib/log.ts';
import { orUndefined } from '../lib/or-undefined.ts';

const diskFiles: WebFiles = {
  read: (path) => readFileSync(path, 'utf8'),
  fingerprint: (path) => {
    const stats = orUndefined(() => statSync(path, { bigint: true }));
    return stats === undefined ? 'unreadable' : `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
  },
};

/**
 * Loads the file of `--web.config.file`, if there is one; throws a `ListenError` when it is invalid.
 */
export function createWebSecurity(path: string | undefined, log: Log): WebSecurity | undefined {
  return path === undefined ? undefined : new WebSecurity({ path, files: diskFiles, log });
}
