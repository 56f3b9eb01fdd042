import { getCredits } from './operations/get-credits.ts';
import { listChecks } from './operations/list-checks.ts';
import type { Reader } from './reader.ts';
import type { MonitoringService } from './service.ts';

export interface ServiceOptions {
  /** Reads below `/api/3.1`. */
  readonly transport: Reader;
}

/** The service in its version 3.1. */
export function createServiceV31({ transport }: ServiceOptions): MonitoringService {
  return {
    version: '3.1',
    baseUrl: transport.baseUrl,
    listChecks: (signal) => listChecks(transport, signal),
    credits: (signal) => getCredits(transport, signal),
  };
}
