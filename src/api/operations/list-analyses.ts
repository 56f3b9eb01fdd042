import type { Analysis } from '../../domain/analysis.ts';
import type { CheckPeriod } from '../queries.ts';
import { readList } from '../read-list.ts';
import type { Reader } from '../reader.ts';
import type { Listing } from '../service.ts';
import { analysisList } from '../wire/analysis.ts';
import { periodQuery } from '../wire/period-query.ts';

const operation = 'list_analyses';

/** The default; a maximum is not documented (API 3.1, section 4.3). */
const limit = 100;

/** The root cause analyses of a check in a period, complete or not at all. */
export async function listAnalyses(
  reader: Reader,
  query: CheckPeriod,
  signal: AbortSignal,
): Promise<Listing<Analysis>> {
  const path = `analysis/${query.checkId}`;
  const period = periodQuery(query);
  return readList({ reader, operation, path, query: period, signal, limit, form: analysisList });
}
