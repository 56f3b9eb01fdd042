import { hashUnit } from '../lib/hash.ts';
import type { MonitoredCheck } from '../simulation/monitored-check.ts';
import type { checkTypes } from '../vocabulary.ts';
import type { SettingValues } from './setting-field.ts';

export type SandboxCheckType = (typeof checkTypes)[number];

/** A check of the simulated account. Times are UNIX seconds. */
export interface SandboxCheck extends MonitoredCheck {
  readonly name: string;
  readonly type: SandboxCheckType;
  readonly hostname: string;
  readonly resolutionMinutes: number;
  readonly created: number;
  readonly ipv6: boolean;
  readonly severity: 'high' | 'low';
  readonly tags: readonly SandboxTag[];
  /** The other settings by the names of their parameters. A setting that is not set is absent. */
  readonly settings: SettingValues;
}

/** API 3.1, section 2.1: 'a' is set by the service, 'u' by a user. */
export interface SandboxTag {
  readonly name: string;
  readonly type: 'a' | 'u';
}

const maxIdGap = 700;
const idSalt = 51;

interface CheckRegistryOptions {
  readonly seed: number;
  /** The initial checks of the account, in order of their identifiers. */
  readonly checks: readonly SandboxCheck[];
}

/** The current checks of the account: the initial ones with the changes that clients wrote. */
export class CheckRegistry {
  readonly #seed: number;
  /** In order of the identifiers, because a new identifier is larger than all before it. */
  readonly #byId: Map<number, SandboxCheck>;
  readonly #tagCounts = new Map<string, number>();
  #lastId: number;
  #listed: readonly SandboxCheck[] | undefined;

  constructor({ seed, checks }: CheckRegistryOptions) {
    this.#seed = seed;
    this.#byId = new Map(checks.map((check) => [check.id, check]));
    this.#lastId = checks.at(-1)?.id ?? 10_000_000;
    for (const check of checks) this.#countTags(check, 1);
  }

  /** All checks, in order of their identifiers. */
  get all(): readonly SandboxCheck[] {
    this.#listed ??= [...this.#byId.values()];
    return this.#listed;
  }

  get(id: number): SandboxCheck | undefined {
    return this.#byId.get(id);
  }

  /** The number of checks that have the tag. */
  tagCount(name: string): number {
    return this.#tagCounts.get(name) ?? 0;
  }

  /** An identifier that no check has or had. */
  newId(): number {
    this.#lastId += 1 + Math.floor(hashUnit(this.#seed, this.#lastId, idSalt) * maxIdGap);
    return this.#lastId;
  }

  /** Adds a check with an identifier from `newId`, or replaces the check with this identifier. */
  put(check: SandboxCheck): void {
    const before = this.#byId.get(check.id);
    if (before !== undefined) this.#countTags(before, -1);
    this.#byId.set(check.id, check);
    this.#countTags(check, 1);
    this.#listed = undefined;
  }

  remove(id: number): void {
    const before = this.#byId.get(id);
    if (before === undefined) return;
    this.#byId.delete(id);
    this.#countTags(before, -1);
    this.#listed = undefined;
  }

  #countTags({ tags }: SandboxCheck, step: 1 | -1): void {
    for (const { name } of tags) this.#tagCounts.set(name, this.tagCount(name) + step);
  }
}
