import { isDeepStrictEqual } from 'node:util';
import type { SloPolicy } from '../../slo/groups.ts';
import type { DroppedValues, LabelSource, OutagePolicy } from '../../slo/outage-policy.ts';
import type { LabelValues } from '../../slo/outages.ts';
import type { Policies } from './policies.ts';

interface LabelledItems {
  readonly size: number;
  /** Changes when items were added or removed, or an entry has changed. */
  readonly entriesVersion: number;
  records(): Iterable<{ readonly entry: LabelSource & { readonly id: number } }>;
}

interface ShownPoliciesOptions {
  readonly policies: Policies;
  readonly checks: LabelledItems;
  readonly transactions: LabelledItems;
}

const noneDropped: DroppedValues = new Map();

/**
 * The policies of one account, with promoted labels as its series have them: a value beyond the
 * limit is empty. The policy of outages is another object when other values are beyond the limit,
 * so that outages end under the labels with which they were shown.
 */
export class ShownPolicies implements Policies {
  readonly #options: ShownPoliciesOptions;
  #of: { readonly policy: OutagePolicy; readonly entries: string } | undefined;
  #dropped = noneDropped;
  #shown: OutagePolicy | undefined;

  constructor(options: ShownPoliciesOptions) {
    this.#options = options;
  }

  get slo(): SloPolicy {
    return this.#options.policies.slo;
  }

  get outages(): OutagePolicy {
    const { policies, checks, transactions } = this.#options;
    const policy = policies.outages;
    if (policy.valueLimit === undefined) return policy;
    const entries = `${checks.entriesVersion} ${transactions.entriesVersion}`;
    const before = this.#of;
    if (this.#shown !== undefined && before?.policy === policy && before.entries === entries) {
      return this.#shown;
    }
    this.#of = { policy, entries };
    const dropped = this.#droppedBy(policy.valueLimit);
    const isSame = before?.policy === policy && isDeepStrictEqual(dropped, this.#dropped);
    if (this.#shown !== undefined && isSame) return this.#shown;
    this.#dropped = dropped;
    this.#shown = {
      ...policy,
      promotedOf: (kind, labels) => withoutDropped(policy.promotedOf(kind, labels), dropped),
    };
    return this.#shown;
  }

  #droppedBy({ values, droppedOf }: NonNullable<OutagePolicy['valueLimit']>): DroppedValues {
    const { checks, transactions } = this.#options;
    if (checks.size + transactions.size <= values) return noneDropped;
    return droppedOf([...entriesById(checks), ...entriesById(transactions)]);
  }
}

function entriesById(items: LabelledItems): LabelSource[] {
  return [...items.records()].map(({ entry }) => entry).sort((a, b) => a.id - b.id);
}

function withoutDropped(
  promoted: LabelValues | undefined,
  dropped: DroppedValues,
): LabelValues | undefined {
  if (promoted === undefined) return undefined;
  const shown = Object.entries(promoted).map(([name, value]) => [
    name,
    dropped.get(name)?.has(value) ? '' : value,
  ]);
  return Object.fromEntries(shown);
}
