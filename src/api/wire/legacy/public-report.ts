import { z } from 'zod';
import type { PublicReport } from '../../../domain/account-reports.ts';
import { identifier } from '../fields.ts';
import { positiveInteger } from '../keyed-list.ts';

/** API 2.x, section 2.5. */
const wirePublicReport = z.object({ checkid: identifier });

export const publicReportList = {
  field: 'public',
  decode: (entry: unknown): PublicReport | undefined => {
    const wire = wirePublicReport.safeParse(entry).data;
    return wire && { checkId: wire.checkid };
  },
  needs: { checkid: positiveInteger },
  keyOf: ({ checkId }: PublicReport) => checkId,
};
