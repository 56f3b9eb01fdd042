import type { AnalysisQuery } from '../queries.ts';
import type { Reader } from '../reader.ts';

const operation = 'get_analysis';

/** One root cause analysis, whose form the service does not describe (API 3.1, section 2.3). */
export async function getAnalysis(
  reader: Reader,
  { checkId, analysisId }: AnalysisQuery,
  signal: AbortSignal,
): Promise<unknown> {
  return reader.get({ operation, path: `analysis/${checkId}/${analysisId}`, signal });
}
