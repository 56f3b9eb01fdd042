import type { Random } from '../../src/lib/random.ts';
import { exponential } from './noise.ts';
import { type AccountLimits, ServiceLimits, windowMilliseconds } from './service-limits.ts';

/** A way to poll that ignores the budget. */
export interface Policy {
  readonly what: string;
  readonly everySeconds: number;
  readonly requests: number;
}

export interface NaiveResult extends Policy {
  /** When the first request was refused; absent if none was. */
  readonly firstRefusedSeconds?: number;
  /** When the long window was exhausted; absent if it was not. */
  readonly longGoneSeconds?: number;
  readonly refusedShare: number;
  /** The share of the other client's requests that were refused. */
  readonly othersRefusedShare: number;
}

/**
 * The usual policies of exporters for this API: a request per check and scrape, and a list every
 * ten seconds.
 */
export function naivePolicies(checks: number): readonly Policy[] {
  return [
    { what: '1 + N requests per scrape, every 60 s', everySeconds: 60, requests: 1 + checks },
    { what: 'one list every 10 s', everySeconds: 10, requests: 1 },
  ];
}

export function runNaive(
  policy: Policy,
  limits: AccountLimits,
  othersMeanMilliseconds: number,
  random: Random,
): NaiveResult {
  const service = new ServiceLimits(limits);
  let firstRefused: number | undefined;
  let longGone: number | undefined;
  let [sent, refused, others, othersRefused] = [0, 0, 0, 0];
  let nextOther = exponential(othersMeanMilliseconds, random);
  for (let now = 0; now < windowMilliseconds.long; now += policy.everySeconds * 1000) {
    for (; nextOther <= now; nextOther += exponential(othersMeanMilliseconds, random)) {
      others += 1;
      othersRefused += service.spend(1, nextOther);
    }
    const denied = service.spend(policy.requests, now);
    sent += policy.requests;
    refused += denied;
    if (denied > 0) firstRefused ??= now / 1000;
    if (service.remaining('long') <= 0) longGone ??= now / 1000;
  }
  return {
    ...policy,
    ...(firstRefused !== undefined && { firstRefusedSeconds: firstRefused }),
    ...(longGone !== undefined && { longGoneSeconds: longGone }),
    refusedShare: refused / sent,
    othersRefusedShare: othersRefused / Math.max(1, others),
  };
}
