import { z } from 'zod';
import type { Page } from '../read-pages.ts';
import { arrayIn } from './envelope.ts';
import { integer, number } from './fields.ts';

const withCounts = z.object({ counts: z.object({ total: number }) });

/**
 * API 3.1, section 4.1. The total counts all checks of the account; the other counts are not to be built
 * upon. Fails with reason `shape`.
 */
export function decodeCheckPage(reply: unknown, operation: string): Page {
  const entries = arrayIn(reply, 'checks', operation);
  const total = integer(withCounts.safeParse(reply).data?.counts.total);
  return { entries, ...(total === undefined || total < 0 ? {} : { total }) };
}
