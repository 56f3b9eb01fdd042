import type { SandboxCheck } from '../../account/checks.ts';
import { hashUnit } from '../../lib/hash.ts';
import { day } from '../../lib/instant.ts';
import type { TestResult } from '../../simulation/history.ts';
import type { checkTypes, ResultStatus } from '../../vocabulary.ts';

type Type = (typeof checkTypes)[number];

/** The service's description of a result (API 3.1, section 2.8). */
interface StatusDescription {
  readonly statusdesc: string;
  readonly statusdesclong: string;
}

const good = { statusdesc: 'OK', statusdesclong: 'OK' };
const unknown = { statusdesc: 'Unknown', statusdesclong: 'The result of the test is not known' };
const timeout = {
  statusdesc: 'Timeout (> 30s)',
  statusdesclong: 'The target did not answer within 30 seconds',
};
const refused = {
  statusdesc: 'Connection refused',
  statusdesclong: 'The target refused the connection',
};
const unavailable = {
  statusdesc: 'HTTP Error 503',
  statusdesclong: 'HTTP/1.1 503 Service Unavailable',
};
const lookup = {
  statusdesc: 'DNS failure',
  statusdesclong: 'The name server did not give the expected address',
};

const webFailures = [unavailable, timeout, refused];
const portFailures = [refused, timeout];
const failures: Readonly<Record<Type, readonly StatusDescription[]>> = {
  http: webFailures,
  httpcustom: webFailures,
  tcp: portFailures,
  smtp: portFailures,
  pop3: portFailures,
  imap: portFailures,
  ping: [timeout],
  udp: [timeout],
  dns: [lookup, timeout],
};

/** `chance`, in [0, 1), chooses among the ways in which a target of the type fails. */
export function describeStatus(
  type: Type,
  status: ResultStatus,
  chance: number,
): StatusDescription {
  if (status === 'up') return good;
  if (status === 'unknown') return unknown;
  const ways = failures[type];
  return ways[Math.floor(chance * ways.length)] ?? timeout;
}

const failureSalt = 51;

/**
 * A result in the form of the list of raw results (API 3.1, section 2.8). A failed test has no
 * response time.
 */
export function resultEntry(check: SandboxCheck, result: TestResult, analysisid?: number) {
  const { time, status, probeId, responseMilliseconds } = result;
  // A target fails in the same way all day.
  const failure = hashUnit(check.id, Math.floor(time / day), failureSalt);
  // JSON omits undefined fields.
  return {
    probeid: probeId,
    time,
    status,
    responsetime: responseMilliseconds,
    ...describeStatus(check.type, status, failure),
    analysisid,
  };
}
