import { z } from 'zod';
import { type SharedReport, sharedReportTypes } from '../../../domain/account-reports.ts';
import { identifier, text, wordOf } from '../fields.ts';
import { positiveInteger } from '../keyed-list.ts';

/** API 2.x, section 2.5. */
const wireSharedReport = z.object({ checkid: identifier, type: text });

export const sharedReportList = {
  field: 'banners',
  decode: (entry: unknown): SharedReport | undefined => {
    const wire = wireSharedReport.safeParse(entry).data;
    if (wire === undefined) return undefined;
    return { checkId: wire.checkid, type: wordOf(sharedReportTypes, wire.type) };
  },
  needs: { checkid: positiveInteger },
  keyOf: ({ checkId }: SharedReport) => checkId,
  // A check may have several banners, which only their ids tell apart.
  repeats: true,
};
