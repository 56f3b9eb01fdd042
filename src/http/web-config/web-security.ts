import { ListenError } from '../listen-error.ts';
import { FilesRead } from './files-read.ts';
import { loadWebConfig, type WebConfig } from './load-web-config.ts';
import type { WebFiles } from './web-files.ts';

export interface WebSecurityLog {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface WebSecurityOptions {
  /** Of the web configuration file. */
  readonly path: string;
  readonly files: WebFiles;
  readonly log: WebSecurityLog;
}

/** The web configuration as it is now: whoever asks gets what the files say, or the last good one. */
export class WebSecurity {
  readonly #options: WebSecurityOptions;
  /** Of the last attempt, be it good or bad. */
  #filesRead: FilesRead;
  #config: WebConfig;

  /** @throws {ListenError} when the configuration cannot be used */
  constructor(options: WebSecurityOptions) {
    this.#options = options;
    this.#filesRead = new FilesRead(options.files);
    this.#config = loadWebConfig(options.path, this.#filesRead);
  }

  /** The same object as long as no file has changed. */
  get current(): WebConfig {
    if (this.#filesRead.changed) this.#reload();
    return this.#config;
  }

  #reload(): void {
    const { path, files, log } = this.#options;
    this.#filesRead = new FilesRead(files);
    try {
      const next = loadWebConfig(path, this.#filesRead);
      requireSameHandshake(this.#config, next, path);
      this.#config = next;
      log.info({ file: path }, 'web configuration read anew');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ file: path, error: reason }, 'web configuration is bad; the last good one stays');
    }
  }
}

/** What a running server cannot change. */
function requireSameHandshake(former: WebConfig, next: WebConfig, path: string): void {
  if (former.tls?.clientAuth === next.tls?.clientAuth) return;
  throw new ListenError(
    `${path}: switching TLS on or off, or changing client_auth_type, needs a restart`,
  );
}
