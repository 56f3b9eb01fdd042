import { z } from 'zod';
import type { Probe } from '../../domain/results.ts';
import { present } from '../../lib/present.ts';
import { arrayIn } from '../decoding/envelope.ts';
import { booleanOf, flag, identifier, nonEmptyText, text } from '../decoding/fields.ts';
import { byId, decodeList, positiveInteger } from '../list.ts';
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
  decode: (entry: unknown): Probe | undefined => {
    const wire = wireProbe.safeParse(entry).data;
    if (wire === undefined) return undefined;
    return present({
      id: wire.id,
      name: nonEmptyText(wire.name) ?? `probe ${wire.id}`,
      country: nonEmptyText(wire.country),
      countryIso: nonEmptyText(wire.countryiso),
      city: nonEmptyText(wire.city),
      region: nonEmptyText(wire.region),
      active: booleanOf(wire.active),
    });
  },
  ...byId,
};

/** A list that has only ids. */
const probeIdList = {
  field: 'probes',
  decode: (entry: unknown) => identifier.safeParse(entry).data,
  requiredFields: { id: positiveInteger },
  keyOf: (id: number) => id,
};

const listProbesOperation = 'list_probes';

/** All probes. Without a limit, they are in a single result page (API 3.1, section 4.3). */
export async function listProbes(reader: Reader, signal: AbortSignal): Promise<Listing<Probe>> {
  const reply = await reader.get({ operation: listProbesOperation, path: 'probes', signal });
  return decodeList(arrayIn(reply, probeList.field, listProbesOperation), {
    operation: listProbesOperation,
    ...probeList,
  });
}

const listActiveProbesOperation = 'list_active_probes';

/** Ids of the probes that tested a check in a period (API 3.1, section 4.4). */
export async function listActiveProbes(
  reader: Reader,
  query: CheckTimeRange,
  signal: AbortSignal,
): Promise<Listing<number>> {
  const path = `summary.probes/${query.checkId}`;
  const reply = await reader.get({
    operation: listActiveProbesOperation,
    path,
    query: timeRangeParameters(query),
    signal,
  });
  return decodeList(arrayIn(reply, probeIdList.field, listActiveProbesOperation), {
    operation: listActiveProbesOperation,
    ...probeIdList,
  });
}
