import type { WebFiles } from '../../src/http/web-config/load-web-config.ts';
import { WebSecurity } from '../../src/http/web-config/web-security.ts';

/** Files in memory. A file that is set again has changed. */
export class FilesInMemory implements WebFiles {
  readonly #files = new Map<string, { readonly text: string; readonly version: number }>();
  #version = 0;

  put(path: string, text: string): void {
    this.#version += 1;
    this.#files.set(path, { text, version: this.#version });
  }

  read(path: string): string {
    const file = this.#files.get(path);
    if (file === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    return file.text;
  }

  fingerprint(path: string): string {
    return `${this.#files.get(path)?.version}`;
  }
}

/** One user, `alice`, whose password is `U*U`: a test vector of crypt_blowfish. */
export function securityOfAlice(): WebSecurity {
  const files = new FilesInMemory();
  const hash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
  files.put('/etc/web.yml', `basic_auth_users: {alice: ${hash}}`);
  const log = { info: () => undefined, error: () => undefined };
  return new WebSecurity({ path: '/etc/web.yml', files, log });
}
