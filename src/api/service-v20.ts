import { createDialect } from './dialect.ts';
import { legacyMethods } from './legacy-methods.ts';
import { getCheck } from './operations/get-check.ts';
import { listLegacyContacts } from './operations/legacy/list-contacts.ts';
import { listChecks } from './operations/list-checks.ts';
import type { Reader } from './reader.ts';
import type { MonitoringService } from './service.ts';

export interface ServiceV20Options {
  /** Reads below `/api/2.0`. */
  readonly transport: Reader;
}

/** The service in its version 2.0, which knows neither severities nor teams (API 2.x, section 9). */
export function createServiceV20({ transport }: ServiceV20Options): MonitoringService {
  return createDialect({
    version: '2.0',
    baseUrl: transport.baseUrl,
    methods: {
      ...legacyMethods(transport),
      listChecks: (signal) => listChecks(transport, signal, { include_tags: true }),
      check: (query, signal) => getCheck(transport, query, signal, {}),
      listContacts: (signal) => listLegacyContacts(transport, signal),
    },
  });
}
