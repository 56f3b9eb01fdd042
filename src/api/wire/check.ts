import { z } from 'zod';
import {
  type Check,
  type CheckStatus,
  type CheckType,
  checkStatuses,
  checkTypes,
} from '../../domain/check.ts';
import { present } from '../../lib/present.ts';
import { decodeCheckTags } from './check-tags.ts';
import { isObject } from './envelope.ts';
import {
  flag,
  identifier,
  milliseconds,
  minutes,
  number,
  text,
  timestamp,
  truth,
  wellFormed,
} from './fields.ts';

/** An entry of the check list (API 3.1, section 2.1; API 2.x, section 2.1). */
const wireCheck = z.object({
  id: identifier,
  name: text,
  type: z.unknown().optional(),
  status: text,
  hostname: text,
  severity: text,
  severity_level: text,
  ipv6: flag,
  tags: z.unknown().optional(),
  resolution: number,
  created: number,
  lasttesttime: number,
  lasterrortime: number,
  lastdownstart: number,
  lastdownend: number,
  lastresponsetime: number,
});

/** A check, or undefined when the entry is not one: it needs no more than a valid id. */
export function decodeCheck(entry: unknown): Check | undefined {
  const wire = wireCheck.safeParse(entry).data;
  if (wire === undefined) return undefined;
  const hostname = wellFormed(wire.hostname);
  return present({
    id: wire.id,
    name: wellFormed(wire.name) ?? hostname ?? `check ${wire.id}`,
    type: typeOf(wire.type),
    status: statusOf(wire.status),
    tags: decodeCheckTags(wire.tags),
    hostname,
    severity: wellFormed(wire.severity) ?? wellFormed(wire.severity_level),
    ipv6: truth(wire.ipv6),
    resolutionSeconds: minutes(wire.resolution),
    createdAtSeconds: timestamp(wire.created),
    lastTestAtSeconds: timestamp(wire.lasttesttime),
    lastErrorAtSeconds: timestamp(wire.lasterrortime),
    lastDownStartAtSeconds: timestamp(wire.lastdownstart),
    lastDownEndAtSeconds: timestamp(wire.lastdownend),
    lastResponseTimeSeconds: milliseconds(wire.lastresponsetime),
  });
}

/** A word in the list; in the detail an object whose one key is the word. */
function typeOf(value: unknown): CheckType {
  const word = isObject(value) ? Object.keys(value)[0] : value;
  return checkTypes.find((type) => type === word) ?? 'unknown';
}

function statusOf(value: unknown): CheckStatus {
  return checkStatuses.find((status) => status === value) ?? 'unknown';
}
