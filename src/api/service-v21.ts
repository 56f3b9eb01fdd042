import { createDialect } from './dialect.ts';
import { legacyMethods } from './legacy-methods.ts';
import { getCheck } from './operations/get-check.ts';
import { listLegacyTeams } from './operations/legacy/list-teams.ts';
import { listUsers } from './operations/legacy/list-users.ts';
import { listChecks } from './operations/list-checks.ts';
import { listMaintenance } from './operations/list-maintenance.ts';
import type { Reader } from './reader.ts';
import type { MonitoringService } from './service.ts';

export interface ServiceV21Options {
  /** Reads below `/api/2.1`. */
  readonly transport: Reader;
}

/** The service in its version 2.1. */
export function createServiceV21({ transport }: ServiceV21Options): MonitoringService {
  return createDialect({
    version: '2.1',
    baseUrl: transport.baseUrl,
    methods: {
      ...legacyMethods(transport),
      listChecks: (signal) => listChecks(transport, signal),
      check: (query, signal) => getCheck(transport, query, signal),
      listContacts: (signal) => listUsers(transport, signal),
      listMaintenance: (signal) => listMaintenance(transport, signal),
      listTeams: (signal) => listLegacyTeams(transport, signal),
    },
  });
}
