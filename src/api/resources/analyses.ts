import { z } from 'zod';
import type { Analysis } from '../../domain/results.ts';
import { identifier, number, timestamp } from '../decoding/fields.ts';
import { byId, decodedBy, readList } from '../list.ts';
import { type CheckTimeRange, type Reader, timeRangeParameters } from '../reader.ts';
import type { Listing } from '../service.ts';

/** API 3.1, section 2.3. */
const wireAnalysis = z.object({ id: identifier, timefirsttest: number, timeconfirmtest: number });

const analysisList = {
  field: 'analysis',
  decode: decodedBy(wireAnalysis, (wire) => ({
    id: wire.id,
    firstTestAtSeconds: timestamp(wire.timefirsttest),
    confirmTestAtSeconds: timestamp(wire.timeconfirmtest),
  })),
  ...byId,
};

const operation = 'list_analyses';

/** The default; a maximum is not documented (API 3.1, section 4.3). */
const limit = 100;

/** The complete list of root cause analyses of a check in a period. */
export async function listAnalyses(
  reader: Reader,
  query: CheckTimeRange,
  signal: AbortSignal,
): Promise<Listing<Analysis>> {
  const path = `analysis/${query.checkId}`;
  const period = timeRangeParameters(query);
  const request = { operation, path, query: period, signal };
  return readList({ ...request, reader, limit, form: analysisList });
}
