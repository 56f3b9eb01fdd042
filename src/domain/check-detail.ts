import type { Check } from './check.ts';

export const recipientKinds = ['user', 'team', 'integration', 'contact'] as const;

/** Who can be told when a check or a transaction fails. */
export type RecipientKind = (typeof recipientKinds)[number];

/** How many of each kind are told. A kind the service did not speak of is absent. */
export type RecipientCounts = { readonly [K in RecipientKind]?: number };

/**
 * The settings of one check (API 3.1, section 2.1). Credentials, headers, bodies, messages and paths
 * that the service answers with are left unread.
 */
export interface CheckDetail extends Check {
  /** A response that takes longer counts as down. */
  readonly responseTimeThresholdSeconds?: number;
  /** The target counts as down when its certificate expires within this time. Absent where certificates are not verified. */
  readonly certificateWarningSeconds?: number;
  readonly verifiesCertificate?: boolean;
  readonly encrypted?: boolean;
  readonly recipients: RecipientCounts;
}
