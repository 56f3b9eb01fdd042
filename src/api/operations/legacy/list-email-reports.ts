import type { EmailReport } from '../../../domain/account-reports.ts';
import type { Reader } from '../../reader.ts';
import type { Listing } from '../../service.ts';
import { arrayIn } from '../../wire/envelope.ts';
import { decodeList } from '../../wire/keyed-list.ts';
import { emailReportList } from '../../wire/legacy/email-report.ts';

const operation = 'list_email_reports';

/** All subscriptions to reports by e-mail (API 2.x, section 4.6). Rejects with an `ApiError`. */
export async function listEmailReports(
  reader: Reader,
  signal: AbortSignal,
): Promise<Listing<EmailReport>> {
  const reply = await reader.get({ operation, path: 'reports.email', signal });
  const entries = arrayIn(reply, emailReportList.field, operation);
  return decodeList(entries, { operation, ...emailReportList });
}
