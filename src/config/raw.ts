import { isAbsolute } from 'node:path';
import { readProblem } from '../lib/file-problem.ts';
import { formatPath } from '../lib/schema-problems.ts';
import type { Path, Problem } from '../lib/yaml-source.ts';

type Mapping = Readonly<Record<string, unknown>>;

export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is a mapping, otherwise {}; the schema reports the problem. */
export function mapping(value: unknown): Mapping {
  return isMapping(value) ? value : {};
}

export function rawList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the text of a file; throws when it cannot be read. */
export type ReadText = (path: string) => string;

/** Matches a short word, or a path with folders. A misplaced token or password does not match. */
function isClearlyPath(text: string): boolean {
  return /^(?:[a-z]{1,8}|[\w-]{1,32}\.(?:pem|crt|cer|txt)|\.{0,2}(?:\/[\w.@-]{1,32})+|[a-z.-]{1,24}(?:\/[a-z.-]{1,24})+)$/.test(
    text,
  );
}

export interface AccountFiles {
  /** Undefined when files are not read. Settings that name a file then have no value. */
  readonly readText: ReadText | undefined;
  /** Makes a path absolute, relative to the source of the account. */
  readonly resolvePath: (path: string) => string;
}

/** How messages name the settings of an account: by the keys of the file, or by variables. */
export interface SettingNames {
  /** The path of the account, for line and column. */
  readonly path: Path;
  /** The name of a setting within a sentence. */
  short(key: string): string;
  /** The name of a setting at the start of a message. */
  full(key: string): string;
  /** A message about missing settings; any one of them is enough. */
  missing(keys: readonly string[]): string;
}

/** Names settings by the keys of the file. */
export function keyNames(path: Path): SettingNames {
  return {
    path,
    short: (key) => key,
    full: (key) => formatPath([...path, key]),
    missing: (keys) => `${formatPath(path)}: missing ${keys.join(' or ')}`,
  };
}

/**
 * The settings of an account, from the file or from variables, valid or not, so that all problems
 * are found at once. A value of the wrong type is read as absent; the schema reports it.
 */
export class AccountReader {
  /** The account as it is written in the file, or as the variables describe it. */
  readonly raw: Mapping;
  readonly #names: SettingNames;
  readonly #files: AccountFiles;
  readonly #problems: Problem[];

  constructor(raw: Mapping, names: SettingNames, files: AccountFiles, problems: Problem[]) {
    this.raw = raw;
    this.#names = names;
    this.#files = files;
    this.#problems = problems;
  }

  has(key: string): boolean {
    return Object.hasOwn(this.raw, key);
  }

  get(key: string): unknown {
    return this.has(key) ? this.raw[key] : undefined;
  }

  text(key: string): string | undefined {
    const value = this.get(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** Returns the text of the key's file. Messages repeat only what looks like a path. */
  fileText(key: string): string | undefined {
    const path = this.text(key);
    const { readText } = this.#files;
    if (path === undefined || readText === undefined) return undefined;
    const resolved = this.#files.resolvePath(path);
    try {
      return readText(resolved);
    } catch (error) {
      const folder = isAbsolute(path) ? '' : ` in ${this.#files.resolvePath('.')}`;
      const hidden = `the file${folder} (not named here, as it may be a secret instead of a path)`;
      const name = isClearlyPath(path) ? resolved : hidden;
      this.problem(key, `cannot read ${name}: ${readProblem(resolved, error)}`);
      return undefined;
    }
  }

  get readsFiles(): boolean {
    return this.#files.readText !== undefined;
  }

  /** The name of a setting within a sentence. */
  nameOf(key: string): string {
    return this.#names.short(key);
  }

  problem(key: string, message: string, at: Problem['at'] = 'value'): void {
    this.#add(key, `${this.#names.full(key)}: ${message}`, at);
  }

  /** Reports that none of the keys is set although one is required. */
  missing(...keys: readonly [string, ...string[]]): void {
    this.#add(keys[0], this.#names.missing(keys), 'value');
  }

  #add(key: string, message: string, at: Problem['at']): void {
    this.#problems.push({ path: [...this.#names.path, key], at, message });
  }
}
