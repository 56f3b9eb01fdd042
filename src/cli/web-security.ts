import { readFileSync, statSync } from 'node:fs';
import type { WebFiles } from '../http/web-config/web-files.ts';
import { WebSecurity } from '../http/web-config/web-security.ts';
import type { Log } from '../lib/log.ts';

const diskFiles: WebFiles = {
  read: (path) => readFileSync(path, 'utf8'),
  fingerprint: (path) => {
    try {
      const { ino, size, mtimeNs } = statSync(path, { bigint: true });
      return `${ino} ${size} ${mtimeNs}`;
    } catch {
      return 'cannot be looked at';
    }
  },
};

/** What the file of `--web.config.file` asks for; throws a `ListenError` when it cannot be used. */
export function webSecurity(
  path: string | undefined,
  log: Log,
): { readonly security?: WebSecurity } {
  return path === undefined ? {} : { security: new WebSecurity({ path, files: diskFiles, log }) };
}
