import { z } from 'zod';
import type { Average, CountryAverage, ProbeAverage, StateSeconds } from '../../domain/average.ts';
import { present } from '../../lib/present.ts';
import type { Legible, Listing } from '../service.ts';
import { objectIn } from './envelope.ts';
import { identifier, mean, number, seconds, text, wellFormed } from './fields.ts';
import { decodeList, positiveInteger } from './keyed-list.ts';

const millisecondsPerSecond = 1000;

/** API 3.1, section 2.9. By country and by probe, the average is an array in place of a number. */
const wireSummary = z.object({
  responsetime: z.object({ avgresponse: z.unknown().optional() }).optional().catch(undefined),
  status: z
    .object({ totalup: number, totaldown: number, totalunknown: number })
    .optional()
    .catch(undefined),
});

/** The average of a reply `{summary}`. Fails with reason `shape`. */
export function decodeAverage(
  reply: unknown,
  by: 'country' | 'probe' | undefined,
  operation: string,
): Legible<Average> {
  const wire = wireSummary.parse(objectIn(reply, 'summary', operation));
  const measured = wire.responsetime?.avgresponse;
  const states = statesOf(wire.status);
  const entries = Array.isArray(measured) ? measured : [];
  const field = 'avgresponse';
  const byCountry =
    by === 'country' ? decodeList(entries, { operation, field, ...countries }) : none;
  const byProbe = by === 'probe' ? decodeList(entries, { operation, field, ...probes }) : none;
  const responseTimeSeconds = mean(number.parse(measured), millisecondsPerSecond);
  // The service writes the average of no measurement as zero.
  const nothingMeasured = responseTimeSeconds === 0 && states?.upSeconds === 0;
  const value = present({
    responseTimeSeconds: nothingMeasured ? undefined : responseTimeSeconds,
    states,
    byCountry: byCountry.items,
    byProbe: byProbe.items,
  });
  return { value, rejected: [...byCountry.rejected, ...byProbe.rejected] };
}

const none: Listing<never> = { items: [], rejected: [] };

/** All three or none: a state that is left out would read as no time at all. */
function statesOf(wire: z.infer<typeof wireSummary>['status']): StateSeconds | undefined {
  const upSeconds = seconds(wire?.totalup);
  const downSeconds = seconds(wire?.totaldown);
  const unknownSeconds = seconds(wire?.totalunknown);
  if (upSeconds === undefined || downSeconds === undefined || unknownSeconds === undefined) {
    return undefined;
  }
  return { upSeconds, downSeconds, unknownSeconds };
}

const wireCountry = z.object({ countryiso: text, avgresponse: number });

const countries = {
  decode: (entry: unknown): CountryAverage | undefined => {
    const wire = wireCountry.safeParse(entry).data;
    const countryIso = wellFormed(wire?.countryiso);
    const responseTimeSeconds = mean(wire?.avgresponse, millisecondsPerSecond);
    if (countryIso === undefined || responseTimeSeconds === undefined) return undefined;
    return { countryIso, responseTimeSeconds };
  },
  needs: { countryiso: 'a country code', avgresponse: 'a number' },
  keyOf: ({ countryIso }: CountryAverage) => countryIso,
};

const wireProbe = z.object({ probeid: identifier, avgresponse: number });

const probes = {
  decode: (entry: unknown): ProbeAverage | undefined => {
    const wire = wireProbe.safeParse(entry).data;
    const responseTimeSeconds = mean(wire?.avgresponse, millisecondsPerSecond);
    if (wire === undefined || responseTimeSeconds === undefined) return undefined;
    return { probeId: wire.probeid, responseTimeSeconds };
  },
  needs: { probeid: positiveInteger, avgresponse: 'a number' },
  keyOf: ({ probeId }: ProbeAverage) => probeId,
};
