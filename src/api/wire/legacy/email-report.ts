import { z } from 'zod';
import { type EmailReport, reportFrequencies } from '../../../domain/account-reports.ts';
import { present } from '../../../lib/present.ts';
import { identifier, text, wordOf } from '../fields.ts';
import { byId } from '../keyed-list.ts';

/** API 2.x, section 2.5. */
const wireEmailReport = z.object({
  id: identifier,
  frequency: text,
  checkid: identifier.optional().catch(undefined),
});

export const emailReportList = {
  field: 'subscriptions',
  decode: (entry: unknown): EmailReport | undefined => {
    const wire = wireEmailReport.safeParse(entry).data;
    if (wire === undefined) return undefined;
    return present({
      id: wire.id,
      frequency: wordOf(reportFrequencies, wire.frequency),
      checkId: wire.checkid,
    });
  },
  ...byId,
};
