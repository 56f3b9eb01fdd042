import { hashUnit } from '../lib/hash.ts';
import type { MonitoredCheck } from '../simulation/monitored-check.ts';
import type { checkTypes } from '../vocabulary.ts';
import { Numbered } from './numbered.ts';
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

/** The checks of the account. Their identifiers have gaps, which depend on the seed. */
export function numberedChecks(
  seed: number,
  checks: readonly SandboxCheck[],
): Numbered<SandboxCheck> {
  return new Numbered({
    things: checks,
    firstId: 10_000_001,
    nextId: (lastId) => lastId + 1 + Math.floor(hashUnit(seed, lastId, idSalt) * maxIdGap),
  });
}
