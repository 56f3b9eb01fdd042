import type { LabelPolicy } from '../exposition/labels/label-policy.ts';
import type { AccountSettings } from './account-settings.ts';
import type { Serving } from './serving.ts';

/** What a configuration file says. */
export interface Configuration {
  /** As far as the file says it; flags come before it, the defaults after it. */
  readonly serving: Partial<Serving>;
  readonly labels: LabelPolicy;
  readonly accounts: readonly AccountSettings[];
  /** What it says, as it may be shown. */
  readonly shown: unknown;
}
