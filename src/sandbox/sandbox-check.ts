import type { checkTypes } from '../domain/check.ts';
import type { MonitoredCheck } from './monitored-check.ts';

/** A check of the simulated account. Times are UNIX seconds. */
export interface SandboxCheck extends MonitoredCheck {
  readonly name: string;
  readonly type: (typeof checkTypes)[number];
  readonly hostname: string;
  readonly resolutionMinutes: number;
  readonly created: number;
  readonly ipv6: boolean;
  readonly severity: 'high' | 'low';
  /** Absent for types that cannot be encrypted. */
  readonly encryption?: boolean;
  readonly tags: readonly SandboxTag[];
}

/** API 3.1, section 2.1: 'a' is set by the service, 'u' by a user. */
export interface SandboxTag {
  readonly name: string;
  readonly type: 'a' | 'u';
}
