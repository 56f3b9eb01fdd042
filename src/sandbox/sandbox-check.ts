import type { checkTypes } from '../domain/check.ts';
import type { CheckSettings } from './checks/setting-field.ts';
import type { MonitoredCheck } from './monitored-check.ts';

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
  /** What a client can set besides, by the names of the parameters. What is not set is absent. */
  readonly settings: CheckSettings;
}

/** API 3.1, section 2.1: 'a' is set by the service, 'u' by a user. */
export interface SandboxTag {
  readonly name: string;
  readonly type: 'a' | 'u';
}
