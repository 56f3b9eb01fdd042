import { z } from 'zod';
import type { Probe } from '../../domain/probe.ts';
import { present } from '../../lib/present.ts';
import { flag, identifier, text, truth, wellFormed } from './fields.ts';
import { byId, positiveInteger } from './keyed-list.ts';

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

export const probeList = {
  field: 'probes',
  decode: (entry: unknown): Probe | undefined => {
    const wire = wireProbe.safeParse(entry).data;
    if (wire === undefined) return undefined;
    return present({
      id: wire.id,
      name: wellFormed(wire.name) ?? `probe ${wire.id}`,
      country: wellFormed(wire.country),
      countryIso: wellFormed(wire.countryiso),
      city: wellFormed(wire.city),
      region: wellFormed(wire.region),
      active: truth(wire.active),
    });
  },
  ...byId,
};

/** A list of bare ids. */
export const probeIdList = {
  field: 'probes',
  decode: (entry: unknown) => identifier.safeParse(entry).data,
  needs: { id: positiveInteger },
  keyOf: (id: number) => id,
};
