import { messageOf } from '../../lib/error-text.ts';
import { ListenError } from '../server/listen-address.ts';
import { loadWebConfig, type WebConfig, type WebFiles } from './load-web-config.ts';

/** The files that one load requested, present or not. Shows whether they have changed since. */
class TrackedFiles {
  readonly #files: WebFiles;
  readonly #fingerprints = new Map<string, string>();

  constructor(files: WebFiles) {
    this.#files = files;
  }

  /** Returns the text of a file; throws when it cannot be read. */
  read(path: string): string {
    // The fingerprint comes first, so that a change during the read counts as a change.
    const fingerprint = this.#files.fingerprint(path);
    if (!this.#fingerprints.has(path)) this.#fingerprints.set(path, fingerprint);
    return this.#files.read(path);
  }

  get changed(): boolean {
    return [...this.#fingerprints].some(
      ([path, fingerprint]) => this.#files.fingerprint(path) !== fingerprint,
    );
  }
}

interface WebSecurityLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

interface WebSecurityOptions {
  /** The path of the web configuration file. */
  readonly path: string;
  readonly files: WebFiles;
  readonly log: WebSecurityLog;
}

/** The current web configuration: from the files, or the last valid one. */
export class WebSecurity {
  readonly #options: WebSecurityOptions;
  /** The files of the last load, successful or not. */
  #files: TrackedFiles;
  #config: WebConfig;

  /** @throws {ListenError} if the configuration cannot be used */
  constructor(options: WebSecurityOptions) {
    this.#options = options;
    this.#files = new TrackedFiles(options.files);
    this.#config = loadWebConfig(options.path, this.#files);
  }

  /** Returns the same object until a file changes. */
  get current(): WebConfig {
    if (this.#files.changed) this.#reload();
    return this.#config;
  }

  #reload(): void {
    const { path, files, log } = this.#options;
    this.#files = new TrackedFiles(files);
    try {
      const next = loadWebConfig(path, this.#files);
      requireSameHandshake(this.#config, next, path);
      requireUsers(this.#config, next, path);
      this.#config = next;
      log.info({ file: path }, 'web configuration reloaded');
    } catch (error) {
      const reason = messageOf(error);
      log.error(
        { file: path, error: reason },
        'web configuration reload failed; keeping the last valid one',
      );
    }
  }
}

/** Throws a `ListenError` if the new file changes a setting that a running server cannot change. */
function requireSameHandshake(former: WebConfig, next: WebConfig, path: string): void {
  if (former.tls?.clientAuth === next.tls?.clientAuth) return;
  throw new ListenError(
    `${path}: switching TLS on or off, or changing client_auth_type, needs a restart`,
  );
}

/** Throws a `ListenError` if all users are gone: a file that is being written is empty for a while. */
function requireUsers(former: WebConfig, next: WebConfig, path: string): void {
  if (former.users.size === 0 || next.users.size > 0) return;
  throw new ListenError(
    `${path}: it has no users any more; serving everybody without a password needs a restart`,
  );
}
