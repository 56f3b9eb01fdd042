import type { WebFiles } from './web-files.ts';

/** The files that one attempt asked for, whether they were there or not, and whether they have changed since. */
export class FilesRead {
  readonly #files: WebFiles;
  readonly #fingerprints = new Map<string, string>();

  constructor(files: WebFiles) {
    this.#files = files;
  }

  /** The text of a file; throws when it cannot be read. */
  read(path: string): string {
    // The fingerprint comes first: what changes while it is read counts as changed.
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
