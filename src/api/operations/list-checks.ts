import type { Check } from '../../domain/check.ts';
import { readList } from '../read-list.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { decodeCheck } from '../wire/check.ts';
import { decodeCheckPage } from '../wire/check-page.ts';
import { byId } from '../wire/keyed-list.ts';

const operation = 'list_checks';

/** The most that one page may hold (API 3.1, sections 4.1 and 8). */
const limit = 25_000;

/**
 * All checks of the account, read page by page, complete or not at all (API 3.1, section 4.1). Version
 * 2.0 does not know `include_severity`.
 *
 * Rejects with an `ApiError`; reason `inconsistent` when the list changed between two pages.
 */
export async function listChecks(
  reader: Reader,
  signal: AbortSignal,
  query: Readonly<Record<string, boolean>> = { include_tags: true, include_severity: true },
): Promise<Listing<Check>> {
  const form = { field: 'checks', decode: decodeCheck, ...byId };
  const pageIn = (reply: unknown) => decodeCheckPage(reply, operation);
  return readList({ reader, operation, path: 'checks', query, signal, limit, form, pageIn });
}
