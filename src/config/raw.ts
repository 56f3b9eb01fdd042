import { isAbsolute } from 'node:path';
import { formatPath, type Path, type Problem } from './problems/problem.ts';

type Mapping = Readonly<Record<string, unknown>>;

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The mapping that stands there; an empty one for anything else, of which the schema tells. */
export function mapping(value: unknown): Mapping {
  return isMapping(value) ? value : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the text of a file, or throws. */
export type ReadFile = (path: string) => string;

/** A file that is there, but that this user may not read; the message says what to change. */
export class ForbiddenFileError extends Error {}

/** Why a file cannot be read: in words, or as the system names it, such as `ENOENT`. */
export function readErrorCode(error: unknown): string {
  if (error instanceof ForbiddenFileError) return error.message;
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
}

export interface AccountFiles {
  readonly readFile: ReadFile;
  /** The path as seen from the folder of the configuration. */
  readonly resolvePath: (path: string) => string;
}

/**
 * The account as it stands in the file, whether or not every setting of it is right, so that all
 * problems are found at once. What is of the wrong kind reads as absent: the schema tells of it.
 */
export class AccountReader {
  readonly #path: Path;
  readonly #raw: Readonly<Record<string, unknown>>;
  readonly #files: AccountFiles;
  readonly #problems: Problem[];

  constructor(
    path: Path,
    raw: Readonly<Record<string, unknown>>,
    files: AccountFiles,
    problems: Problem[],
  ) {
    this.#path = path;
    this.#raw = raw;
    this.#files = files;
    this.#problems = problems;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#raw, key);
  }

  get(key: string): unknown {
    return this.has(key) ? this.#raw[key] : undefined;
  }

  text(key: string): string | undefined {
    const value = this.get(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /**
   * The text of the file that the key names. Its path is not repeated, as it may be a misplaced secret, but
   * where a relative one starts from is told.
   */
  fileText(key: string): string | undefined {
    const path = this.text(key);
    if (path === undefined) return undefined;
    try {
      return this.#files.readFile(this.#files.resolvePath(path));
    } catch (error) {
      const start = isAbsolute(path)
        ? ''
        : `; its path starts from ${this.#files.resolvePath('.')}`;
      this.problem(key, `cannot read the file (${readErrorCode(error)})${start}`);
      return undefined;
    }
  }

  problem(key: string, words: string, at: Problem['at'] = 'value'): void {
    const path = [...this.#path, key];
    this.#problems.push({ path, at, message: `${formatPath(path)}: ${words}` });
  }

  missing(key: string, words: string): void {
    const path = [...this.#path, key];
    this.#problems.push({
      path,
      at: 'value',
      message: `${formatPath(this.#path)}: missing ${words}`,
    });
  }
}
