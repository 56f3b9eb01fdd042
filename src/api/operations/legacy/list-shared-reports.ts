import type { SharedReport } from '../../../domain/account-reports.ts';
import type { Reader } from '../../reader.ts';
import type { Listing } from '../../service.ts';
import { arrayIn, objectIn } from '../../wire/envelope.ts';
import { decodeList } from '../../wire/keyed-list.ts';
import { sharedReportList } from '../../wire/legacy/shared-report.ts';

const operation = 'list_shared_reports';

/** All banners that show a check elsewhere (API 2.x, section 4.6). Rejects with an `ApiError`. */
export async function listSharedReports(
  reader: Reader,
  signal: AbortSignal,
): Promise<Listing<SharedReport>> {
  const reply = await reader.get({ operation, path: 'reports.shared', signal });
  const entries = arrayIn(objectIn(reply, 'shared', operation), sharedReportList.field, operation);
  return decodeList(entries, { operation, ...sharedReportList });
}
