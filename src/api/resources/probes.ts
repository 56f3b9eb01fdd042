import { z } from 'zod';
import type { Probe } from '../../domain/results.ts';
import { booleanOf, flag, identifier, text, visibleText } from '../decoding/fields.ts';
import { byId, decodedBy, positiveInteger, readWhole } from '../list.ts';
import { type CheckTimeRange, type Reader, timeRangeParameters } from '../reader.ts';
import type { Listing } from '../service.ts';

/** API 3.1, section 2.6. */
const wireProbe = z.object({
  id: identifier,
  name: text,
  country: text,
  countryiso: text,
  city: text,
  region: text,
  active: flag,
});

const probeList = {
  field: 'probes',
  decode: decodedBy(wireProbe, (wire) => ({
    id: wire.id,
    name: visibleText(wire.name) ?? `probe ${wire.id}`,
    country: visibleText(wire.country),
    countryIso: visibleText(wire.countryiso),
    city: visibleText(wire.city),
    region: visibleText(wire.region),
    active: booleanOf(wire.active),
  })),
  ...byId,
};

/** A list that has only ids. */
const probeIdList = {
  field: 'probes',
  decode: (entry: unknown) => identifier.safeParse(entry).data,
  requiredFields: { id: positiveInteger },
  keyOf: (id: number) => id,
};

/** All probes. Without a limit, they are in a single result page (API 3.1, section 4.3). */
export function listProbes(reader: Reader, signal: AbortSignal): Promise<Listing<Probe>> {
  return readWhole(reader, probeList, { operation: 'list_probes', path: 'probes', signal });
}

/** Ids of the probes that tested a check in a period (API 3.1, section 4.4). */
export function listActiveProbes(
  reader: Reader,
  query: CheckTimeRange,
  signal: AbortSignal,
): Promise<Listing<number>> {
  return readWhole(reader, probeIdList, {
    operation: 'list_active_probes',
    path: `summary.probes/${query.checkId}`,
    query: timeRangeParameters(query),
    signal,
  });
}
