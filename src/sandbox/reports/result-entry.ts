import { hashUnit } from '../../lib/random.ts';
import type { TestResult } from '../history.ts';
import type { SandboxCheck } from '../sandbox-check.ts';
import { day } from './spans-of-time.ts';
import { describeStatus } from './status-description.ts';

const failureSalt = 51;

/** A result as the list of raw results shows it (API 3.1, section 2.8). A test that failed has no response time. */
export function resultEntry(check: SandboxCheck, result: TestResult, analysisid?: number) {
  const { time, status, probeId, responseMilliseconds } = result;
  // A target fails in one way all day.
  const failure = hashUnit(check.id, Math.floor(time / day), failureSalt);
  // JSON leaves out what is undefined.
  return {
    probeid: probeId,
    time,
    status,
    responsetime: responseMilliseconds,
    ...describeStatus(check.type, status, failure),
    analysisid,
  };
}
