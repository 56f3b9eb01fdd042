import type { PublicReport } from '../../../domain/account-reports.ts';
import type { Reader } from '../../reader.ts';
import type { Listing } from '../../service.ts';
import { arrayIn } from '../../wire/envelope.ts';
import { decodeList } from '../../wire/keyed-list.ts';
import { publicReportList } from '../../wire/legacy/public-report.ts';

const operation = 'list_public_reports';

/** All checks whose report anyone can read (API 2.x, section 4.6). Rejects with an `ApiError`. */
export async function listPublicReports(
  reader: Reader,
  signal: AbortSignal,
): Promise<Listing<PublicReport>> {
  const reply = await reader.get({ operation, path: 'reports.public', signal });
  const entries = arrayIn(reply, publicReportList.field, operation);
  return decodeList(entries, { operation, ...publicReportList });
}
