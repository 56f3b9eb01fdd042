import { z } from 'zod';
import {
  type EmailReport,
  type PublicReport,
  reportFrequencies,
  type SharedReport,
  sharedReportTypes,
} from '../../domain/account.ts';
import { enumValueOf, identifier, text } from '../decoding/fields.ts';
import { byId, decodedBy, positiveInteger, readWhole } from '../list.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';

/** API 2.x, section 2.5. */
const wireEmailReport = z.object({
  id: identifier,
  frequency: text,
  checkid: identifier.optional().catch(undefined),
});

export const emailReportList = {
  field: 'subscriptions',
  decode: decodedBy(wireEmailReport, (wire) => ({
    id: wire.id,
    frequency: enumValueOf(reportFrequencies, wire.frequency),
    checkId: wire.checkid,
  })),
  ...byId,
};

/** All subscriptions to reports by e-mail (API 2.x, section 4.6). Rejects with an `ApiError`. */
export function listEmailReports(
  reader: Reader,
  signal: AbortSignal,
): Promise<Listing<EmailReport>> {
  const operation = 'list_email_reports';
  return readWhole(reader, emailReportList, { operation, path: 'reports.email', signal });
}

/** API 2.x, section 2.5. */
const wirePublicReport = z.object({ checkid: identifier });

export const publicReportList = {
  field: 'public',
  decode: decodedBy(wirePublicReport, (wire) => ({ checkId: wire.checkid })),
  requiredFields: { checkid: positiveInteger },
  keyOf: ({ checkId }: PublicReport) => checkId,
};

/** The checks whose report is public (API 2.x, section 4.6). Rejects with an `ApiError`. */
export function listPublicReports(
  reader: Reader,
  signal: AbortSignal,
): Promise<Listing<PublicReport>> {
  const operation = 'list_public_reports';
  return readWhole(reader, publicReportList, { operation, path: 'reports.public', signal });
}

/** API 2.x, section 2.5. */
const wireSharedReport = z.object({ checkid: identifier, type: text });

export const sharedReportList = {
  field: 'banners',
  decode: decodedBy(wireSharedReport, (wire) => ({
    checkId: wire.checkid,
    type: enumValueOf(sharedReportTypes, wire.type),
  })),
  requiredFields: { checkid: positiveInteger },
  keyOf: ({ checkId }: SharedReport) => checkId,
  // A check may have several banners, which differ only by id.
  allowDuplicates: true,
};

/** All banners that show a check on other sites (API 2.x, section 4.6). */
export function listSharedReports(
  reader: Reader,
  signal: AbortSignal,
): Promise<Listing<SharedReport>> {
  const request = { operation: 'list_shared_reports', path: 'reports.shared', signal };
  return readWhole(reader, sharedReportList, request, 'shared');
}
