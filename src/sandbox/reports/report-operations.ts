import type { Operation } from '../operation.ts';
import { listActions } from './list-actions.ts';
import { listAnalyses } from './list-analyses.ts';
import { listResults } from './list-results.ts';
import { readActiveProbes } from './read-active-probes.ts';
import { readAnalysis } from './read-analysis.ts';
import { readAverage } from './read-average.ts';
import { readHoursOfDay } from './read-hours-of-day.ts';
import { readOutages } from './read-outages.ts';
import { readPerformance } from './read-performance.ts';
import { readSingle } from './read-single.ts';
import { readTraceroute } from './read-traceroute.ts';

export const reportOperations: readonly Operation[] = [
  listResults,
  readAverage,
  readHoursOfDay,
  readOutages,
  readPerformance,
  readActiveProbes,
  listAnalyses,
  readAnalysis,
  listActions,
  readSingle,
  readTraceroute,
];
