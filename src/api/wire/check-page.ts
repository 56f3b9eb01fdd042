import { z } from 'zod';
import { arrayIn } from './envelope.ts';
import { integer, number } from './fields.ts';

/** One page of the check list, its entries still as they came. */
export interface CheckPage {
  readonly entries: readonly unknown[];
  /** All checks of the account, if the service says so. The other counts are not to be built upon. */
  readonly total?: number;
}

const withCounts = z.object({ counts: z.object({ total: number }) });

/** API 3.1, section 4.1. Fails with reason `shape`. */
export function decodeCheckPage(reply: unknown, operation: string): CheckPage {
  const entries = arrayIn(reply, 'checks', operation);
  const total = integer(withCounts.safeParse(reply).data?.counts.total);
  return { entries, ...(total === undefined || total < 0 ? {} : { total }) };
}
