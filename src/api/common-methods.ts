import { getAnalysis } from './operations/get-analysis.ts';
import { getAverage } from './operations/get-average.ts';
import { getCredits } from './operations/get-credits.ts';
import { getHoursOfDay } from './operations/get-hours-of-day.ts';
import { getPerformance } from './operations/get-performance.ts';
import { getReference } from './operations/get-reference.ts';
import { listActions } from './operations/list-actions.ts';
import { listActiveProbes } from './operations/list-active-probes.ts';
import { listAnalyses } from './operations/list-analyses.ts';
import { listOutages } from './operations/list-outages.ts';
import { listProbes } from './operations/list-probes.ts';
import { listResults } from './operations/list-results.ts';
import type { Reader } from './reader.ts';
import type { ServiceOperations } from './service.ts';

/** The operations that every version has in the same form (API 3.1 and API 2.x, section 4). */
export function commonMethods(transport: Reader) {
  return {
    listResults: (query, signal) => listResults(transport, query, signal),
    average: (query, signal) => getAverage(transport, query, signal),
    hoursOfDay: (query, signal) => getHoursOfDay(transport, query, signal),
    listOutages: (query, signal) => listOutages(transport, query, signal),
    performance: (query, signal) => getPerformance(transport, query, signal),
    listActiveProbes: (query, signal) => listActiveProbes(transport, query, signal),
    listAnalyses: (query, signal) => listAnalyses(transport, query, signal),
    analysis: (query, signal) => getAnalysis(transport, query, signal),
    credits: (signal) => getCredits(transport, signal),
    listProbes: (signal) => listProbes(transport, signal),
    reference: (signal) => getReference(transport, signal),
    listActions: (query, signal) => listActions(transport, query, signal),
  } satisfies Partial<ServiceOperations>;
}
