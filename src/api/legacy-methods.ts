import { commonMethods } from './common-methods.ts';
import { getServerTime } from './operations/legacy/get-server-time.ts';
import { getSettings } from './operations/legacy/get-settings.ts';
import { listEmailReports } from './operations/legacy/list-email-reports.ts';
import { listPublicReports } from './operations/legacy/list-public-reports.ts';
import { listSharedReports } from './operations/legacy/list-shared-reports.ts';
import type { Reader } from './reader.ts';
import type { ServiceOperations } from './service.ts';

/** The operations that versions 2.0 and 2.1 have in the same form (API 2.x, section 4). */
export function legacyMethods(transport: Reader) {
  return {
    ...commonMethods(transport),
    serverTime: (signal) => getServerTime(transport, signal),
    settings: (signal) => getSettings(transport, signal),
    listEmailReports: (signal) => listEmailReports(transport, signal),
    listPublicReports: (signal) => listPublicReports(transport, signal),
    listSharedReports: (signal) => listSharedReports(transport, signal),
  } satisfies Partial<ServiceOperations>;
}
