import { ListenError } from '../listen-error.ts';
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
  #config: WebConfig;
  #fingerprint: string;

  /** @throws {ListenError} when the configuration cannot be used */
  constructor(options: WebSecurityOptions) {
    const { path, files } = options;
    this.#options = options;
    // The fingerprint comes first: what changes while it is read is read again.
    const before = loadWebConfig(path, files);
    this.#fingerprint = this.#look(before);
    this.#config = loadWebConfig(path, files);
  }

  /** The same object as long as no file has changed. */
  get current(): WebConfig {
    const fingerprint = this.#look(this.#config);
    if (fingerprint !== this.#fingerprint) {
      this.#fingerprint = fingerprint;
      this.#reload();
    }
    return this.#config;
  }

  #look({ files }: WebConfig): string {
    return files.map((path) => this.#options.files.fingerprint(path)).join('\n');
  }

  #reload(): void {
    const { path, files, log } = this.#options;
    try {
      const next = loadWebConfig(path, files);
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
