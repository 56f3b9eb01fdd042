import type { Check } from '../../domain/check.ts';
import { ApiError, type ApiErrorReason } from '../errors.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { decodeCheck } from '../wire/check.ts';
import { type CheckPage, decodeCheckPage } from '../wire/check-page.ts';
import { IdentifiedList } from '../wire/identified-list.ts';

const operation = 'list_checks';

/** The most that one page may hold (API 3.1, sections 4.1 and 8). */
const pageLimit = 25_000;

/**
 * All checks of the account, read page by page, complete or not at all (API 3.1, section 4.1).
 *
 * Rejects with an `ApiError`; reason `inconsistent` when the list changed between two pages.
 */
export async function listChecks(reader: Reader, signal: AbortSignal): Promise<Listing<Check>> {
  const list = new IdentifiedList({ operation, field: 'checks', decode: decodeCheck });
  let first: CheckPage | undefined;
  for (;;) {
    const page = await readPage(reader, signal, list.entries);
    first ??= page;
    if (page.total !== first.total) {
      throw fail('inconsistent', 'the total changed while the list was read');
    }
    list.addPage(page.entries);
    if (isLast(page, list.entries)) return { items: list.items, rejected: list.rejected };
    if (page.entries.length === 0) {
      throw page === first
        ? fail('shape', `checks is empty although the total is ${page.total}`)
        : fail('inconsistent', `the list ended before its total of ${page.total}`);
    }
  }
}

async function readPage(reader: Reader, signal: AbortSignal, offset: number): Promise<CheckPage> {
  const query = { include_tags: true, include_severity: true, limit: pageLimit, offset };
  return decodeCheckPage(await reader.get({ operation, path: 'checks', query, signal }), operation);
}

/** Without a total, a full page means that there may be more. */
function isLast(page: CheckPage, entriesRead: number): boolean {
  if (page.total !== undefined) return entriesRead >= page.total;
  return page.entries.length < pageLimit;
}

function fail(reason: ApiErrorReason, message: string): ApiError {
  return new ApiError({ reason, operation, message });
}
